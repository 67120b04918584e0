// .predt files.
#include <cpl_vsi.h>

#include "driver.h"
#include "fuzz.h"

static const char *const NAME = "/vsimem/fuzz.predt";

int LLVMFuzzerInitialize(int *, char ***) {
    fuzz_gdal();
    FuzzRegisterDriver();
    fuzz_make_source();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    VSIFCloseL(VSIFileFromMemBuffer(NAME, const_cast<GByte *>(data), size, FALSE));
    FuzzOpen(NAME);
    VSIUnlink(NAME);
    return 0;
}
