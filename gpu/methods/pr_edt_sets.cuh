/* Step 3 of PR-EDT (3.3): the proximate-point sets of every row. */
#ifndef PREDT__PR_EDT_SETS_CUH
#define PREDT__PR_EDT_SETS_CUH

#include "../block_scan.cuh"
#include "pr_edt_workspace.cuh"

/* One block for each sub-block and direction (3.5). At 64 registers a thread three such blocks
 * share a multiprocessor: while one has a single thread at work in Algorithm 1, the others fill the
 * time. */
#define SET_THREADS 320
#define SET_BLOCKS 3

/* Where a block keeps its set. Departure: shared memory is taken as large as the width asks for,
 * but at most half a multiprocessor's, so that two blocks fit; what does not fit is spilled to
 * global memory. */
typedef struct set_plan {
    int32_t capacity;    /* points that shared memory holds */
    int32_t maps_shared; /* the two maps of columns lie in shared memory too */
    size_t shared_bytes;
    size_t spill_bytes; /* of one block; a multiple of 8 */
} set_plan;

/* The set that a block brings from row to row: points in the order of their columns, and the same
 * columns as bits. A point is marked by clearing its bit. */
typedef struct point_set {
    int2 *points;
    int32_t n;
    uint32_t *alive; /* bit of each column */
    int32_t *ranks;  /* bits set before each word of alive */
    int32_t width, words;
    const int32_t *candidates; /* of the current row */
    int2 *shared_points, *spilled_points;
    int32_t capacity;
} point_set;

static int32_t words_of(int32_t width) { return (int32_t)(((int64_t)width + 31) / 32); }

__device__ static point_set place_set(char *shared, char *spill, const set_plan *plan,
                                      int32_t width) {
    point_set set = {};
    set.width = width;
    set.words = (int32_t)(((int64_t)width + 31) / 32);
    set.capacity = plan->capacity;
    set.shared_points = (int2 *)shared;
    set.spilled_points = (int2 *)spill;
    char *maps = plan->maps_shared ? shared + plan->capacity * sizeof(int2)
                                   : spill + (plan->capacity < width ? width * sizeof(int2) : 0);
    set.alive = (uint32_t *)maps;
    set.ranks = (int32_t *)(set.alive + set.words);
    return set;
}

/* Prefix sums [33] over the bits of set->alive; returns how many there are. Begins after a barrier
 * and ends with one. */
__device__ static int32_t rank_columns(const point_set *set) {
    __shared__ block_scan scan;
    int32_t total = 0;
    for (int32_t base = 0; base < set->words; base += SET_THREADS) {
        int32_t i = base + (int32_t)threadIdx.x, count = i < set->words ? __popc(set->alive[i]) : 0;
        int32_t all, before = exclusive_sum<SET_THREADS>(scan, count, &all);
        if (i < set->words) set->ranks[i] = total + before;
        total += all;
        __syncthreads();
    }
    return total;
}

/* Compaction: the points of the columns that are alive, in order. A column's point is its candidate
 * on the current row: the same as before, or a target of this row that takes its place. Departure:
 * points are gathered anew from the columns, so that one compaction serves removals and insertions
 * at once. Begins after a barrier and ends with one. */
__device__ static void collect(point_set *set) {
    int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    set->n = rank_columns(set);
    set->points = set->n <= set->capacity ? set->shared_points : set->spilled_points;
    for (int32_t i = threadIdx.x / WARP; i < set->words; i += warps) {
        uint32_t bits = set->alive[i];
        if (!(bits >> lane & 1)) continue;
        int32_t col = i * WARP + lane;
        set->points[set->ranks[i] + __popc(bits & ((1u << lane) - 1))] =
            make_int2(col, set->candidates[col]);
    }
    __syncthreads();
}

__device__ static inline void mark(const point_set *set, int2 point) {
    atomicAnd(&set->alive[point.x / 32], ~(1u << point.x % 32));
}

