#include "source.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <string.h>

static bool find_band(predt__source *source, int number) {
    int bands = GDALGetRasterCount(source->dataset);
    if (number < 1 || number > bands) {
        CPLError(CE_Failure, CPLE_IllegalArg, "the source has no band %d (it has %d)", number,
                 bands);
        return false;
    }
    source->band = GDALGetRasterBand(source->dataset, number);
    if (predt__kind_of_band(source->band, &source->kind)) return true;
    CPLError(CE_Failure, CPLE_NotSupported, "band %d is complex (%s): extract a real part first",
             number, GDALGetDataTypeName(GDALGetRasterDataType(source->band)));
    return false;
}

/* GDAL takes a band of alpha for a mask only where it is the second or the fourth and last one, and
 * no nodata value is there. The last one counts, as there; a band of alpha is data itself. */
static GDALRasterBandH find_alpha(const predt__source *source) {
    GDALRasterBandH alpha = NULL;
    for (int number = 1; number <= GDALGetRasterCount(source->dataset); number++) {
        GDALRasterBandH band = GDALGetRasterBand(source->dataset, number);
        if (GDALGetRasterColorInterpretation(band) != GCI_AlphaBand) continue;
        if (band == source->band) return NULL;
        alpha = band;
    }
    return alpha;
}

static bool has_fractions(GDALRasterBandH band) {
    predt__kind kind;
    return !predt__kind_of_band(band, &kind) || predt__kind_is_real(kind);
}

/* A nodata value is compared with the pixels themselves; masks and alpha have to be read beside
 * them. */
static void find_mask(predt__source *source) {
    int flags = GDALGetMaskFlags(source->band);
    source->has_nodata = predt__value_of_nodata(source->band, source->kind, &source->nodata);
    source->alpha = find_alpha(source);
    bool none =
        flags & GMF_ALL_VALID || flags == GMF_NODATA || (flags & GMF_ALPHA && source->alpha);
    source->mask = none ? NULL : GDALGetMaskBand(source->band);
    if (source->mask || !source->alpha || has_fractions(source->alpha)) return;
    source->mask = source->alpha; /* read as bytes: whole numbers beyond 255 stay 255 */
    source->alpha = NULL;
}

static bool is_masked(const predt__source *source) { return source->mask || source->alpha; }

/* 0.3 is not transparent: as a byte it would be. */
static GDALDataType alpha_type(const predt__source *source) {
    return has_fractions(source->alpha) ? GDT_Float32 : GDT_Byte;
}

bool predt__source_wrap(GDALDatasetH dataset, int band, predt__source *source) {
    *source = (predt__source){.dataset = dataset};
    if (!find_band(source, band)) return false;
    find_mask(source);
    source->width = GDALGetRasterXSize(dataset);
    source->height = GDALGetRasterYSize(dataset);
    GDALGetBlockSize(source->band, &source->block_cols, &source->block_rows);
    return true;
}

bool predt__source_open(const char *path, int band, predt__source *source) {
    *source = (predt__source){0};
    GDALDatasetH dataset =
        GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (!dataset) return false;
    bool good = predt__source_wrap(dataset, band, source);
    source->owned = true;
    return good;
}

void predt__source_close(predt__source *source) {
    if (source->owned) GDALClose(source->dataset);
    *source = (predt__source){0};
}

predt_label_type predt__source_label_type(const predt__source *source) {
    return predt__kind_size(source->kind) == 8 ? PREDT_LABEL_64 : PREDT_LABEL_32;
}

/* ---- Strips ---- */

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

int64_t predt__least_common_multiple(int64_t a, int64_t b) { return a / gcd(a, b) * b; }

int32_t predt__strip_rows(int64_t width, int64_t height, int64_t block_rows, int64_t wanted,
                          int64_t max_pixels) {
    int64_t unit =
        predt__least_common_multiple(block_rows < height ? block_rows : 1, PREDT_SUBBLOCK_ROWS);
    if (unit > max_pixels / width) unit = PREDT_SUBBLOCK_ROWS;
    int64_t rows = (wanted < max_pixels ? wanted : max_pixels) / width / unit * unit;
    if (rows < unit) rows = unit;
    return (int32_t)(rows < height ? rows : height);
}

static int alpha_bytes(const predt__source *source) {
    return source->alpha ? GDALGetDataTypeSizeBytes(alpha_type(source)) : 0;
}

int predt__strip_bytes(const predt__source *source, bool labels) {
    int size = predt__kind_size(source->kind);
    return size + 1 + is_masked(source) + alpha_bytes(source) + (labels && size < 4 ? 4 : 0);
}

static void *allocate(size_t count, int bytes, bool *good) {
    void *taken = bytes ? VSIMalloc2(count, (size_t)bytes) : NULL;
    if (bytes && !taken) *good = false;
    return taken;
}

bool predt__strip_allocate(predt__strip *strip, const predt__source *source, int64_t pixels,
                           bool labels) {
    size_t count = (size_t)pixels;
    int size = predt__kind_size(source->kind);
    bool good = true;
    *strip = (predt__strip){0};
    strip->pixels = allocate(count, size, &good);
    strip->marks = allocate(count, 1, &good);
    strip->mask = allocate(count, is_masked(source), &good);
    strip->alpha = allocate(count, alpha_bytes(source), &good);
    strip->wide = allocate(count, labels && size < 4 ? 4 : 0, &good);
    if (labels) strip->labels = size < 4 ? strip->wide : strip->pixels;
    if (good) return true;
    CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for strips of %lld pixels",
             (long long)pixels);
    return false;
}

