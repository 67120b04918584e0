/* A list of rows or of columns, cut into runs: into windows, from one of them to another. */
#ifndef PREDT__RUNS_H
#define PREDT__RUNS_H

#include <stdint.h>

/* One of the lists, and how it is cut. */
typedef struct runs {
    const int32_t *list;
    int32_t count, step;       /* they are multiples of the step apart */
    int64_t max_gap, max_span; /* between two neighbours, from the first to the last, in steps */
} runs;

/* Some that follow one another in a list. */
typedef struct range {
    int32_t begin, end;
} range;

/* In steps. */
static inline int64_t between(const runs *along, int32_t first, int32_t last) {
    return ((int64_t)along->list[last] - along->list[first]) / along->step;
}

static inline int64_t span_of(const runs *along, range some) {
    return between(along, some.begin, some.end - 1) + 1;
}

/* The run that begins there; end: of what there is to cut. */
static inline range run_from(const runs *along, int32_t begin, int32_t end) {
    range run = {begin, begin + 1};
    while (run.end < end && between(along, run.end - 1, run.end) <= along->max_gap &&
           between(along, begin, run.end) < along->max_span)
        run.end++;
    return run;
}

static inline int64_t longest_span(const runs *along) {
    int64_t longest = 1;
    for (range run = {0, 0}; run.end < along->count && longest < along->max_span;) {
        run = run_from(along, run.end, along->count);
        if (span_of(along, run) > longest) longest = span_of(along, run);
    }
    return longest;
}

/* What neighbours are apart; 0: one alone, -1: not all as much. */
static inline int32_t step_of(const runs *along) {
    int32_t step = along->count > 1 ? along->list[1] - along->list[0] : 0;
    for (int32_t i = 2; i < along->count; i++)
        if (along->list[i] - along->list[i - 1] != step) return -1;
    return step;
}

#endif
