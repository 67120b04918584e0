/* predt: exact distance and nearest-target (Voronoi allocation) rasters.
 *
 * predt answers one question about a raster: how far is each pixel from the nearest target pixel,
 * and which target is it? The work has two steps. An *index* is filled with the target pixels,
 * strip by strip, and sealed; from then on any window of the answer can be asked for, in any order
 * and from any thread. No step holds the whole raster.
 *
 *     predt_grid grid = PREDT_GRID_INIT(width, height);
 *     predt_outputs outputs = PREDT_OUTPUTS_INIT;
 *     outputs.distance = distance;
 *     predt_ctx *ctx;
 *     if (predt_open(&ctx, NULL) == PREDT_OK &&
 *         predt_transform(ctx, &grid, is_target, NULL, PREDT_LABEL_NONE, &outputs, NULL,
 *                         NULL) == PREDT_OK)
 *         puts("done");
 *     else
 *         fprintf(stderr, "%s\n", predt_message(ctx));
 *     predt_close(&ctx);
 *
 * Exactness. The chosen target is a nearest one; among equally near ones the westernmost (smallest
 * column), then the northernmost (smallest row). Squared distances are integers where the pixel
 * sides allow it (square pixels, and sides whose squares stand in a ratio of small integers), else
 * wx * dcol^2 + wy * drow^2 in binary64 in that order. A distance is the square root of the exact
 * squared distance in binary64, times the pixel size, rounded once to float32. Every exact engine,
 * thread count and way of cutting the raster gives the same bytes.
 *
 * On a globe (predt_grid.globe) the chosen target is one whose geodesic distance as PROJ's
 * geod_inverse gives it, in binary64, is least. Of the targets of one row that are equally near it
 * is the one fewest columns away, then the smaller column; of equally near ones in different rows
 * the one of the smaller column, then of the smaller row. A float32 distance is that binary64
 * number rounded; a squared distance is its square; another type is made of it.
 *
 * Conventions. Functions return a status; results go out by pointer. Rows and columns count from 0
 * at the north-west (first) pixel. Arrays are row-major and belong to the caller, who keeps them
 * until the call returns. Nothing is global: two contexts never meet, but an index may be queried
 * through any context. A context may be used from several threads at once, except that predt_close
 * comes after all other calls with it; so may an index, from predt_index_create to predt_index_seal
 * for adding, and from then on for queries. The user's functions (log, progress) are called without
 * a lock held: they may call predt themselves.
 *
 * Structs. Each begins with its size, which tells the library what the caller was compiled with;
 * start from its PREDT_..._INIT, or write {.size = sizeof ...}. Later versions only append members:
 * of a smaller (older) struct the members that it lacks have their defaults and nothing beyond it
 * is read or written; of a larger (newer) one the members that this library does not know are left
 * alone. A size of 0, or one that no struct has, is PREDT_ERROR_ARGUMENT. */
#ifndef PREDT_H
#define PREDT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PREDT_API __attribute__((visibility("default")))
#else
#define PREDT_API
#endif

#define PREDT_VERSION_MAJOR 0
#define PREDT_VERSION_MINOR 1
#define PREDT_VERSION_PATCH 0

/* Version of the library that is running, as "0.1.0". */
PREDT_API const char *predt_version(void);

/* ---- Status ---- */

typedef enum predt_status {
    PREDT_OK = 0,
    PREDT_ERROR_ARGUMENT, /* the call asks for something that has no answer: correct it */
    PREDT_ERROR_MEMORY,   /* out of memory: ask for smaller windows, or close something */
    /* the temporary file of an index failed: disk full, no folder to write to */
    PREDT_ERROR_IO,
    PREDT_ERROR_ENGINE, /* the engine asked for is unknown or cannot run here */
    PREDT_CANCELLED     /* a progress function returned 0 */
} predt_status;

/* ---- Context ---- */

typedef struct predt_ctx predt_ctx;

