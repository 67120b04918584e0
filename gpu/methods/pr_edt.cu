/* PR-EDT as published: step 2 and the order of the steps; steps 3 and 4 have files of their own.
 * Step 1, the partition into sub-blocks of R rows, is arithmetic on row numbers. Section numbers
 * are the paper's. "Upper" and "lower" targets (the paper's background pixels) of a row lie at or
 * above it, at or below it. */
#include "pr_edt_distances.cuh"
#include "pr_edt_sets.cuh"

/* ---- Step 2 (3.2): candidate matrices ---- */

/* Departures. The auxiliary matrix of row numbers is the index's words: the same facts in a bit a
 * pixel. Row i needs row i - 1, so a thread block for each row (3.5) would be a launch for each
 * row; a thread for each column walks along the rows instead. A strip's first row goes on from a
 * carry row, so that a raster larger than the memory can be cut. */
__global__ void candidates_kernel(predt__ref_strip s, workspace w) {
    int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= s.width) return;
    bool down = blockIdx.y == UPPER;
    int32_t *candidates = w.candidates[blockIdx.y];
    int32_t row = (down ? s.above : s.below)[col];
    uint32_t word = 0;
    for (int32_t i = 0; i < s.rows; i++) {
        int32_t at = down ? i : s.rows - 1 - i;
        int64_t bit = s.first_row - s.words_row + at;
        if (i == 0 || bit % 32 == (down ? 0 : 31)) word = s.words[bit / 32 * s.width + col];
        if (word >> bit % 32 & 1) row = (int32_t)(s.first_row + at);
        candidates[(int64_t)at * s.width + col] = row;
    }
}

/* a row has few columns for a whole device: small blocks reach every multiprocessor */
#define CANDIDATE_THREADS 64

static cudaError_t candidates(const predt__ref_strip *s, const workspace *w, cudaStream_t stream) {
    dim3 grid((unsigned)(((int64_t)s->width + CANDIDATE_THREADS - 1) / CANDIDATE_THREADS), 2);
    candidates_kernel<<<grid, CANDIDATE_THREADS, 0, stream>>>(*s, *w);
    return cudaGetLastError();
}

/* ---- All of it ---- */

static size_t rounded_up(size_t bytes) { return (bytes + 255) / 256 * 256; }

/* Lays the workspace out from base on; returns its size. base may be NULL. */
static size_t lay_out(workspace *w, char *base, int32_t width, int32_t rows, int32_t sub_rows) {
    size_t matrix = rounded_up((size_t)rows * width * sizeof(int32_t)),
           column = rounded_up((size_t)rows * sizeof(int32_t));
    size_t at = 0;
    for (int side = UPPER; side <= LOWER; side++) {
        w->candidates[side] = (int32_t *)(base + at);
        w->sets[side] = (int32_t *)(base + at + matrix);
        w->counts[side] = (int32_t *)(base + at + 2 * matrix);
        at += 2 * matrix + column;
    }
    w->spill = base + at;
    return at + (size_t)(2 * sub_blocks(rows, sub_rows)) * plan_sets(width).spill_bytes;
}

static int32_t sub_rows_of(const predt__ref_strip *strip) { return (int32_t)strip->setting[0]; }

static size_t workspace_bytes(const predt__ref_strip *strip) {
    workspace w;
    return lay_out(&w, NULL, strip->width, strip->rows, sub_rows_of(strip));
}

static cudaError_t record(const cudaEvent_t *marks, int mark, cudaStream_t stream) {
    return marks ? cudaEventRecord(marks[mark], stream) : cudaSuccess;
}

template <typename Measure>
static cudaError_t solve(const predt__ref_strip *s, const workspace *w, const Measure &m,
                         cudaStream_t stream, const cudaEvent_t *marks) {
    cudaError_t error = record(marks, 0, stream);
    if (error == cudaSuccess) error = candidates(s, w, stream);
    if (error == cudaSuccess) error = record(marks, 1, stream);
    if (error == cudaSuccess) error = sets(s, w, m, sub_rows_of(s), stream);
    if (error == cudaSuccess) error = record(marks, 2, stream);
    if (error == cudaSuccess) error = distances(s, w, m, stream);
    return error == cudaSuccess ? record(marks, 3, stream) : error;
}

static cudaError_t run(const predt__ref_strip *strip, void *space, cudaStream_t stream,
                       const cudaEvent_t *marks) {
    workspace w;
    lay_out(&w, (char *)space, strip->width, strip->rows, sub_rows_of(strip));
    return measured(strip,
                    [&](const auto &measure) { return solve(strip, &w, measure, stream, marks); });
}

const predt__ref_method predt__pr_edt_method = {"cuda-pr-edt",
                                                PREDT__REF_STRIP,
                                                {"candidates", "proximate sets", "distances"},
                                                workspace_bytes,
                                                run};
