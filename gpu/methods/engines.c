/* The published methods of this folder as rows of the engine table. */
#include "engines.h"
#include "methods.h"

/* ---- cuda-man ---- */

static const predt_setting *const man_settings[] = {
    &(const predt_setting){sizeof(predt_setting), "group", "threads that share a row", NULL, 1,
                           65536, 64},
    NULL,
};

const predt__engine predt__cuda_man = {
    .name = "cuda-man",
    .summary = "an NVIDIA GPU: Man et al., Voronoi intersection row by row, in linked lists",
    .exact = 1,
    .settings = man_settings,
    .probe = predt__ref_probe,
    .method = &predt__man_method,
    .open = predt__ref_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};

/* ---- cuda-black ---- */

const predt__engine predt__cuda_black = {
    .name = "cuda-black",
    .summary =
        "an NVIDIA GPU: Black et al., a thread a pixel searches outward, by column, then by row",
    .exact = 1,
    .probe = predt__ref_probe,
    .method = &predt__black_method,
    .open = predt__ref_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};

/* ---- cuda-voronoi-all, cuda-voronoi-grow ---- */

/* The first one's words are in the order of share.h. */
static const predt_setting *const voronoi_settings[] = {
    &(const predt_setting){sizeof(predt_setting), "share", "how pixels are shared among threads",
                           "strided|contiguous", 0, 0, 0},
    &(const predt_setting){sizeof(predt_setting), "threads",
                           "threads that share the pixels; 0: as many as the device holds at once",
                           NULL, 0, INT64_C(1) << 31, 0},
    NULL,
};

const predt__engine predt__cuda_voronoi_all = {
    .name = "cuda-voronoi-all",
    .summary = "an NVIDIA GPU: raster Voronoi, every target tried for every pixel",
    .exact = 1,
    .settings = voronoi_settings,
    .probe = predt__ref_probe,
    .method = &predt__voronoi_all_method,
    .open = predt__ref_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};

const predt__engine predt__cuda_voronoi_grow = {
    .name = "cuda-voronoi-grow",
    .summary = "an NVIDIA GPU: raster Voronoi, rings around a pixel until they meet its target",
    .exact = 1,
    .settings = voronoi_settings,
    .probe = predt__ref_probe,
    .method = &predt__voronoi_grow_method,
    .open = predt__ref_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};
