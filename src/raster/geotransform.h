/* Where the pixels of a dataset lie in its CRS. */
#ifndef PREDT__GEOTRANSFORM_H
#define PREDT__GEOTRANSFORM_H

#include <gdal.h>
#include <stdbool.h>

/* The dataset's geotransform; false where it has none. Ground control points go before an identity,
 * which some formats write where they have no geotransform. Without one, the numbers are those of
 * north-up pixels of one unit. */
bool predt__geotransform(GDALDatasetH dataset, double geotransform[6]);

#endif
