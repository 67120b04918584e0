// Connection strings, from the first character after "PREDT:" on.
#include <cstdlib>
#include <string>

#include "driver.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *, char ***) {
    fuzz_gdal();
    FuzzRegisterDriver();
    fuzz_make_source();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::string name(reinterpret_cast<const char *>(data), size);
    FuzzOpen(("PREDT:" + name.substr(0, name.find('\0'))).c_str());
    return 0;
}
