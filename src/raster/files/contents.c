#include "contents.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_api.h>
#include <stdbool.h>
#include <string.h>

static char *named(char *text, const char *name, int number) {
    if (number > 4) return text;
    char *longer =
        CPLStrdup(CPLSPrintf("%s%s%.100s", text, *text ? ", " : "", number == 4 ? "..." : name));
    CPLFree(text);
    return longer;
}

static char *list_subdatasets(GDALDatasetH dataset, char *text, int *count) {
    char **list = GDALGetMetadata(dataset, "SUBDATASETS");
    for (int i = 0; list && list[i]; i += 2)
        text = named(text, strchr(list[i], '=') + 1, (*count)++);
    return text;
}

static char *list_layers(const char *path, char *text, int *count) {
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    for (int i = 0; dataset && i < GDALDatasetGetLayerCount(dataset); i++)
        text = named(text, OGR_L_GetName(GDALDatasetGetLayer(dataset, i)), (*count)++);
    if (dataset) GDALClose(dataset);
    return text;
}

bool predt__has_table(const char *path, const char *table) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    char *name = CPLStrdup(CPLSPrintf("GPKG:%s:%s", path, table));
    GDALDatasetH raster = GDALOpenEx(name, GDAL_OF_RASTER, NULL, NULL, NULL),
                 layers = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    bool found = raster || (layers && GDALDatasetGetLayerByName(layers, table));
    if (raster) GDALClose(raster);
    if (layers) GDALClose(layers);
    CPLFree(name);
    CPLPopErrorHandler();
    return found;
}

char *predt__other_contents(const char *path) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    char *text = CPLStrdup("");
    int rasters = 0, layers = 0;
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER, NULL, NULL, NULL);
    if (dataset) {
        text = list_subdatasets(dataset, text, &rasters);
        rasters += GDALGetRasterCount(dataset) > 0 && rasters == 0;
        GDALClose(dataset);
    }
    text = list_layers(path, text, &layers);
    CPLPopErrorHandler();
    if (layers > 0 || rasters > 1) return text;
    CPLFree(text);
    return NULL;
}
