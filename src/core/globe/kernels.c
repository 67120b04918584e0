/* Solves a sub-strip: near blocks by windows, the rest of each column by divide and conquer.
 * Compiled once for each instruction set, see CMakeLists.txt. The bytes do not depend on it: what a
 * rounding could change is settled by margins. */
#include "divide.h"
#include "emit.h"
#include "window.h"
#include "work.h"

#define BLOCK PREDT_SUBBLOCK_ROWS /* rows asked for that are near or far together */

static int64_t block_end(const predt__substrip *strip, int64_t begin) {
    return begin + BLOCK < strip->rows ? begin + BLOCK : strip->rows;
}

static void solve_near_block(const predt__substrip *strip, predt__globe_scratch *s, int64_t begin,
                             int64_t end) {
    double distance[LANES_MAX];
    int32_t target[LANES_MAX], apart[LANES_MAX];
    found_answers row = {distance, target, apart, 1};
    for (int64_t i = begin; i < end; i++) {
        near_row(strip, s, asked_row(strip, i), &row);
        emit_row(strip, &s->seen, i, &row);
    }
}

static void emit_far_rows(const predt__substrip *strip, predt__globe_scratch *s, int64_t begin,
                          int64_t end) {
    double distance[LANES_MAX];
    for (int64_t i = begin; i < end; i++) {
        found_answers row = {distance, s->far.target + i, s->far.apart + i, (int64_t)s->asked};
        for (int lane = 0; lane < LANES_MAX; lane++) { /* the last one fills the vectors up */
            int used = lane < strip->lanes ? lane : strip->lanes - 1;
            distance[lane] = s->far.distance[used * FAR_STRIDE + i - begin];
        }
        emit_row(strip, &s->seen, i, &row);
    }
}

/* The rows of far blocks: the owners column by column, then some rows at a time. */
static void solve_far_run(const predt__substrip *strip, predt__globe_scratch *s, int64_t begin,
                          int64_t end) {
    for (int lane = 0; lane < strip->lanes; lane++)
        divide_rows(strip, s, lane, (int32_t)begin, (int32_t)end);
    for (int64_t from = begin, to; from < end; from = to) {
        to = from + FAR_ROWS < end ? from + FAR_ROWS : end;
        for (int lane = 0; lane < strip->lanes; lane++) values_of_column(strip, s, lane, from, to);
        emit_far_rows(strip, s, from, to);
    }
}

static void solve(const predt__substrip *strip, predt__globe_scratch *s) {
    int64_t far = -1; /* first row of the run of far blocks */
    near_by first = look_near(strip, s, 0), last;
    for (int64_t begin = 0, end; begin < strip->rows; begin = end, first = last) {
        end = block_end(strip, begin);
        last = look_near(strip, s, end < strip->rows ? end : end - 1);
        bool near = is_near(first, last);
        if (!near && far < 0) far = begin;
        if (near && far >= 0) {
            solve_far_run(strip, s, far, begin);
            far = -1;
        }
        if (near) solve_near_block(strip, s, begin, end);
    }
    if (far >= 0) solve_far_run(strip, s, far, strip->rows);
}

void PREDT__SUBSTRIP_ENTRY(const predt__substrip *strip, predt__globe_scratch *s) {
    size_t blocks = (size_t)strip->index->blocks;
    memset(s->have_bits, 0, blocks);
    memset(s->have_near, 0, blocks);
    memset(s->have_column, 0, blocks);
    solve(strip, s);
    stream_end();
}