/* Receives one line, without a line end, when predt has made a choice that a user may want to know;
 * called on the thread whose call has made it. The line is valid until the function returns. */
typedef void (*predt_log)(const char *line, void *user);

/* Start from PREDT_OPTIONS_INIT and change what you need. */
typedef struct predt_options {
    size_t size;
    /* NULL or "auto": for each query the fastest that can run. Else a name of predt_engine_at, with
     * settings if it has any: "name:key=value,key=value" */
    const char *engine;
    /* 0: one for each CPU that this process may use; the largest number that counts is 4 a CPU, or
     * 64 if that is more */
    int threads;
    /* bytes that indexes may hold in memory before they move to a temporary file; 0: no limit */
    int64_t index_memory;
    const char *temp_dir; /* folder of that file; NULL: $TMPDIR, else /tmp */
    predt_log log;        /* NULL: silent */
    void *log_user;       /* passed to log */
    int device;           /* which CUDA device, counted from 0 */
    /* not 0: the process uses CUDA for nothing else. Closing the last context then gives the device
     * up (cudaDeviceReset), which takes a tenth of a second, at the end of the process if not
     * before */
    int own_process;
    int64_t gpu_memory; /* bytes of the device's memory that may be used; 0: what is free */
} predt_options;

#define PREDT_OPTIONS_INIT                                                                         \
    { sizeof(predt_options), NULL, 0, 0, NULL, NULL, NULL, 0, 0, 0 }

/* Opens a context; options may be NULL for the defaults and is not kept. On failure *out still is a
 * context (NULL only when memory ran out) whose one use is predt_message; close it either way. A
 * GPU engine chosen by name starts in the background: if it turns out to be unusable, a later
 * predt_index_add or predt_query fails with PREDT_ERROR_ENGINE. */
PREDT_API predt_status predt_open(predt_ctx **out, const predt_options *options);

/* Frees the context and sets *ctx to NULL; does nothing if it is NULL. Destroy its indexes first:
 * those made with it, whichever contexts they were queried through. */
PREDT_API void predt_close(predt_ctx **ctx);

/* What went wrong in this thread's last call that failed with this context, or in any thread's last
 * one if this thread's have all gone well: one line, no line end, never NULL, "" if nothing has
 * failed. Other threads may fail meanwhile: the text is the calling thread's own, and lives until
 * its next call of a function that fails, or of this one. With NULL: of calls that take no context,
 * predt_open included where it could not even make one. */
PREDT_API const char *predt_message(const predt_ctx *ctx);

/* ---- Engines ---- */

/* An option of an engine; the library's own, to be read. */
typedef struct predt_setting {
    size_t size;
    const char *key;
    const char *summary;
    const char *words;     /* the words it takes, separated by '|'; NULL: it takes a whole number */
    int64_t min, max;      /* of a number, inclusive */
    int64_t default_value; /* the number, or the position of the word, where none is given */
} predt_setting;

/* Start from PREDT_ENGINE_INFO_INIT: no more than its size is filled. */
typedef struct predt_engine_info {
    size_t size;
    const char *name;        /* what predt_options.engine takes */
    const char *summary;     /* one line for people */
    int exact;               /* 1: gives the bytes promised above; 0: kept for comparison */
    const char *unavailable; /* NULL: can run here; else why not, in words */
    const predt_setting *const *settings; /* ended by NULL; NULL: none */
} predt_engine_info;

#define PREDT_ENGINE_INFO_INIT                                                                     \
    { sizeof(predt_engine_info), NULL, NULL, 0, NULL, NULL }

/* The engines of this build, best first: fills *info for position 0, 1, ... and returns PREDT_OK,
 * or PREDT_ERROR_ARGUMENT past the last. Strings and settings are static. */
PREDT_API predt_status predt_engine_at(int position, predt_engine_info *info);