void predt__strip_free(predt__strip *strip) {
    VSIFree(strip->pixels);
    VSIFree(strip->marks);
    VSIFree(strip->mask);
    VSIFree(strip->alpha);
    VSIFree(strip->wide);
    *strip = (predt__strip){0};
}

/* ---- Reading ---- */

static bool read_window(GDALRasterBandH band, GDALDataType type, const predt_window *window,
                        void *out) {
    int col = (int)window->col, row = (int)window->row, cols = (int)window->cols,
        rows = (int)window->rows;
    CPLErrorReset();
    if (GDALRasterIOEx(band, GF_Read, col, row, cols, rows, out, cols, rows, type, 0, 0, NULL) ==
        CE_None)
        return true;
    if (CPLGetLastErrorType() < CE_Failure)
        CPLError(CE_Failure, CPLE_FileIO, "cannot read rows from %d on", row);
    return false;
}

static size_t pixels_of(const predt_window *window) {
    return (size_t)window->rows * (size_t)window->cols;
}

/* 0 in any of a pixel's masks is 0. NaN is no opacity. */
static void cover(const predt__source *source, const predt__strip *strip, size_t count) {
    uint8_t *restrict mask = strip->mask;
    const float *restrict fractions = strip->alpha;
    const uint8_t *restrict bytes = strip->alpha;
    if (alpha_type(source) == GDT_Byte)
        for (size_t i = 0; i < count; i++) mask[i] &= (uint8_t) - (bytes[i] != 0);
    else
        for (size_t i = 0; i < count; i++) mask[i] &= (uint8_t) - (fractions[i] > 0);
}

static bool read_mask(const predt__source *source, const predt_window *window,
                      predt__strip *strip) {
    size_t count = pixels_of(window);
    if (source->mask && !read_window(source->mask, GDT_Byte, window, strip->mask)) return false;
    if (!source->alpha) return true;
    if (!source->mask) memset(strip->mask, 255, count);
    if (!read_window(source->alpha, alpha_type(source), window, strip->alpha)) return false;
    cover(source, strip, count);
    return true;
}

static bool read_pixels_and_mask(const predt__source *source, const predt_window *window,
                                 predt__strip *strip) {
    return read_window(source->band, predt__kind_type(source->kind), window, strip->pixels) &&
           read_mask(source, window, strip);
}

/* Bits, not numbers: -1 in Int16 becomes 65535 here and is narrowed back on the way out. */
static void widen(predt__kind kind, const predt__strip *strip, size_t count) {
    uint32_t *restrict wide = strip->wide;
    const uint8_t *restrict bytes = strip->pixels;
    const uint16_t *restrict shorts = strip->pixels;
    if (predt__kind_size(kind) == 1)
        for (size_t i = 0; i < count; i++) wide[i] = bytes[i];
    else
        for (size_t i = 0; i < count; i++) wide[i] = shorts[i];
}

static void unmark_masked(const uint8_t *restrict mask, size_t count, uint8_t *restrict marks) {
    for (size_t i = 0; i < count; i++) marks[i] &= (uint8_t)(mask[i] != 0);
}

bool predt__source_read(const predt__source *source, const predt__selection *selection, int64_t row,
                        int32_t rows, predt__strip *strip) {
    predt_window window = PREDT_WINDOW_INIT(0, row, source->width, rows, 1);
    size_t count = pixels_of(&window);
    if (!read_pixels_and_mask(source, &window, strip)) return false;
    if (strip->wide) widen(source->kind, strip, count);
    strip->is_target = strip->pixels;
    if (!is_masked(source) && predt__selection_is_nonzero_bytes(selection)) return true;
    predt__selection_mark(selection, strip->pixels, count, strip->marks);
    if (is_masked(source)) unmark_masked(strip->mask, count, strip->marks);
    strip->is_target = strip->marks;
    return true;
}

static void mark_nodata(const uint8_t *restrict marks, size_t count, uint8_t *restrict is_nodata) {
    for (size_t i = 0; i < count; i++) is_nodata[i] = !(is_nodata[i] | marks[i]);
}

static void add_masked(const uint8_t *restrict mask, size_t count, uint8_t *restrict is_nodata) {
    for (size_t i = 0; i < count; i++) is_nodata[i] |= mask[i] == 0;
}

/* What has data, as a selection would say it, and what is a target all the same: it was asked for
 * by name. */
bool predt__source_read_nodata(const predt__source *source, const predt__selection *selection,
                               const predt_window *window, predt__strip *strip,
                               uint8_t *is_nodata) {
    size_t count = pixels_of(window);
    predt__selection *data = predt__selection_parse(
        "notnodata", source->kind, source->has_nodata ? &source->nodata : NULL, "");
    if (!data || !read_pixels_and_mask(source, window, strip))
        return predt__selection_free(data), false;
    predt__selection_mark(data, strip->pixels, count, is_nodata);
    predt__selection_mark(selection, strip->pixels, count, strip->marks);
    predt__selection_free(data);
    mark_nodata(strip->marks, count, is_nodata);
    if (is_masked(source)) add_masked(strip->mask, count, is_nodata);
    return true;
}
