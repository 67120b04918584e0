/* Engine cuda-voronoi-all: step 4 of the raster Voronoi paper (voronoi.cuh), its way for few
 * targets. A thread tries every target for each of its pixels and keeps the nearest.
 *
 * Complexity, N pixels and T targets: O(N T) work; with a thread for each pixel O(T) time, whatever
 * the size of the raster, is the paper's claim. Memory: a target a pixel, and the list of targets.
 *
 * Departures. Targets are pixels: a growth target of several pixels is as many targets. Target
 * pixels are not left out: they find themselves. A launch takes some rounds and some targets at a
 * time, so that none lasts long; between launches the nearest target so far is kept in memory. */
#include "voronoi.cuh"

/* Pairs of a pixel and a target in one launch: a few milliseconds of a large GPU, and less than a
 * second of a small one with its slowest number type. */
#ifndef LAUNCH_PAIRS
#define LAUNCH_PAIRS ((int64_t)1 << 33)
#endif

typedef struct piece {
    int64_t first_round, rounds;
    int64_t first_target, targets;
} piece;

template <typename Measure>
__device__ static int2 try_targets(const predt__ref_strip &s, const Measure &m, const piece &p,
                                   int2 pixel, int2 found) {
    nearest<typename Measure::number> best = seen_if(m, found, pixel.x, pixel.y);
    for (int64_t t = p.first_target; t < p.first_target + p.targets; t++) {
        nearest<typename Measure::number> next = seen(m, s.targets[t], pixel.x, pixel.y);
        if (best.point.x >= 0 && next.d2 > best.d2) continue; /* nearly always */
        if (nearer(next, best, pixel.y)) best = next;
    }
    return best.point;
}

template <typename Measure>
__global__ void targets_kernel(predt__ref_strip s, Measure m, predt__share share, piece p,
                               int2 *found) {
    int64_t thread = this_thread();
    if (thread >= share.threads) return;
    for (int64_t round = p.first_round; round < p.first_round + p.rounds; round++) {
        int64_t i = predt__share_pixel(&share, thread, round);
        if (i >= 0) found[i] = try_targets(s, m, p, pixel_at(s, i), found[i]);
    }
}

/* As many targets as fit into a launch, and then as many rounds. */
static piece first_piece(const predt__ref_strip *s, const predt__share *share) {
    int64_t pairs = LAUNCH_PAIRS / share->threads;
    if (pairs < 1) pairs = 1;
    int64_t targets = s->target_count < pairs ? s->target_count : pairs,
            rounds = targets ? pairs / targets : 1;
    return {0, rounds < share->rounds ? rounds : share->rounds, 0, targets};
}

template <typename Measure>
static cudaError_t try_all(const predt__ref_strip *s, const Measure &m, int2 *found,
                           cudaStream_t stream) {
    predt__share share = share_pixels(s);
    const piece first = first_piece(s, &share);
    /* none */
    cudaError_t error = cudaMemsetAsync(found, -1, (size_t)share.pixels * sizeof *found, stream);
    for (piece p = first; p.first_round < share.rounds; p.first_round += first.rounds) {
        p.rounds = share.rounds - p.first_round < first.rounds ? share.rounds - p.first_round
                                                               : first.rounds;
        for (p.first_target = 0; p.first_target < s->target_count && error == cudaSuccess;
             p.first_target += first.targets) {
            p.targets = s->target_count - p.first_target < first.targets
                            ? s->target_count - p.first_target
                            : first.targets;
            error = launch(stream, share.threads, targets_kernel<Measure>, *s, m, share, p, found);
        }
    }
    return error;
}

static size_t workspace(const predt__ref_strip *strip) {
    return (size_t)strip->wanted_rows * (size_t)strip->cols * sizeof(int2);
}

template <typename Measure>
static cudaError_t solve(const predt__ref_strip *s, const Measure &m, int2 *found,
                         cudaStream_t stream, const cudaEvent_t *marks) {
    int64_t pixels = (int64_t)s->wanted_rows * s->cols;
    cudaError_t error = record(marks, 0, stream);
    if (error == cudaSuccess) error = try_all(s, m, found, stream);
    if (error == cudaSuccess) error = record(marks, 1, stream);
    if (error == cudaSuccess)
        error = launch(stream, pixels, outputs_kernel<Measure>, *s, m, found, pixels);
    return error == cudaSuccess ? record(marks, 2, stream) : error;
}

static cudaError_t run(const predt__ref_strip *strip, void *workspace, cudaStream_t stream,
                       const cudaEvent_t *marks) {
    return measured(strip, [=](const auto &measure) {
        return solve(strip, measure, (int2 *)workspace, stream, marks);
    });
}

const predt__ref_method predt__voronoi_all_method = {
    "cuda-voronoi-all", PREDT__REF_TARGETS, {"targets", "outputs"}, workspace, run};
