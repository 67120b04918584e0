/* What the kernels do to a strip in the fake device's memory, by the plainest means. */
#ifndef TEST_FAKE_KERNELS_H
#define TEST_FAKE_KERNELS_H

#include "gpu/narrow.h"
#include "gpu/strip.h"

void fake_solve(const predt__gpu_strip *strip);
void fake_narrow(const predt__gpu_narrowing *narrowing);

#endif
