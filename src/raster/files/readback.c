#include "readback.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

#include "../geotransform.h"

/* ---- Samples ---- */

/* Where in its row a sample begins: spread, and the same in every run. */
static int64_t sample_col(const predt__samples *samples, int64_t row) {
    return (int64_t)((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> 33) % samples->width;
}

/* The row of the n-th sample: the first row, the last one, and those between in equal steps. */
static int64_t sample_row(const predt__samples *samples, int number) {
    return (samples->height - 1) * number / (PREDT__SAMPLES - 1);
}

/* Its buffer may be had or not: that is one sample less. */
static void place_sample(predt__samples *samples, int number) {
    predt__sample *sample = &samples->list[number];
    sample->row = sample_row(samples, number);
    sample->col = sample_col(samples, sample->row);
    int64_t rest = samples->width - sample->col;
    sample->count = (int32_t)(rest < PREDT__SAMPLE_PIXELS ? rest : PREDT__SAMPLE_PIXELS);
    if (!sample->pixels)
        sample->pixels = VSICalloc((size_t)sample->count, (size_t)predt__kind_size(samples->kind));
}

static void take_part(const predt__sample *sample, const predt_window *window, const char *pixels,
                      int64_t size) {
    int64_t begin = sample->col > window->col ? sample->col : window->col,
            end = sample->col + sample->count, window_end = window->col + window->cols;
    if (end > window_end) end = window_end;
    if (begin >= end || !sample->pixels) return;
    const char *row = pixels + (sample->row - window->row) * window->cols * size;
    memcpy((char *)sample->pixels + (begin - sample->col) * size,
           row + (begin - window->col) * size, (size_t)((end - begin) * size));
}

void predt__samples_see(predt__samples *samples, const predt_window *window, const void *pixels) {
    for (int i = 0; i < PREDT__SAMPLES; i++) {
        int64_t row = sample_row(samples, i);
        if (row < window->row || row >= window->row + window->rows) continue;
        if (!samples->list[i].pixels) place_sample(samples, i);
        take_part(&samples->list[i], window, pixels, predt__kind_size(samples->kind));
    }
}

void predt__samples_free(predt__samples *samples) {
    for (int i = 0; i < PREDT__SAMPLES; i++) VSIFree(samples->list[i].pixels);
    *samples = (predt__samples){0};
}

/* ---- Pixels ---- */

/* Digits that formats of text write at least. */
#define CLOSE 1e-5

static double number_at(predt__kind kind, const void *pixels, int64_t i) {
    switch (kind) {
    case PREDT__U8:
        return ((const uint8_t *)pixels)[i];
    case PREDT__I8:
        return ((const int8_t *)pixels)[i];
    case PREDT__U16:
        return ((const uint16_t *)pixels)[i];
    case PREDT__I16:
        return ((const int16_t *)pixels)[i];
    case PREDT__U32:
        return ((const uint32_t *)pixels)[i];
    case PREDT__I32:
        return ((const int32_t *)pixels)[i];
    case PREDT__U64:
        return (double)((const uint64_t *)pixels)[i];
    case PREDT__I64:
        return (double)((const int64_t *)pixels)[i];
    case PREDT__F32:
        return (double)((const float *)pixels)[i];
    case PREDT__F64:
        return ((const double *)pixels)[i];
    }
    return 0;
}

static void compare_one(double meant, double read, predt__difference *d) {
    /* NaN is NaN, whatever its bits */
    if (meant == read || (meant != meant && read != read)) return;
    double by = fabs(meant - read);
    d->different++;
    if (!(by <= CLOSE * fmax(fabs(meant), fabs(read)))) d->close = false;
    if (by > d->largest) d->largest = by;
}

/* Where whole numbers are held as real ones, their fractions count, which reading them as whole
 * numbers would round away. */
static predt__kind kind_to_read(GDALRasterBandH band, predt__kind kind) {
    predt__kind made;
    bool real = predt__kind_of_band(band, &made) && predt__kind_is_real(made);
    return real && !predt__kind_is_real(kind) && predt__kind_size(kind) < 8 ? PREDT__F64 : kind;
}

static void compare(predt__kind kind, const void *meant, predt__kind as, const void *read,
                    int64_t count, predt__difference *d) {
    size_t size = (size_t)predt__kind_size(kind);
    d->pixels += count;
    if (as == kind && memcmp(meant, read, (size_t)count * size) == 0) return;
    for (int64_t i = 0; i < count; i++) {
        const char *a = (const char *)meant + (size_t)i * size,
                   *b = (const char *)read + i * predt__kind_size(as);
        if (as == kind && memcmp(a, b, size) == 0) continue;
        int64_t before = d->different;
        compare_one(number_at(kind, a, 0), number_at(as, b, 0), d);
        bool whole = as == kind && !predt__kind_is_real(kind);
        if (d->different == before && whole) d->different++, d->close = false; /* beyond 2^53 */
    }
}

static bool read_piece(GDALRasterBandH band, predt__kind kind, int64_t col, int64_t row, int cols,
                       int rows, void *out) {
    CPLErrorReset();
    if (GDALRasterIOEx(band, GF_Read, (int)col, (int)row, cols, rows, out, cols, rows,
                       predt__kind_type(kind), 0, 0, NULL) == CE_None)
        return true;
    if (CPLGetLastErrorType() < CE_Failure)
        CPLError(CE_Failure, CPLE_FileIO, "what was written cannot be read");
    return false;
}

static const predt__difference none_yet = {.close = true};

bool predt__compare_samples(const predt__samples *samples, GDALRasterBandH band,
                            predt__difference *difference) {
    void *read = VSIMalloc(PREDT__SAMPLE_PIXELS * 8);
    predt__kind as = kind_to_read(band, samples->kind);
    bool good = read != NULL;
    *difference = none_yet;
    for (int i = 0; i < PREDT__SAMPLES && good; i++) {
        const predt__sample *s = &samples->list[i];
        if (!s->pixels) continue;
        good = read_piece(band, as, s->col, s->row, s->count, 1, read);
        if (good) compare(samples->kind, s->pixels, as, read, s->count, difference);
    }
    VSIFree(read);
    return good;
}

/* Rows read at once: some megabytes, and whole blocks of usual sizes. */
static int rows_at_once(int width, int height, int size) {
    int64_t rows = (INT64_C(8) << 20) / ((int64_t)width * size) / 32 * 32;
    return (int)(rows < 1 ? 1 : rows > height ? height : rows);
}

bool predt__compare_bands(GDALRasterBandH meant, GDALRasterBandH band, predt__kind kind,
                          predt__difference *difference) {
    int width = GDALGetRasterBandXSize(meant), height = GDALGetRasterBandYSize(meant),
        size = predt__kind_size(kind);
    int rows = rows_at_once(width, height, size);
    predt__kind as = kind_to_read(band, kind);
    void *a = VSIMalloc3((size_t)rows, (size_t)width, (size_t)size);
    void *b = VSIMalloc3((size_t)rows, (size_t)width, (size_t)predt__kind_size(as));
    bool good = a && b;
    *difference = none_yet;
    for (int row = 0; row < height && good; row += rows) {
        int some = height - row < rows ? height - row : rows;
        good = read_piece(meant, kind, 0, row, width, some, a) &&
               read_piece(band, as, 0, row, width, some, b);
        if (good) compare(kind, a, as, b, (int64_t)some * width, difference);
    }
    VSIFree(a);
    VSIFree(b);
    return good;
}

static const char *block_item(GDALRasterBandH band, const char *what, int col, int row) {
    char item[64];
    snprintf(item, sizeof item, "BLOCK_%s_%d_%d", what, col, row);
    return GDALGetMetadataItem(band, item, "TIFF");
}

/* A raster that lies in one piece without compression is shown by GDAL as blocks of one row. */
static bool is_one_piece(GDALRasterBandH band, int block_rows) {
    const char *size = block_item(band, "SIZE", 0, 0);
    double bytes = (double)GDALGetRasterBandXSize(band) * GDALGetRasterBandYSize(band) *
                   GDALGetDataTypeSizeBytes(GDALGetRasterDataType(band));
    return block_rows == 1 && size && CPLAtof(size) >= bytes;
}

bool predt__has_all_blocks(GDALRasterBandH band) {
    int cols, rows, width = GDALGetRasterBandXSize(band), height = GDALGetRasterBandYSize(band);
    GDALGetBlockSize(band, &cols, &rows);
    if (is_one_piece(band, rows)) return true;
    for (int row = 0; row < (height - 1) / rows + 1; row++)
        for (int col = 0; col < (width - 1) / cols + 1; col++)
            if (!block_item(band, "OFFSET", col, row)) return false;
    return true;
}

/* ---- Grids ---- */

/* A hundredth of a pixel over the whole raster is more than formats of text lose, and less than
 * anybody means. */
static bool same_numbers(const double *a, const double *b, double width, double height) {
    double pixel = fmax(hypot(b[1], b[4]), hypot(b[2], b[5]));
    double corners[3][2] = {{0, 0}, {width, 0}, {0, height}};
    for (int i = 0; i < 3; i++) {
        double x = corners[i][0], y = corners[i][1];
        double east = a[0] - b[0] + (a[1] - b[1]) * x + (a[2] - b[2]) * y;
        double north = a[3] - b[3] + (a[4] - b[4]) * x + (a[5] - b[5]) * y;
        if (!(hypot(east, north) <= 0.01 * pixel)) return false;
    }
    return true;
}

static char *grid_text(bool has, const double *g) {
    char text[256];
    if (!has) return CPLStrdup("none");
    CPLsnprintf(text, sizeof text, "(%.15g, %.15g, %.15g, %.15g, %.15g, %.15g)", g[0], g[1], g[2],
                g[3], g[4], g[5]);
    return CPLStrdup(text);
}

bool predt__same_geotransform(GDALDatasetH a, GDALDatasetH b, char **why) {
    double first[6], second[6];
    bool has_first = predt__geotransform(a, first), has_second = predt__geotransform(b, second);
    *why = NULL;
    if (has_first == has_second &&
        (!has_first || same_numbers(first, second, GDALGetRasterXSize(b), GDALGetRasterYSize(b))))
        return true;
    char *mine = grid_text(has_first, first), *other = grid_text(has_second, second);
    *why = CPLStrdup(CPLSPrintf("its geotransform is %s, that of the source %s", mine, other));
    CPLFree(mine);
    CPLFree(other);
    return false;
}

static char *crs_text(OGRSpatialReferenceH crs) {
    const char *authority = crs ? OSRGetAuthorityName(crs, NULL) : NULL,
               *code = crs ? OSRGetAuthorityCode(crs, NULL) : NULL;
    const char *name = crs ? OSRGetName(crs) : "none";
    if (authority && code) return CPLStrdup(CPLSPrintf("%s:%s", authority, code));
    return CPLStrdup(CPLSPrintf("%.80s", name ? name : "one without a name"));
}

bool predt__same_crs(GDALDatasetH a, GDALDatasetH b, char **why) {
    static const char *const criteria[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                           "IGNORE_COORDINATE_EPOCH=YES",
                                           "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", NULL};
    OGRSpatialReferenceH first = GDALGetSpatialRef(a), second = GDALGetSpatialRef(b);
    *why = NULL;
    if (!first == !second && (!first || OSRIsSameEx(first, second, criteria))) return true;
    char *mine = crs_text(first), *other = crs_text(second);
    *why = CPLStrdup(CPLSPrintf("its CRS is %s, that of the source %s", mine, other));
    CPLFree(mine);
    CPLFree(other);
    return false;
}
