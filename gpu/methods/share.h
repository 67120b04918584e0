/* Step 3 of the raster Voronoi paper: more pixels than threads. M x N pixels are shared among K
 * threads, so that each has C of them, in one of two ways; round c of thread i is pixel i C + c
 * (contiguous: each thread has a run of pixels) or c K + i (strided: the threads of a round have a
 * run). The paper takes the second, since threads that run together then touch memory side by side.
 * Plain C that CUDA can include too. */
#ifndef PREDT__METHODS_SHARE_H
#define PREDT__METHODS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#ifndef PREDT__DEVICE
#define PREDT__DEVICE static inline
#endif

enum { PREDT__SHARE_STRIDED, PREDT__SHARE_CONTIGUOUS };

typedef struct predt__share {
    int64_t pixels;  /* M N */
    int64_t threads; /* K */
    int64_t rounds;  /* C */
    int way;
} predt__share;

static inline predt__share predt__share_out(int64_t pixels, int64_t threads, int way) {
    if (threads > pixels) threads = pixels;
    if (threads < 1) threads = 1;
    predt__share share = {pixels, threads, (pixels + threads - 1) / threads, way};
    return share;
}

/* The pixel of a thread in a round; -1: it has none. */
PREDT__DEVICE int64_t predt__share_pixel(const predt__share *share, int64_t thread, int64_t round) {
    int64_t pixel = share->way == PREDT__SHARE_STRIDED ? round * share->threads + thread
                                                       : thread * share->rounds + round;
    return pixel < share->pixels ? pixel : -1;
}

#endif
