/* The published methods as rows of the engine table (../core/engine.h). */
#include "methods.h"
#ifdef PREDT__CUDA
#include "../../gpu/methods/engines.h"
#endif

const predt__engine *const predt__methods[] = {
#ifdef PREDT__CUDA
    &predt__cuda_pr_edt,
    &predt__cuda_man,
    &predt__cuda_black,
    &predt__cuda_voronoi_all,
    &predt__cuda_voronoi_grow,
#endif
    &predt__breu,
    &predt__voronoi_points,
    &predt__voronoi_circles,
    &predt__voronoi_dilate,
    &predt__voronoi_cityblock,
    &predt__voronoi_octagonal,
    &predt__voronoi_chessboard,
    NULL,
};
