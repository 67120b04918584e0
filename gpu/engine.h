/* The engine on CUDA devices, as the engine table takes it. No CUDA header is needed to read
 * this. */
#ifndef PREDT__GPU_ENGINE_H
#define PREDT__GPU_ENGINE_H

#include "../src/core/engine.h"

extern const predt__engine predt__cuda;

#endif