/* The same for the engine that predt_options.engine would take by this name, whatever settings
 * follow it; PREDT_ERROR_ARGUMENT if there is none ("auto" is none). Only this engine is asked
 * whether it can run, which takes a GPU a tenth of a second. */
PREDT_API predt_status predt_engine_named(const char *name, predt_engine_info *info);

/* Name of the engine that the context uses; with "auto", of the one that answered last. */
PREDT_API const char *predt_engine_name(const predt_ctx *ctx);

/* ---- Grid ---- */

typedef enum predt_metric {
    PREDT_METRIC_MAP = 0, /* distances between pixel centres in the units of the two steps */
    /* distances count pixels, whatever shape they have; the steps serve direction only */
    PREDT_METRIC_PIXEL
} predt_metric;

/* The ellipsoid under a longitude/latitude raster, on which distances are lengths of geodesics:
 * across the antimeridian and over the poles, whatever the raster's edges are. Rows are parallels,
 * columns are meridians; from a column to the next is always longitude_step, while the latitudes of
 * the rows may be anything that rises or falls. Start from PREDT_GLOBE_INIT. */
typedef struct predt_globe {
    size_t size;
    /* degrees north of the centres of the first row, and from a row to the next: negative where the
     * north is up */
    double first_latitude, latitude_step;
    /* degrees east from a column to the next; not 0. If a turn is a whole number of columns but for
     * a hundredth of one, it is taken to be that */
    double longitude_step;
    double semi_major_axis; /* in the unit that distances are to have */
    double flattening;      /* 0 for a sphere, to 1/150 */
    /* NULL, or the latitudes of all rows in place of the first two members: read while the index is
     * created, not kept */
    const double *latitudes;
} predt_globe;

/* WGS 84, in metres, north up. */
#define PREDT_GLOBE_INIT(first_latitude, latitude_step, longitude_step)                            \
    {                                                                                              \
        sizeof(predt_globe), (first_latitude), (latitude_step), (longitude_step), 6378137.0,       \
            1.0 / 298.257223563, NULL                                                              \
    }

typedef struct predt_grid {
    size_t size;
    int64_t width, height; /* pixels; 1 to 2^31 - 1 */
    /* map vector (east, north) from a pixel to the next in its row: geotransform (1) and (4) */
    double col_step[2];
    /* map vector (east, north) from a pixel to the next in its column: geotransform (2) and (5) */
    double row_step[2];
    predt_metric metric;
    /* targets farther away do not count; inclusive; same unit as the distances; INFINITY: no
     * limit */
    double max_distance;
    /* NULL: the plane. Else the globe, and the metric and the two steps are not read; it is copied
     * when the index is created */
    const predt_globe *globe;
} predt_grid;

/* One-unit square pixels, north up, no limit. */
#define PREDT_GRID_INIT(width, height)                                                             \
    {                                                                                              \
        sizeof(predt_grid), (width), (height), {1.0, 0.0}, {0.0, -1.0}, PREDT_METRIC_MAP,          \
            (double)INFINITY, NULL                                                                 \
    }

/* Whether the grid's rows and columns are not perpendicular: PREDT_METRIC_MAP refuses such a grid.
 * A step of no length is perpendicular to anything; so is a grid that is NULL or has no size. */
PREDT_API int predt_grid_is_sheared(const predt_grid *grid);

/* ---- Index ---- */

/* A sub-block is this many rows over the whole width: the unit in which rows are indexed and
 * solved. */
#define PREDT_SUBBLOCK_ROWS 32

/* Size of the value that a target carries into the label output. Values are copied, never
 * interpreted. */
typedef enum predt_label_type {
    PREDT_LABEL_NONE = 0,
    PREDT_LABEL_32 = 4,
    PREDT_LABEL_64 = 8
} predt_label_type;

typedef struct predt_index predt_index;

