#include "mark.h"

#include <string.h>

/* Up to this many ranges are tried one after the other, each by a loop that compilers turn into
 * SIMD. */
#define FEW_RANGES 12

#define MARK mark_u16
#define MARK_TYPE uint16_t
#define MARK_VALUE u
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_i16
#define MARK_TYPE int16_t
#define MARK_VALUE i
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_u32
#define MARK_TYPE uint32_t
#define MARK_VALUE u
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_i32
#define MARK_TYPE int32_t
#define MARK_VALUE i
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_u64
#define MARK_TYPE uint64_t
#define MARK_VALUE u
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_i64
#define MARK_TYPE int64_t
#define MARK_VALUE i
#define MARK_REAL 0
#include "mark_kind.h"

#define MARK mark_f32
#define MARK_TYPE float
#define MARK_VALUE f
#define MARK_REAL 1
#include "mark_kind.h"

#define MARK mark_f64
#define MARK_TYPE double
#define MARK_VALUE f
#define MARK_REAL 1
#include "mark_kind.h"

typedef void (*marker)(const predt__ranges *, bool, const void *, size_t, uint8_t *restrict);

static const marker markers[] = {
    [PREDT__U16] = mark_u16, [PREDT__I16] = mark_i16, [PREDT__U32] = mark_u32,
    [PREDT__I32] = mark_i32, [PREDT__U64] = mark_u64, [PREDT__I64] = mark_i64,
    [PREDT__F32] = mark_f32, [PREDT__F64] = mark_f64,
};

/* Pixels marked before the next range is tried: they stay in the first-level cache. */
#define CHUNK 4096

void predt__mark(const predt__ranges *ranges, bool nan, const void *pixels, size_t count,
                 uint8_t *marks) {
    size_t size = (size_t)predt__kind_size(ranges->kind);
    for (size_t done = 0; done < count; done += CHUNK)
        markers[ranges->kind](ranges, nan, (const char *)pixels + done * size,
                              count - done < CHUNK ? count - done : CHUNK, marks + done);
}
