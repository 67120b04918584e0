/* predt_draw PATTERN SIDE FILE: a pattern of patterns.h as a raw file of bytes with an ENVI header
 * beside it, for any size that fits the memory. Targets carry 1 to 250, as the allocation's
 * values. */
#include <stdio.h>

#include "patterns.h"

static int fail(const char *what) {
    fprintf(stderr, "predt_draw: %s\n", what);
    return 1;
}

static void number_targets(uint8_t *raster, int64_t count) {
    int64_t before = 0;
    for (int64_t i = 0; i < count; i++)
        if (raster[i]) raster[i] = (uint8_t)(1 + before++ % 250);
}

static bool write_header(const char *file, long long n) {
    char name[4096];
    snprintf(name, sizeof name, "%s.hdr", file);
    FILE *header = fopen(name, "w");
    if (!header) return false;
    fprintf(header,
            "ENVI\nsamples = %lld\nlines = %lld\nbands = 1\ndata type = 1\ninterleave = bsq\nbyte "
            "order = 0\n",
            n, n);
    return fclose(header) == 0;
}

static bool write_raster(const char *file, const uint8_t *raster, size_t bytes) {
    FILE *out = fopen(file, "wb");
    bool good = out && fwrite(raster, 1, bytes, out) == bytes;
    return out && fclose(out) == 0 && good;
}

int main(int argc, char **argv) {
    if (argc != 4) return fail("usage: predt_draw PATTERN SIDE FILE");
    int64_t n = atoll(argv[2]);
    if (n < 1 || n > 200000) return fail("a side is 1 to 200000 pixels");
    uint8_t *raster = malloc((size_t)(n * n));
    if (!raster) return fail("out of memory");
    if (!pattern_fill(argv[1], raster, n)) return fail("no such pattern");
    number_targets(raster, n * n);
    if (!write_raster(argv[3], raster, (size_t)(n * n)) || !write_header(argv[3], n))
        return fail("cannot write");
    free(raster);
    return 0;
}
