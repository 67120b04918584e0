#include "creation_options.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <string.h>

#include "formats.h"

static void set_default(char ***options, const char *name, const char *value) {
    if (!CSLFetchNameValue(*options, name)) *options = CSLSetNameValue(*options, name, value);
}

/* GDAL's own choices here lose values, or do where a tile is full. */
static const struct {
    const char *driver, *option, *value;
} lossless[] = {
    {"GPKG", "TILE_FORMAT", "PNG"},       {"MBTiles", "TILE_FORMAT", "PNG"},
    {"KMLSUPEROVERLAY", "FORMAT", "PNG"}, {"WEBP", "LOSSLESS", "YES"},
    {"JP2OpenJPEG", "QUALITY", "100"},    {"JP2OpenJPEG", "REVERSIBLE", "YES"},
    {"JPEGXL", "LOSSLESS", "YES"},        {"PDF", "COMPRESS", "DEFLATE"},
    {"HEIF", "LOSSLESS", "YES"},          {"AVIF", "QUALITY", "100"},
    {"MRF", "COMPRESS", "DEFLATE"},
};

static void set_lossless(GDALDriverH driver, predt__kind kind, char ***options) {
    for (size_t i = 0; i < sizeof lossless / sizeof lossless[0]; i++) {
        bool tiles = EQUAL(lossless[i].option, "TILE_FORMAT");
        if (predt__format_is(driver, lossless[i].driver) && (!tiles || predt__kind_size(kind) == 1))
            set_default(options, lossless[i].option, lossless[i].value);
    }
}

/* Whether an option takes that word; one that lists no words takes any. */
static bool takes(const CPLXMLNode *option, const char *word) {
    bool lists = false;
    for (CPLXMLNode *value = option->psChild; value; value = value->psNext) {
        if (value->eType != CXT_Element || !EQUAL(value->pszValue, "Value")) continue;
        if (EQUAL(CPLGetXMLValue(value, NULL, ""), word)) return true;
        lists = true;
    }
    return !lists;
}

/* Every option of the format that says how overviews or tiles are resampled. */
static void take_nearest(GDALDriverH driver, char ***options) {
    const char *text = GDALGetMetadataItem(driver, GDAL_DMD_CREATIONOPTIONLIST, NULL);
    CPLXMLNode *tree = text ? CPLParseXMLString(text) : NULL;
    bool all_said = CSLFetchNameValue(*options, "RESAMPLING") != NULL;
    for (CPLXMLNode *node = tree ? tree->psChild : NULL; node; node = node->psNext) {
        const char *name = node->eType == CXT_Element ? CPLGetXMLValue(node, "name", "") : "";
        size_t length = strlen(name), size = strlen("RESAMPLING");
        if (length >= size && EQUAL(name + length - size, "RESAMPLING") && !all_said &&
            takes(node, "NEAREST"))
            set_default(options, name, "NEAREST");
    }
    CPLDestroyXMLNode(tree);
}

static bool is_true(char **options, const char *name) {
    return CSLTestBoolean(CSLFetchNameValueDef(options, name, "NO"));
}

/* Whether an option makes values come back changed. */
static bool loses(char **options, const char *name, const char *value) {
    static const char *const always[] = {"NBITS", "DISCARD_LSB", NULL};
    static const char *const error[] = {"MAX_Z_ERROR", "MAX_Z_ERROR_OVERVIEW", "Z_ERROR",
                                        "JXL_DISTANCE", NULL};
    static const char *const methods[] = {"COMPRESS", "COMPRESSION", "TILE_FORMAT", "FORMAT", NULL};
    static const char *const truths[] = {"LOSSLESS", "WEBP_LOSSLESS", "JXL_LOSSLESS", "REVERSIBLE",
                                         NULL};
    static const char *const lossy[] = {"JPEG", "YCbCr JPEG", "PNG_JPEG", "JPEG_PNG",
                                        "AUTO", "PNG8",       "JPEG2000", NULL};
    if (predt__is_one_of(name, always)) return true;
    if (predt__is_one_of(name, error)) return CPLAtof(value) > 0;
    if (predt__is_one_of(name, truths)) return !CSLTestBoolean(value);
    if (!predt__is_one_of(name, methods)) return false;
    return predt__is_one_of(value, lossy) ||
           (EQUAL(value, "WEBP") && !is_true(options, "WEBP_LOSSLESS"));
}

