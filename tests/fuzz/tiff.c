/* A TIFF as the source, whatever its bytes: what opens and can be read gives the answers of brute
 * force. */
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lazy/lazy.h"
#include "options.h"
#include "source.h"

#define PATH "/vsimem/fuzz.tif"
#define MOST_PIXELS 2048

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    fuzz_gdal();
    return 0;
}

typedef struct raster {
    int cols, rows;
    predt_label_type label_type;
    uint8_t is_target[MOST_PIXELS];
    uint64_t labels[MOST_PIXELS];
} raster;

static bool read_source(const predt__source *source, raster *r) {
    predt__strip strip;
    predt__selection *selection =
        predt__selection_parse(NULL, source->kind, source->has_nodata ? &source->nodata : NULL, "");
    bool good = predt__strip_allocate(&strip, source, r->rows * source->width, true) &&
                predt__source_read(source, selection, 0, r->rows, &strip);
    r->label_type = predt__source_label_type(source);
    for (int i = 0; good && i < r->cols * r->rows; i++) {
        r->is_target[i] = strip.is_target[i] != 0;
        r->labels[i] = r->label_type == PREDT_LABEL_64 ? ((const uint64_t *)strip.labels)[i]
                                                       : ((const uint32_t *)strip.labels)[i];
    }
    predt__strip_free(&strip);
    predt__selection_free(selection);
    return good;
}

/* Marks by a reading that owes nothing to the selection, where it is plain. */
static void check_marks(const predt__source *source, const raster *r) {
    uint8_t pixels[MOST_PIXELS];
    if (source->kind != PREDT__U8 || source->has_nodata || source->mask) return;
    if (GDALRasterIO(source->band, GF_Read, 0, 0, r->cols, r->rows, pixels, r->cols, r->rows,
                     GDT_Byte, 0, 0) != CE_None)
        return;
    for (int i = 0; i < r->cols * r->rows; i++)
        if (r->is_target[i] != (pixels[i] != 0)) fuzz_fault("a byte is marked wrongly");
}

/* The smallest squared distance; the target is the first in the order that the library promises for
 * ties by its label only where one value is as near: here any of the nearest is right. */
static int64_t nearest(const raster *r, int at) {
    int64_t best = INT64_MAX;
    for (int i = 0; i < r->cols * r->rows; i++) {
        int64_t dx = i % r->cols - at % r->cols, dy = i / r->cols - at / r->cols;
        if (r->is_target[i] && dx * dx + dy * dy < best) best = dx * dx + dy * dy;
    }
    return best;
}

static bool is_nearest_label(const raster *r, int at, int64_t d2, uint64_t label) {
    for (int i = 0; i < r->cols * r->rows; i++) {
        int64_t dx = i % r->cols - at % r->cols, dy = i / r->cols - at / r->cols;
        if (r->is_target[i] && dx * dx + dy * dy == d2 && r->labels[i] == label) return true;
    }
    return false;
}

/* Every row and column. */
static bool read_answers(predt__product product, const raster *r, void *out, int *size) {
    predt__job job = predt__default_arguments().job;
    int32_t rows[MOST_PIXELS], cols[MOST_PIXELS];
    job.request.source = PATH;
    job.machine.threads = 1;
    job.machine.memory = 32 << 20;
    predt__lazy *lazy = predt__lazy_open(&job, product);
    if (!lazy) return false;
    for (int i = 0; i < r->rows; i++) rows[i] = i;
    for (int i = 0; i < r->cols; i++) cols[i] = i;
    *size = predt__kind_size(predt__lazy_kind(lazy));
    predt__lattice lattice = {rows, cols, r->rows, r->cols};
    bool good = predt__lazy_read(lazy, &lattice, out, (int64_t)r->cols * *size);
    predt__lazy_close(lazy);
    return good;
}

static void check_distance(const raster *r) {
    float distance[MOST_PIXELS];
    int size;
    if (!read_answers(PREDT__DISTANCE, r, distance, &size))
        fuzz_fault("no distances of a source that can be read");
    for (int i = 0; i < r->cols * r->rows; i++) {
        int64_t d2 = nearest(r, i);
        if (d2 == INT64_MAX ? !isnan(distance[i]) : distance[i] != (float)sqrt((double)d2))
            fuzz_fault("a distance is wrong");
    }
}

static void check_allocation(const raster *r) {
    char values[8 * MOST_PIXELS];
    int size;
    if (!read_answers(PREDT__ALLOCATION, r, values, &size))
        fuzz_fault("no allocation of a source that can be read");
    for (int i = 0; i < r->cols * r->rows; i++) {
        int64_t d2 = nearest(r, i);
        uint64_t label = 0;
        memcpy(&label, values + i * size, (size_t)size);
        if (d2 != INT64_MAX && !is_nearest_label(r, i, d2, label))
            fuzz_fault("an allocation is wrong");
    }
}

static void check(predt__source *source) {
    static raster r;
    if (source->width * source->height > MOST_PIXELS) return;
    r.cols = (int)source->width;
    r.rows = (int)source->height;
    if (!read_source(source, &r)) return;
    check_marks(source, &r);
    check_distance(&r);
    check_allocation(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    predt__source source;
    if (size > 65536) return 0;
    VSIFCloseL(VSIFileFromMemBuffer(PATH, (GByte *)(uintptr_t)data, size, FALSE));
    if (predt__source_open(PATH, 1, &source)) check(&source);
    predt__source_close(&source);
    VSIUnlink(PATH);
    return 0;
}
