#include "fuzz.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal_frmts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLS 33
#define ROWS 19

void fuzz_fault(const char *what) {
    fprintf(stderr, "FAULT: %s\n", what);
    abort();
}

void fuzz_gdal(void) {
    CPLSetConfigOption("PREDT_SOURCES", "LOCAL");
    CPLSetConfigOption("GDAL_DRIVER_PATH", "disable");
    CPLSetConfigOption("CPL_VSIL_CURL_ALLOWED_FILENAME", "none");
    CPLSetErrorHandler(CPLQuietErrorHandler);
    GDALRegister_GTiff();
    GDALRegister_VRT();
    GDALRegister_MEM();
}

void fuzz_make_source(void) {
    GByte pixels[ROWS * COLS] = {0};
    for (size_t i = 5; i < sizeof pixels; i += 97) pixels[i] = (GByte)(i % 11);
    GDALDatasetH made =
        GDALCreate(GDALGetDriverByName("GTiff"), "/vsimem/in.tif", COLS, ROWS, 1, GDT_Byte, NULL);
    GDALRasterBandH band = GDALGetRasterBand(made, 1);
    double geotransform[6] = {500000, 30, 0, 4000000, 0, -30};
    GDALSetRasterNoDataValue(band, 9);
    GDALSetGeoTransform(made, geotransform);
    if (GDALRasterIO(band, GF_Write, 0, 0, COLS, ROWS, pixels, COLS, ROWS, GDT_Byte, 0, 0) !=
        CE_None)
        fuzz_fault("no source");
    GDALClose(made);
}

char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) fuzz_fault("out of memory");
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

void fuzz_read_band(GDALRasterBandH band) {
    int cols = GDALGetRasterBandXSize(band), rows = GDALGetRasterBandYSize(band), has;
    double pixels[4096];
    GDALGetRasterNoDataValue(band, &has);
    if ((int64_t)cols * rows > 4096) return;
    CPLErr whole =
        GDALRasterIO(band, GF_Read, 0, 0, cols, rows, pixels, cols, rows, GDT_Float64, 0, 0);
    CPLErr corner = GDALRasterIO(band, GF_Read, cols / 2, rows / 2, cols - cols / 2,
                                 rows - rows / 2, pixels, 2, 2, GDT_Float64, 0, 0);
    if (whole != corner) fuzz_fault("one of two reads has failed");
}
