#include "geotransform.h"

#include <string.h>

bool predt__geotransform(GDALDatasetH dataset, double geotransform[6]) {
    static const double identity[6] = {0, 1, 0, 0, 0, 1}, north_up[6] = {0, 1, 0, 0, 0, -1};
    if (GDALGetGeoTransform(dataset, geotransform) == CE_None &&
        !(GDALGetGCPCount(dataset) > 0 && memcmp(geotransform, identity, sizeof identity) == 0))
        return true;
    memcpy(geotransform, north_up, sizeof north_up);
    return false;
}
