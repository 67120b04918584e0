/* cmocka.h with the headers it asks for. */
#ifndef TEST_CMOCKA_ALL_H
#define TEST_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
