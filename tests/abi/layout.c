/* Prints the size of every public struct, the place and size of its members, and the values of the
 * enumerations. */
#include <stdio.h>

#include "predt.h"

#define STRUCT(type) printf("struct " #type " %zu\n", sizeof(type))
#define MEMBER(type, member)                                                                       \
    printf("member " #type "." #member " %zu %zu\n", offsetof(type, member),                       \
           sizeof(((type *)0)->member))
#define VALUE(name) printf("value " #name " %d\n", (int)(name))

/* A member that is appended must not lie in what was padding: older programs leave whatever was
 * there. */
#define LAST(type, member)                                                                         \
    _Static_assert(offsetof(type, member) + sizeof(((type *)0)->member) == sizeof(type),           \
                   #type " ends in padding")

/* Names do not tell how a function is called; these do. A function that no longer fits breaks the
 * programs that call it. */
#define CALLED_AS(function, type)                                                                  \
    _Static_assert(_Generic(&(function), type : 1, default : 0), #function " is called otherwise")

CALLED_AS(predt_version, const char *(*)(void));
CALLED_AS(predt_open, predt_status (*)(predt_ctx **, const predt_options *));
CALLED_AS(predt_close, void (*)(predt_ctx **));
CALLED_AS(predt_message, const char *(*)(const predt_ctx *));
CALLED_AS(predt_engine_at, predt_status (*)(int, predt_engine_info *));
CALLED_AS(predt_engine_named, predt_status (*)(const char *, predt_engine_info *));
CALLED_AS(predt_engine_name, const char *(*)(const predt_ctx *));
CALLED_AS(predt_grid_is_sheared, int (*)(const predt_grid *));
CALLED_AS(predt_index_create,
          predt_status (*)(predt_ctx *, const predt_grid *, predt_label_type, predt_index **));
CALLED_AS(predt_index_add,
          predt_status (*)(predt_index *, int64_t, int32_t, const uint8_t *, const void *));
CALLED_AS(predt_index_seal, predt_status (*)(predt_index *));
CALLED_AS(predt_index_targets, int64_t (*)(const predt_index *));
CALLED_AS(predt_index_destroy, void (*)(predt_index **));
CALLED_AS(predt_memory_needed,
          predt_status (*)(const predt_grid *, predt_label_type, int, predt_memory *));
CALLED_AS(predt_query, predt_status (*)(predt_ctx *, const predt_index *, const predt_window *,
                                        const predt_outputs *));
CALLED_AS(predt_transform,
          predt_status (*)(predt_ctx *, const predt_grid *, const uint8_t *, const void *,
                           predt_label_type, const predt_outputs *, predt_progress, void *));
CALLED_AS(*(predt_log *)0, void (**)(const char *, void *));
CALLED_AS(*(predt_progress *)0, int (**)(double, const char *, void *));

LAST(predt_options, gpu_memory);
LAST(predt_setting, default_value);
LAST(predt_engine_info, settings);
LAST(predt_globe, latitudes);
LAST(predt_grid, globe);
LAST(predt_memory, query_max);
LAST(predt_window, step);
LAST(predt_tally, like_none);
LAST(predt_encoding, tally);
LAST(predt_outputs, min_distance);

static void print_context(void) {
    STRUCT(predt_options);
    MEMBER(predt_options, size), MEMBER(predt_options, engine), MEMBER(predt_options, threads);
    MEMBER(predt_options, index_memory), MEMBER(predt_options, temp_dir),
        MEMBER(predt_options, log);
    MEMBER(predt_options, log_user), MEMBER(predt_options, device),
        MEMBER(predt_options, own_process);
    MEMBER(predt_options, gpu_memory);
    STRUCT(predt_setting);
    MEMBER(predt_setting, size), MEMBER(predt_setting, key), MEMBER(predt_setting, summary),
        MEMBER(predt_setting, words);
    MEMBER(predt_setting, min), MEMBER(predt_setting, max), MEMBER(predt_setting, default_value);
    STRUCT(predt_engine_info);
    MEMBER(predt_engine_info, size), MEMBER(predt_engine_info, name),
        MEMBER(predt_engine_info, summary);
    MEMBER(predt_engine_info, exact), MEMBER(predt_engine_info, unavailable),
        MEMBER(predt_engine_info, settings);
}

static void print_index(void) {
    STRUCT(predt_globe);
    MEMBER(predt_globe, size), MEMBER(predt_globe, first_latitude),
        MEMBER(predt_globe, latitude_step);
    MEMBER(predt_globe, longitude_step), MEMBER(predt_globe, semi_major_axis),
        MEMBER(predt_globe, flattening);
    MEMBER(predt_globe, latitudes);
    STRUCT(predt_grid);
    MEMBER(predt_grid, size), MEMBER(predt_grid, width), MEMBER(predt_grid, height),
        MEMBER(predt_grid, col_step);
    MEMBER(predt_grid, row_step), MEMBER(predt_grid, metric), MEMBER(predt_grid, max_distance);
    MEMBER(predt_grid, globe);
    STRUCT(predt_memory);
    MEMBER(predt_memory, size), MEMBER(predt_memory, index), MEMBER(predt_memory, index_min),
        MEMBER(predt_memory, query_min);
    MEMBER(predt_memory, query_max);
}

static void print_query(void) {
    STRUCT(predt_window);
    MEMBER(predt_window, size), MEMBER(predt_window, col), MEMBER(predt_window, row),
        MEMBER(predt_window, cols);
    MEMBER(predt_window, rows), MEMBER(predt_window, step);
    STRUCT(predt_tally);
    MEMBER(predt_tally, size), MEMBER(predt_tally, farthest), MEMBER(predt_tally, farthest_col);
    MEMBER(predt_tally, farthest_row), MEMBER(predt_tally, clamped), MEMBER(predt_tally, like_none);
    STRUCT(predt_encoding);
    MEMBER(predt_encoding, size), MEMBER(predt_encoding, values), MEMBER(predt_encoding, type),
        MEMBER(predt_encoding, is_fixed);
    MEMBER(predt_encoding, scale), MEMBER(predt_encoding, none), MEMBER(predt_encoding, fixed),
        MEMBER(predt_encoding, tally);
    STRUCT(predt_outputs);
    MEMBER(predt_outputs, size), MEMBER(predt_outputs, stride), MEMBER(predt_outputs, distance);
    MEMBER(predt_outputs, distance2), MEMBER(predt_outputs, label), MEMBER(predt_outputs, no_label);
    MEMBER(predt_outputs, nearest_col), MEMBER(predt_outputs, nearest_row),
        MEMBER(predt_outputs, direction);
    MEMBER(predt_outputs, label_bytes), MEMBER(predt_outputs, encoding),
        MEMBER(predt_outputs, mask), MEMBER(predt_outputs, min_distance);
}

static void print_values(void) {
    VALUE(PREDT_OK), VALUE(PREDT_ERROR_ARGUMENT), VALUE(PREDT_ERROR_MEMORY), VALUE(PREDT_ERROR_IO);
    VALUE(PREDT_ERROR_ENGINE), VALUE(PREDT_CANCELLED);
    VALUE(PREDT_METRIC_MAP), VALUE(PREDT_METRIC_PIXEL);
    VALUE(PREDT_LABEL_NONE), VALUE(PREDT_LABEL_32), VALUE(PREDT_LABEL_64);
    VALUE(PREDT_UINT8), VALUE(PREDT_INT8), VALUE(PREDT_UINT16), VALUE(PREDT_INT16);
    VALUE(PREDT_UINT32), VALUE(PREDT_INT32), VALUE(PREDT_UINT64), VALUE(PREDT_INT64);
    VALUE(PREDT_FLOAT32), VALUE(PREDT_FLOAT64), VALUE(PREDT_SUBBLOCK_ROWS);
}

int main(void) {
    print_context();
    print_index();
    print_query();
    print_values();
    return 0;
}