/* Makes every column with a candidate a member. */
__device__ static void take_candidates(point_set *set, int32_t none) {
    int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    for (int32_t i = threadIdx.x / WARP; i < set->words; i += warps) {
        int64_t col = (int64_t)i * WARP + lane;
        uint32_t bits = __ballot_sync(ALL_LANES, col < set->width && set->candidates[col] != none);
        if (lane == 0) set->alive[i] = bits;
    }
    __syncthreads();
    collect(set);
}

/* Algorithm 1, for one sub-block: the points one by one, each removing those before it that it
 * masks. As published, it is the work of one thread a sub-block; the set is a stack at the front of
 * the candidates. Returns how many points stay. */
template <typename Measure>
__device__ static int32_t examine_in_order(const Measure &m, const point_set *set, int32_t row) {
    int2 *points = set->points;
    int32_t top = 0;
    int2 a = make_int2(0, 0), b = a; /* the two on top */
    /* read ahead: the stack never reaches the point after this one */
    int2 next = set->n ? points[0] : a;
    for (int32_t j = 0; j < set->n; j++) {
        int2 c = next;
        if (j + 1 < set->n) next = points[j + 1];
        while (top >= 2 && dominated(m, a, b, c, row)) {
            mark(set, b);
            b = a;
            if (--top >= 2) a = points[top - 2];
        }
        points[top++] = c;
        a = b;
        b = c;
    }
    return top;
}

template <typename Measure>
__device__ static void first_set(const Measure &m, point_set *set, int32_t row, int32_t none) {
    __shared__ int32_t left;
    take_candidates(set, none);
    if (threadIdx.x == 0) left = examine_in_order(m, set, row);
    __syncthreads();
    set->n = left;
}

/* Departure from Algorithm 2: a walk ends after this many points, and the next pass goes on.
 * Without an end, the threads of a long run of dominated points would each walk along all of it. */
#define LONGEST_WALK 256

/* Algorithm 2, rightwards and leftwards: having found point i dominated, goes on with its
 * neighbours. a, b and c are real targets at each test, also if another thread has marked them
 * meanwhile: whoever is dominated by two targets owns nothing, so marks of one pass cannot
 * contradict each other. */
template <typename Measure>
__device__ static void walk_right(const Measure &m, const point_set *set, int32_t i, int32_t row) {
    int2 a = set->points[i - 1], b = set->points[i + 1];
    for (int32_t j = i + 2; j < set->n && j < i + 2 + LONGEST_WALK; j++) {
        int2 c = set->points[j];
        if (!dominated(m, a, b, c, row)) break;
        mark(set, b);
        b = c;
    }
}

template <typename Measure>
__device__ static void walk_left(const Measure &m, const point_set *set, int32_t i, int32_t row) {
    int2 c = set->points[i + 1], b = set->points[i - 1];
    for (int32_t j = i - 2; j >= 0 && j > i - 2 - LONGEST_WALK; j--) {
        int2 a = set->points[j];
        if (!dominated(m, a, b, c, row)) break;
        mark(set, b);
        b = a;
    }
}

/* Lines 5 to 12 of Algorithm 3: a thread for each point (in turns, where there are more points).
 * Returns whether any thread marked one; ends with a barrier. */
template <typename Measure>
__device__ static bool mark_dominated(const Measure &m, const point_set *set, int32_t row) {
    bool marked = false;
    for (int64_t i = 1 + (int64_t)threadIdx.x; i < set->n - 1; i += blockDim.x) {
        int32_t at = (int32_t)i;
        if (!dominated(m, set->points[at - 1], set->points[at], set->points[at + 1], row)) continue;
        mark(set, set->points[at]);
        walk_right(m, set, at, row);
        walk_left(m, set, at, row);
        marked = true;
    }
    return __syncthreads_or(marked);
}

/* Line 14: the row's own targets become members, in place of the point of their column if there was
 * one (that is never the nearer of the two again). Returns whether there are any; ends with a
 * barrier. */
__device__ static bool insert_targets(const point_set *set, int32_t row) {
    int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    bool any = false;
    for (int32_t i = threadIdx.x / WARP; i < set->words; i += warps) {
        int64_t col = (int64_t)i * WARP + lane;
        uint32_t bits = __ballot_sync(ALL_LANES, col < set->width && set->candidates[col] == row);
        if (lane == 0) set->alive[i] |= bits;
        any |= bits != 0;
    }
    return __syncthreads_or(any);
}