/* Makes an empty index of a whole raster. It takes about 0.15 byte a pixel, plus one label a
 * target. The context must outlive it. On failure *out is NULL. Errors: PREDT_ERROR_ARGUMENT for a
 * side out of range, a step that is zero or not finite, steps that are not perpendicular (with
 * PREDT_METRIC_MAP), a negative or NaN maximum; on a globe for centres beyond a pole, latitudes
 * that do not rise or fall, a flattening out of range, two turns or more, and more than half a
 * turn where a turn is no whole number of columns. */
PREDT_API predt_status predt_index_create(predt_ctx *ctx, const predt_grid *grid,
                                          predt_label_type labels, predt_index **out);

/* Adds rows [row, row + rows). row is a multiple of PREDT_SUBBLOCK_ROWS, and so is rows unless the
 * strip ends the raster; strips come in any order, each row once, from any thread. is_target: rows
 * x width bytes, non-zero for a target. labels: rows x width values of the index's label type, read
 * at targets only; ignored (may be NULL) with PREDT_LABEL_NONE. */
PREDT_API predt_status predt_index_add(predt_index *index, int64_t row, int32_t rows,
                                       const uint8_t *is_target, const void *labels);

/* Ends the adding, once every row is in. From here on the index is read-only and queries are
 * allowed. */
PREDT_API predt_status predt_index_seal(predt_index *index);

/* Number of targets added so far. */
PREDT_API int64_t predt_index_targets(const predt_index *index);

/* Frees the index and sets *index to NULL; does nothing if it is NULL. */
PREDT_API void predt_index_destroy(predt_index **index);

/* How many bytes of memory an index and a query of a grid take; start from PREDT_MEMORY_INIT. The
 * caller's arrays are not in it, and the query is one on engine cpu: on a GPU it has none of these
 * buffers. */
typedef struct predt_memory {
    size_t size;
    /* an index without its labels: with this much index_memory it needs no temporary file */
    int64_t index;
    /* an index in a temporary file has this much in memory, however small index_memory is */
    int64_t index_min;
    int64_t query_min; /* a query on so many threads takes at least this */
    int64_t query_max; /* and at most this, where the targets lie badly */
} predt_memory;

#define PREDT_MEMORY_INIT                                                                          \
    { sizeof(predt_memory), 0, 0, 0, 0 }

/* Works that out without a context, so that a caller can choose a memory limit or fewer threads, or
 * refuse what cannot fit. `threads` is as in predt_options. PREDT_ERROR_ARGUMENT for what
 * predt_index_create would refuse; predt_message(NULL) says why. */
PREDT_API predt_status predt_memory_needed(const predt_grid *grid, predt_label_type labels,
                                           int threads, predt_memory *needed);

/* ---- Query ---- */

/* The pixels (row + i * step, col + j * step) for 0 <= i < rows, 0 <= j < cols; all must lie in the
 * raster. */
typedef struct predt_window {
    size_t size;
    int64_t col, row;
    int64_t cols, rows;
    int64_t step; /* 1: every pixel */
} predt_window;

#define PREDT_WINDOW_INIT(col, row, cols, rows, step)                                              \
    { sizeof(predt_window), (col), (row), (cols), (rows), (step) }

/* Type of a pixel, as rasters have them. */
typedef enum predt_type {
    PREDT_UINT8,
    PREDT_INT8,
    PREDT_UINT16,
    PREDT_INT16,
    PREDT_UINT32,
    PREDT_INT32,
    PREDT_UINT64,
    PREDT_INT64,
    PREDT_FLOAT32,
    PREDT_FLOAT64
} predt_type;

/* One value; its type says which member counts. A float32 is kept as the double of the same value.
 */
typedef union predt_number {
    int64_t i;  /* signed integers */
    uint64_t u; /* unsigned ones */
    double f;
} predt_number;

/* What a query saw while it encoded distances. */
typedef struct predt_tally {
    size_t size;
    double farthest; /* the largest distance in reach, before it was rounded; below 0: none yet */
    /* the first pixel of the raster, row by row, that is so far from its target */
    int64_t farthest_col, farthest_row;
    int64_t clamped;   /* distances that the type cannot hold beside `none` */
    int64_t like_none; /* pixels with a target in reach whose value is that of `none` */
} predt_tally;

