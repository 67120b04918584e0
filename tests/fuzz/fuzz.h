/* What the fuzzers share. A fuzzer is LLVMFuzzerTestOneInput; it aborts where something is wrong.
 * libFuzzer calls it, or replay.c, which only reads the files of a corpus. */
#ifndef FUZZ_H
#define FUZZ_H

#include <gdal.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* GDAL with few drivers (GTiff, VRT, MEM), quiet, and without a way to other machines. */
void fuzz_gdal(void);

/* /vsimem/in.tif: 33 x 19 pixels of Byte, few of them not 0, nodata 9. */
void fuzz_make_source(void);

/* A text that ends with 0; free it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Reads the band: all of it, a window, and a view of few pixels. */
void fuzz_read_band(GDALRasterBandH band);

/* Says what is wrong and aborts. */
void fuzz_fault(const char *what);

#ifdef __cplusplus
}
#endif

#endif
