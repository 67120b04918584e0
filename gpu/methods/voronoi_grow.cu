/* Engine cuda-voronoi-grow: step 5 of the raster Voronoi paper (voronoi.cuh), its way for many
 * targets. A thread looks at the pixels around its pixel, ring by ring (squares of side 1, 3, 5,
 * ...), until it has met the nearest target.
 *
 * Complexity, N pixels whose nearest target is d pixels away: O(N d^2), where targets are few
 * O(N^2). Memory: a target a pixel, and the raster at a bit a pixel.
 *
 * Departures. The paper stops at the first ring with a target; its corner may be 1.41 times as far
 * away as the middle of a side of the next ring but one. Here the search goes on to the first ring
 * that is, as a whole, farther away than the best target so far; then the answer is exact. A launch
 * lets each thread look at some pixels only, so that none lasts long; the next one takes the search
 * up where it was. */
#include "voronoi.cuh"

/* Pixels that a thread looks at in one launch, before it finishes its ring: well below a second for
 * threads that all go at the pace of one read of memory after the other. */
#ifndef LAUNCH_LOOKS
#define LAUNCH_LOOKS ((int64_t)1 << 17)
#endif

/* Where a thread is in its share of the pixels. */
typedef struct progress {
    int64_t at_round;
    int32_t ring; /* the next one to look at, for the pixel of this round */
} progress;

/* A search around one pixel. */
template <typename Measure> struct search {
    int2 pixel;
    nearest<typename Measure::number> best;
};

template <typename Measure>
__device__ static inline void look_at(const predt__ref_strip &s, const Measure &m,
                                      search<Measure> *search, int32_t col, int32_t row) {
    if (!(s.words[(int64_t)(row / 32) * s.width + col] >> row % 32 & 1)) return;
    nearest<typename Measure::number> here =
        seen(m, make_int2(col, row), search->pixel.x, search->pixel.y);
    if (nearer(here, search->best, search->pixel.y)) search->best = here;
}

/* What of a ring lies in the raster. */
typedef struct ring {
    int64_t west, east, north, south; /* its sides */
    bool has_west, has_east, has_north, has_south;
} ring;

__device__ static inline ring ring_around(const predt__ref_strip &s, int2 pixel, int32_t radius) {
    ring r = {(int64_t)pixel.x - radius,
              (int64_t)pixel.x + radius,
              (int64_t)pixel.y - radius,
              (int64_t)pixel.y + radius,
              false,
              false,
              false,
              false};
    r.has_west = r.west >= 0;
    r.has_east = r.east < s.width;
    r.has_north = r.north >= 0;
    r.has_south = r.south < s.raster_height;
    return r;
}

/* Whether no pixel of this ring, nor of the larger ones, can be nearer than the best so far or as
 * near. */
template <typename Measure>
__device__ static bool finished(const Measure &m, const search<Measure> &search, const ring &r,
                                int32_t radius) {
    bool columns = r.has_west || r.has_east, rows = r.has_north || r.has_south;
    if (!columns && !rows) return true;
    if (search.best.point.x < 0) return false;
    return (!columns || columns_away(m, radius) > search.best.d2) &&
           (!rows || rows_away(m, radius) > search.best.d2);
}

/* Looks at the pixels of a ring; returns how many there are. North and south sides have the
 * corners. */
template <typename Measure>
__device__ static int64_t look_at_ring(const predt__ref_strip &s, const Measure &m,
                                       search<Measure> *search, const ring &r) {
    int32_t first_col = (int32_t)(r.has_west ? r.west : 0),
            last_col = (int32_t)(r.has_east ? r.east : s.width - 1);
    int32_t first_row = (int32_t)(r.has_north ? r.north + 1 : 0);
    int32_t last_row = (int32_t)(r.has_south ? r.south - 1 : s.raster_height - 1);
    for (int32_t col = first_col; r.has_north && col <= last_col; col++)
        look_at(s, m, search, col, (int32_t)r.north);
    for (int32_t col = first_col; r.has_south && col <= last_col; col++)
        look_at(s, m, search, col, (int32_t)r.south);
    for (int32_t row = first_row; r.has_west && row <= last_row; row++)
        look_at(s, m, search, (int32_t)r.west, row);
    for (int32_t row = first_row; r.has_east && row <= last_row; row++)
        look_at(s, m, search, (int32_t)r.east, row);
    return (int64_t)(r.has_north + r.has_south) * (last_col - first_col + 1) +
           (int64_t)(r.has_west + r.has_east) * (last_row - first_row + 1);
}