#define PREDT_TALLY_INIT                                                                           \
    { sizeof(predt_tally), -1.0, 0, 0, 0, 0 }

/* Distances as pixels of a raster. PREDT_FLOAT32 gives those of predt_outputs.distance; every other
 * type sqrt(distance2) * scale in binary64, integers rounded half away from zero. A distance that
 * is too large becomes the type's largest value that is not `none`. */
typedef struct predt_encoding {
    size_t size;
    void *values; /* as the arrays of predt_outputs; NULL: not computed */
    predt_type type;
    int is_fixed;       /* not 0: where a target is in reach the value is `fixed` */
    double scale;       /* finite, not negative; not for PREDT_FLOAT32 */
    predt_number none;  /* where no target is in reach */
    predt_number fixed; /* a value of the type */
    /* NULL, or what each query that succeeds adds to; start from PREDT_TALLY_INIT */
    predt_tally *tally;
} predt_encoding;

#define PREDT_ENCODING_INIT                                                                        \
    { sizeof(predt_encoding), NULL, PREDT_INT32, 0, 1.0, {-1}, {0}, NULL }

/* What to compute. Each array holds rows of `stride` elements; one that is NULL is not computed. */
typedef struct predt_outputs {
    size_t size;
    int64_t stride;    /* elements from one row to the next; 0: the window's cols */
    float *distance;   /* to the nearest target; INFINITY where none is in reach */
    double *distance2; /* its square; INFINITY where none is in reach */
    /* of the nearest target, of the index's label type; no_label where none is in reach */
    void *label;
    uint64_t no_label;    /* bit pattern of that value, its low bytes used */
    int32_t *nearest_col; /* column of the nearest target; -1 where none is in reach */
    int32_t *nearest_row; /* row of the nearest target; -1 where none is in reach */
    /* azimuth from the pixel to its target, degrees clockwise from map north, in (0, 360]: due
     * north is 360; 0 on a target; NaN where none is in reach. On a globe it is that at which the
     * geodesic leaves the pixel */
    float *direction;
    /* of an element of `label`: 0: as the index's label type; 1, 2 or 4: only the low bytes of
     * each */
    int label_bytes;
    const predt_encoding *encoding; /* the distance in another type; NULL: not computed */
    /* pixels that are not 0 in it are answered as if no target were in reach; NULL: none */
    const uint8_t *mask;
    /* so are pixels whose distance is less than this: as float32 numbers, or where `encoding` has
     * another type, by more than rounding (1e-12) in units of its values; 0: none are */
    double min_distance;
} predt_outputs;

#define PREDT_OUTPUTS_INIT                                                                         \
    { sizeof(predt_outputs), 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, 0.0 }

/* Answers a window of a sealed index, on the context's engine and threads; the index may have been
 * made with another context. Full-width windows of whole sub-blocks cost least: a window costs its
 * pixels plus, for each sub-block it touches, one pass over the full width. On failure the contents
 * of the outputs are unspecified. */
PREDT_API predt_status predt_query(predt_ctx *ctx, const predt_index *index,
                                   const predt_window *window, const predt_outputs *outputs);

/* ---- All at once ---- */

/* Like GDALProgressFunc: complete runs from 0 to 1 and never back; 0 returned stops the work. */
typedef int (*predt_progress)(double complete, const char *message, void *user);

/* Index and query in one, for arrays that fit: is_target and labels as in predt_index_add for all
 * rows, outputs for the whole raster. progress may be NULL. */
PREDT_API predt_status predt_transform(predt_ctx *ctx, const predt_grid *grid,
                                       const uint8_t *is_target, const void *labels,
                                       predt_label_type label_type, const predt_outputs *outputs,
                                       predt_progress progress, void *user);

#ifdef __cplusplus
}
#endif

#endif
