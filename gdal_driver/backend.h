// What gdal_PREDT.so calls in predt_gdal.so: found by name when the first dataset is opened.
#ifndef PREDT_BACKEND_H
#define PREDT_BACKEND_H

#include "compat.h"

extern "C" {

typedef GDALDataset *predt_open_function(GDALOpenInfo *info);
typedef void predt_forget_function();
typedef void *predt_algorithm_function(); // a new GDALAlgorithm

// Opens what Identify has accepted.
CPL_DLL predt_open_function predt_gdal_open;

// Frees the indexes that no dataset uses.
CPL_DLL predt_forget_function predt_gdal_forget;

#if PREDT_HAS_ALGORITHMS
CPL_DLL predt_algorithm_function predt_gdal_algorithm;
#endif
}

#endif
