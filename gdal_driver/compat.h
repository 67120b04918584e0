// What changed between GDAL 3.6 and the newest, in one place.
#ifndef PREDT_COMPAT_H
#define PREDT_COMPAT_H

#include <gdal_priv.h>

// From 3.12 on a geotransform is a class, and asking for it changes nothing.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
#define PREDT_GEOTRANSFORM_ARGUMENT GDALGeoTransform &geotransform
#define PREDT_GEOTRANSFORM_CONST const
#else
#define PREDT_GEOTRANSFORM_ARGUMENT double *geotransform
#define PREDT_GEOTRANSFORM_CONST
#endif

// From 3.13 on lists of strings that are only read are const.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
typedef CSLConstList predt_metadata;
#else
typedef char **predt_metadata;
#endif

// From 3.11 on commands can be added to `gdal`.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 11, 0)
#define PREDT_HAS_ALGORITHMS 1
#else
#define PREDT_HAS_ALGORITHMS 0
#endif

#endif
