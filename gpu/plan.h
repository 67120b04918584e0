/* What goes to the device together, and what goes there at all. Plain C over numbers: nothing here
 * needs a device. */
#ifndef PREDT__GPU_PLAN_H
#define PREDT__GPU_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/core/index.h"

/* ---- The rule of engine "auto" ---- */

/* The fewest pixels of a raster that is worth a device where so many CPU threads would solve it;
 * INT64_MAX: none is. */
int64_t predt__cuda_min_pixels(int threads);

/* Whether so many CPU threads answer a window sooner than a device that has yet to start. */
bool predt__cpu_is_sooner(const predt_window *window, int threads);

/* Whether a window is worth the way to the device: see plan.c. Nothing but sizes is looked at. */
bool predt__cuda_suits(const predt_index *index, const predt_window *window, int threads);

/* ---- Strips ---- */

/* The arrays of a strip, in the order in which they lie behind each other, on the device and in the
 * pinned buffer from which those before UPLOADED are sent in one copy. */
typedef enum predt__gpu_section {
    PREDT__WORDS,
    PREDT__ABOVE,
    PREDT__BELOW,
    PREDT__ABOVE_LABELS,
    PREDT__BELOW_LABELS,
    PREDT__LABEL_BLOCKS,
    PREDT__LABEL_STARTS,
    PREDT__LABEL_VALUES,
    PREDT__UPLOADED,
    PREDT__DISTANCE = PREDT__UPLOADED,
    PREDT__DISTANCE2,
    PREDT__LABEL,
    PREDT__NEAREST_COL,
    PREDT__NEAREST_ROW,
    PREDT__DIRECTION,
    PREDT__WHOLE,        /* made of DISTANCE2 */
    PREDT__NARROW_LABEL, /* made of LABEL */
    PREDT__TALLIES,      /* what the encoder has seen: predt__seen */
    PREDT__WORKSPACE,
    PREDT__SECTIONS
} predt__gpu_section;

#define PREDT__OUTPUTS (PREDT__TALLIES - PREDT__UPLOADED)

/* What all strips of a window have in common. */
typedef struct predt__gpu_shape {
    int32_t width;
    int32_t label_size;               /* 0: no labels go up */
    int32_t label_bytes, whole_bytes; /* of a narrow label and a whole number; 0: none */
    size_t tally_bytes;               /* 0: no whole numbers */
    int64_t targets;                  /* of the raster: no strip has more labels */
    /* on the device, in the order of the sections from UPLOADED on */
    bool wanted[PREDT__OUTPUTS];
    size_t (*workspace)(int32_t width, int32_t rows, int32_t label_size); /* of the solver */
} predt__gpu_shape;

/* Where each section starts; the one behind the last is the size of all. One that is not needed has
 * no bytes. */
typedef struct predt__gpu_layout {
    size_t start[PREDT__SECTIONS + 1];
} predt__gpu_layout;

/* labels: how many label values the strip has. */
predt__gpu_layout predt__gpu_layout_of(const predt__gpu_shape *shape, int32_t rows, int64_t labels);

/* The same with as many labels as such a strip can have: large enough for any strip of so many
 * rows. */
predt__gpu_layout predt__gpu_max_layout(const predt__gpu_shape *shape, int32_t rows);

/* Bytes of one element of an output. */
int32_t predt__gpu_output_size(const predt__gpu_shape *shape, predt__gpu_section output);

#define PREDT__GPU_SLOTS 3 /* strips in flight: one going up, one being solved, one coming down */

typedef struct predt__gpu_plan {
    int32_t rows; /* of a strip: a multiple of 32; 0: not even one sub-block fits */
    int slots;    /* strips in flight */
} predt__gpu_plan;

/* Strips for `rows` rows of the raster in `budget` bytes of device memory. max_rows: no higher
 * than this, for the next try after an allocation has failed. */
predt__gpu_plan predt__gpu_plan_strips(const predt__gpu_shape *shape, int64_t rows, int64_t budget,
                                       int32_t max_rows);

/* The plan to try when the device did not have the memory for this one: half the height, then fewer
 * strips in flight. False if there is nothing smaller. */
bool predt__gpu_shrink(predt__gpu_plan *plan);

/* One strip and the rows of the window that it answers. */
typedef struct predt__gpu_cut {
    int64_t first_row; /* raster row: a multiple of 32 */
    int32_t rows;
    int64_t window_row, window_rows;
} predt__gpu_cut;

/* The strip that answers row number window_row of the window and those after it. */
predt__gpu_cut predt__gpu_cut_at(const predt_window *window, int64_t height, int32_t strip_rows,
                                 int64_t window_row);

/* Bytes of device memory that may be used: of what is free and what is held already, and never more
 * than the limit (0: none). */
int64_t predt__gpu_budget(int64_t free_bytes, int64_t held, int64_t limit);

#endif