/* Goes on with the search for pixel i; returns whether it is over. *looks: how many more pixels the
 * thread may look at. */
template <typename Measure>
__device__ static bool grow(const predt__ref_strip &s, const Measure &m, int2 *found, int64_t i,
                            int32_t *radius, int64_t *looks) {
    search<Measure> search;
    search.pixel = pixel_at(s, i);
    search.best = seen_if(m, found[i], search.pixel.x, search.pixel.y);
    bool over = false;
    for (; *looks > 0; ++*radius) {
        ring r = ring_around(s, search.pixel, *radius);
        if ((over = finished(m, search, r, *radius))) break;
        *looks -= 1 + look_at_ring(s, m, &search, r);
    }
    found[i] = search.best.point;
    return over;
}

template <typename Measure>
__global__ void grow_kernel(predt__ref_strip s, Measure m, predt__share share, int2 *found,
                            progress *progresses, int32_t *unfinished) {
    int64_t thread = this_thread(), looks = LAUNCH_LOOKS;
    if (thread >= share.threads) return;
    progress p = progresses[thread];
    for (; p.at_round < share.rounds; p.at_round++, p.ring = 0) {
        int64_t i = predt__share_pixel(&share, thread, p.at_round);
        if (i < 0 || grow(s, m, found, i, &p.ring, &looks)) continue;
        *unfinished = 1; /* whoever writes it writes the same */
        break;
    }
    progresses[thread] = p;
}

/* ---- Host ---- */

typedef struct arrays {
    int2 *found;
    progress *progresses;
    int32_t *unfinished;
} arrays;

/* Lays the arrays out from base on, which may be NULL; returns their size. */
static size_t lay_out(arrays *a, char *base, const predt__ref_strip *s, const predt__share *share) {
    size_t at = 0;
    a->found =
        (int2 *)take_bytes(base, &at, (int64_t)s->wanted_rows * s->cols * (int64_t)sizeof(int2));
    a->progresses = (progress *)take_bytes(base, &at, share->threads * (int64_t)sizeof(progress));
    a->unfinished = (int32_t *)take_bytes(base, &at, sizeof(int32_t));
    return at;
}

static size_t workspace(const predt__ref_strip *strip) {
    arrays unused;
    predt__share share = share_pixels(strip);
    return lay_out(&unused, NULL, strip, &share);
}

/* Launches until every thread is through with its pixels. */
template <typename Measure>
static cudaError_t grow_all(const predt__ref_strip *s, const Measure &m, const predt__share *share,
                            const arrays *a, cudaStream_t stream) {
    int32_t unfinished = 1;
    /* none */
    cudaError_t error =
        cudaMemsetAsync(a->found, -1, (size_t)share->pixels * sizeof *a->found, stream);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(a->progresses, 0, (size_t)share->threads * sizeof *a->progresses,
                                stream);
    while (unfinished && error == cudaSuccess) {
        error = cudaMemsetAsync(a->unfinished, 0, sizeof unfinished, stream);
        if (error == cudaSuccess)
            error = launch(stream, share->threads, grow_kernel<Measure>, *s, m, *share, a->found,
                           a->progresses, a->unfinished);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(&unfinished, a->unfinished, sizeof unfinished,
                                    cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    }
    return error;
}

template <typename Measure>
static cudaError_t solve(const predt__ref_strip *s, const Measure &m, char *space,
                         cudaStream_t stream, const cudaEvent_t *marks) {
    arrays a;
    predt__share share = share_pixels(s);
    lay_out(&a, space, s, &share);
    cudaError_t error = record(marks, 0, stream);
    if (error == cudaSuccess) error = grow_all(s, m, &share, &a, stream);
    if (error == cudaSuccess) error = record(marks, 1, stream);
    if (error == cudaSuccess)
        error = launch(stream, share.pixels, outputs_kernel<Measure>, *s, m, a.found, share.pixels);
    return error == cudaSuccess ? record(marks, 2, stream) : error;
}

static cudaError_t run(const predt__ref_strip *strip, void *workspace, cudaStream_t stream,
                       const cudaEvent_t *marks) {
    return measured(strip, [=](const auto &measure) {
        return solve(strip, measure, (char *)workspace, stream, marks);
    });
}

const predt__ref_method predt__voronoi_grow_method = {
    "cuda-voronoi-grow", PREDT__REF_RASTER, {"rings", "outputs"}, workspace, run};
