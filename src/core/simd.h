/* Vectors in the compiler's own notation (GCC and Clang), so that one source serves every
 * instruction set: 32 bytes with AVX2, 16 elsewhere (SSE2, NEON, or plain registers). Only what
 * that notation cannot say is written per set below. */
#ifndef PREDT__SIMD_H
#define PREDT__SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#define VECTOR(type) __attribute__((vector_size(VECTOR_BYTES))) type
typedef VECTOR(uint8_t) v8u;
typedef VECTOR(int16_t) v16i;
typedef VECTOR(uint16_t) v16u;
typedef VECTOR(int32_t) v32i;
typedef VECTOR(uint32_t) v32u;
typedef VECTOR(int64_t) v64i;
typedef VECTOR(float) v32f;
typedef VECTOR(double) v64f;

#define LANES(vector) ((int)(sizeof(vector) / sizeof((vector){0}[0])))

/* Unaligned load and store. */
#define LOAD(vector, from)                                                                         \
    ({                                                                                             \
        vector loaded_;                                                                            \
        memcpy(&loaded_, (from), sizeof loaded_);                                                  \
        loaded_;                                                                                   \
    })
#define STORE(to, value)                                                                           \
    do {                                                                                           \
        __typeof__(value) stored_ = (value);                                                       \
        memcpy((to), &stored_, sizeof stored_);                                                    \
    } while (0)

/* Lanes of a where the mask is all ones, of b where it is zero. Masks come from comparisons. */
#define SELECT(mask, a, b) ((__typeof__(a))select_bytes((v8u)(mask), (v8u)(a), (v8u)(b)))

#ifdef __AVX2__
/* Not the intrinsic: GCC 12 puts a comparison with zero before it. */
static inline v8u select_bytes(v8u mask, v8u a, v8u b) {
    v8u selected;
    __asm__("vpblendvb %3, %2, %1, %0" : "=x"(selected) : "x"(b), "x"(a), "x"(mask));
    return selected;
}
static inline bool any_bit(v8u mask) { return !_mm256_testz_si256((__m256i)mask, (__m256i)mask); }
static inline v16i min16(v16i a, v16i b) { return (v16i)_mm256_min_epi16((__m256i)a, (__m256i)b); }
static inline v16u min_u16(v16u a, v16u b) {
    return (v16u)_mm256_min_epu16((__m256i)a, (__m256i)b);
}
static inline v16u max_u16(v16u a, v16u b) {
    return (v16u)_mm256_max_epu16((__m256i)a, (__m256i)b);
}
/* saturates */
static inline v16u add_u16(v16u a, v16u b) {
    return (v16u)_mm256_adds_epu16((__m256i)a, (__m256i)b);
}
static inline bool last_byte(v8u mask) { return _mm256_movemask_epi8((__m256i)mask) < 0; }
#else
static inline bool last_byte(v8u mask) { return mask[VECTOR_BYTES - 1] != 0; }
static inline v8u select_bytes(v8u mask, v8u a, v8u b) { return (a & mask) | (b & ~mask); }
static inline bool any_bit(v8u mask) { return (((v64i)mask)[0] | ((v64i)mask)[1]) != 0; }
static inline v16i min16(v16i a, v16i b) { return SELECT(a < b, a, b); }
static inline v16u min_u16(v16u a, v16u b) { return SELECT(a < b, a, b); }
static inline v16u max_u16(v16u a, v16u b) { return SELECT(a < b, b, a); }
static inline v16u add_u16(v16u a, v16u b) { return (a + b) | (v16u)(a + b < a); } /* saturates */
#endif
#define ANY(mask) any_bit((v8u)(mask))
#define LAST_LANE(mask) last_byte((v8u)(mask))

/* Copies, on demand past the caches where the set can: a plain store first fetches the line that it
 * overwrites, which doubles the traffic of outputs that nobody reads soon. stream_end makes such
 * stores visible to other threads. */
static inline void copy_out(void *to, const void *from, size_t bytes, bool stream) {
#ifdef __AVX2__
    size_t done = -(uintptr_t)to & 31;
    if (stream && done < bytes) {
        memcpy(to, from, done);
        for (; done + 32 <= bytes; done += 32)
            _mm256_stream_si256((__m256i *)((char *)to + done),
                                _mm256_loadu_si256((const __m256i *)((const char *)from + done)));
        memcpy((char *)to + done, (const char *)from + done, bytes - done);
        return;
    }
#endif
    (void)stream;
    memcpy(to, from, bytes);
}

/* Position of the highest and of the lowest bit set in each lane: the exponent of the number that
 * it makes as a float. The bit below the highest is cleared first, so that rounding cannot carry;
 * lanes must not be 0. */
static inline v32i exponent(v32i bits) {
    return (((v32i) __builtin_convertvector(bits, v32f) >> 23) & 0xff) - 127;
}
static inline v32i highest_bit(v32i bits) {
    v32i alone = bits & ~((bits >> 1) & INT32_MAX);
    return SELECT(bits < 0, (v32i){0} + 31, exponent(alone));
}
static inline v32i lowest_bit(v32i bits) { return exponent(bits & (v32i) - (v32u)bits); }

static inline void stream_end(void) {
#ifdef __AVX2__
    _mm_sfence();
#endif
}

#endif