/* Algorithm 3: from the set of the row before to that of this row. Departures: the two compactions
 * of lines 13 and 14 are one; line 15 tests every point, not only the neighbours of inserted ones,
 * and lines 15 and 16 repeat until nothing is marked: walks from two sides, and walks that met
 * points marked meanwhile, may leave dominated points behind, and step 4 needs a set without
 * any. */
template <typename Measure>
__device__ static void next_set(const Measure &m, point_set *set, int32_t row) {
    bool marked = mark_dominated(m, set, row);
    bool inserted = insert_targets(set, row);
    if (!marked && !inserted) return;
    collect(set);
    while (mark_dominated(m, set, row)) collect(set);
}

template <typename Measure>
__global__ void __launch_bounds__(SET_THREADS, SET_BLOCKS)
    sets_kernel(predt__ref_strip s, workspace w, Measure m, set_plan plan, int32_t sub_rows) {
    extern __shared__ int2 shared[];
    bool down = blockIdx.y == UPPER;
    int64_t block = (int64_t)blockIdx.x * 2 + blockIdx.y, begin = (int64_t)blockIdx.x * sub_rows;
    int32_t count = (int32_t)(s.rows - begin < sub_rows ? s.rows - begin : sub_rows);
    point_set set = place_set((char *)shared, w.spill + block * plan.spill_bytes, &plan, s.width);
    for (int32_t i = 0; i < count; i++) {
        int64_t at = begin + (down ? i : count - 1 - i);
        int32_t row = (int32_t)(s.first_row + at);
        set.candidates = w.candidates[blockIdx.y] + at * s.width;
        if (i == 0) first_set(m, &set, row, down ? -1 : INT32_MAX);
        else next_set(m, &set, row);
        int32_t *columns = w.sets[blockIdx.y] + at * s.width;
        for (int64_t j = threadIdx.x; j < set.n; j += blockDim.x) columns[j] = set.points[j].x;
        if (threadIdx.x == 0) w.counts[blockIdx.y][at] = set.n;
    }
}

static int device_attribute(cudaDeviceAttr attribute, int otherwise) {
    int device, value;
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess)
        return value;
    cudaGetLastError();
    return otherwise;
}

static set_plan plan_sets(int32_t width) {
    size_t block = (size_t)device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 48 << 10);
    size_t half_bytes =
        (size_t)device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 64 << 10) / 2;
    /* the rest: static arrays, and what the system takes */
    size_t room = (half_bytes < block ? half_bytes : block) - (2 << 10);
    size_t maps = (size_t)words_of(width) * (sizeof(uint32_t) + sizeof(int32_t));
    set_plan plan = {};
    plan.maps_shared = maps <= room / 2;
    size_t left = (room - (plan.maps_shared ? maps : 0)) / sizeof(int2);
    plan.capacity = left < (size_t)width ? (int32_t)left : width;
    plan.shared_bytes = plan.capacity * sizeof(int2) + (plan.maps_shared ? maps : 0);
    plan.spill_bytes =
        (plan.capacity < width ? width * sizeof(int2) : 0) + (plan.maps_shared ? 0 : maps);
    return plan;
}

static int64_t sub_blocks(int32_t rows, int32_t sub_rows) {
    return ((int64_t)rows + sub_rows - 1) / sub_rows;
}

template <typename Measure>
static cudaError_t sets(const predt__ref_strip *s, const workspace *w, const Measure &m,
                        int32_t sub_rows, cudaStream_t stream) {
    set_plan plan = plan_sets(s->width);
    cudaError_t error = cudaFuncSetAttribute(
        sets_kernel<Measure>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)plan.shared_bytes);
    if (error != cudaSuccess) return error;
    dim3 grid((unsigned)sub_blocks(s->rows, sub_rows), 2);
    sets_kernel<<<grid, SET_THREADS, plan.shared_bytes, stream>>>(*s, *w, m, plan, sub_rows);
    return cudaGetLastError();
}

#endif