static char **without_loss(char **options, const char *driver) {
    char **kept = NULL;
    for (char **option = options; option && *option; option++) {
        char *name = NULL;
        const char *value = CPLParseNameValue(*option, &name);
        if (name && value && loses(options, name, value))
            CPLError(CE_Warning, CPLE_AppDefined,
                     "%s is not used for allocations and directions: it would change values (%s)",
                     *option, driver);
        else kept = CSLAddString(kept, *option);
        CPLFree(name);
    }
    CSLDestroy(options);
    return kept;
}

#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
void predt__say_signed(char ***options, predt__kind kind) {
    if (kind == PREDT__I8) set_default(options, "PIXELTYPE", "SIGNEDBYTE");
}
#else
void predt__say_signed(char ***options, predt__kind kind) { (void)options, (void)kind; }
#endif

static void set_tiff_options(char ***options, predt__kind kind, int threads) {
    set_default(options, "NUM_THREADS", threads ? CPLSPrintf("%d", threads) : "ALL_CPUS");
    set_default(options, "BIGTIFF", "IF_SAFER");
    /* 3 is for real numbers only */
    const char *predictor = CSLFetchNameValue(*options, "PREDICTOR");
    if (predictor && EQUAL(predictor, "3") && !predt__kind_is_real(kind))
        *options = CSLSetNameValue(*options, "PREDICTOR", "2");
}

char **predt__format_options(GDALDriverH driver, char **options, predt__kind kind, bool categories,
                             int threads) {
    char **used = CSLDuplicate(options);
    bool tiff = predt__format_is(driver, "GTiff"), cog = predt__format_is(driver, "COG");
    if (categories) used = without_loss(used, GDALGetDriverShortName(driver));
    if (categories) take_nearest(driver, &used);
    set_lossless(driver, kind, &used);
    if (tiff || cog) set_tiff_options(&used, kind, threads);
    if (tiff || predt__format_is(driver, "HFA") || predt__format_is(driver, "RRASTER"))
        predt__say_signed(&used, kind);
    return used;
}

char **predt__raw_options(predt__kind kind) {
    char **options = CSLSetNameValue(NULL, "BIGTIFF", "IF_SAFER");
    options = CSLSetNameValue(options, "TILED", "YES");
    predt__say_signed(&options, kind);
    return options;
}

bool predt__format_is_lossy(GDALDriverH driver, char **options, predt__kind kind) {
    static const char *const pictures[] = {"JPEG", "KMLSUPEROVERLAY", "PDF", NULL}; /* of bytes */
    static const char *const names[] = {"BLX", "HF2", NULL};
    if (predt__is_one_of(GDALGetDriverShortName(driver), pictures)) return kind == PREDT__U8;
    if (predt__is_one_of(GDALGetDriverShortName(driver), names)) return true;
    bool lossy = false;
    for (char **option = options; option && *option && !lossy; option++) {
        char *name = NULL;
        const char *value = CPLParseNameValue(*option, &name);
        lossy = name && value && loses(options, name, value);
        CPLFree(name);
    }
    return lossy;
}

bool predt__dataset_is_lossy(GDALDatasetH dataset) {
    const char *method = GDALGetMetadataItem(dataset, "COMPRESSION", "IMAGE_STRUCTURE");
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    const char *bits = band ? GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE") : NULL;
    return bits || (method && (strstr(method, "JPEG") || strstr(method, "WEBP") ||
                               strstr(method, "LERC") || strstr(method, "JXL")));
}
