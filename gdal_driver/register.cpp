// gdal_PREDT.so: GDAL loads it into every program at start-up, so it registers and does nothing
// else. It needs no library but GDAL itself; predt_gdal.so, which brings libpredt and perhaps CUDA,
// is loaded when the first PREDT dataset is opened.
#include "backend.h"
#include "guard.h"
#include "options_xml.h"

#include <atomic>
#include <cctype>
#include <cstring>
#include <dlfcn.h>
#include <memory>

#if PREDT_HAS_ALGORITHMS
#include <gdalalgorithm.h>
#endif

namespace {

const char *const PREFIX = "PREDT:";
const char *const EXTENSION = ".predt";

// ---- The rest of the driver ----

std::atomic<void *> loaded{nullptr}; // never unloaded: datasets may outlive the driver

void *Load(const char *name) {
    // The run path of this file says where: beside it in a build tree, in lib/predt when installed.
    if (void *library = dlopen("predt_gdal.so", RTLD_NOW | RTLD_LOCAL)) {
        loaded = library; // the same handle whichever thread comes first
        if (void *symbol = dlsym(library, name)) return symbol;
    }
    CPLError(CE_Failure, CPLE_AppDefined, "PREDT: the driver is not complete: %s", dlerror());
    return nullptr;
}

// ---- Which names are ours ----

bool HasExtension(const char *name) {
    const size_t length = strlen(name), size = strlen(EXTENSION);
    return length > size && EQUAL(name + length - size, EXTENSION);
}

bool StartsWithBrace(const GDALOpenInfo *info) {
    const char *text = reinterpret_cast<const char *>(info->pabyHeader);
    // as editors of Windows begin a text in UTF-8
    int at = text && STARTS_WITH(text, "\xEF\xBB\xBF") ? 3 : 0;
    while (at < info->nHeaderBytes && isspace(static_cast<unsigned char>(text[at]))) at++;
    return at < info->nHeaderBytes && text[at] == '{';
}

int Identify(GDALOpenInfo *info) {
    if (STARTS_WITH_CI(info->pszFilename, PREFIX)) return TRUE;
    return HasExtension(info->pszFilename) && StartsWithBrace(info);
}

GDALDataset *Open(GDALOpenInfo *info) {
    if (!Identify(info)) return nullptr;
    void *open = Load("predt_gdal_open");
    // which throws nothing
    return open ? reinterpret_cast<predt_open_function *>(open)(info) : nullptr;
}

// ---- Files: GDAL's own ways would reach for the source, which is in the list of files ----

CPLErr Delete(const char *name) {
    if (!STARTS_WITH_CI(name, PREFIX) && HasExtension(name))
        return VSIUnlink(name) == 0 ? CE_None : CE_Failure;
    CPLError(CE_Failure, CPLE_NotSupported,
             "%s is worked out from its source, which stays: there is nothing to delete", name);
    return CE_Failure;
}

CPLErr Move(const char *, const char *name) {
    CPLError(CE_Failure, CPLE_NotSupported,
             "%s: PREDT datasets are neither renamed nor copied by GDAL", name);
    return CE_Failure;
}

void Unload(GDALDriver *) {
    void *library = loaded, *forget = library ? dlsym(library, "predt_gdal_forget") : nullptr;
    if (forget) reinterpret_cast<predt_forget_function *>(forget)();
}

#if PREDT_HAS_ALGORITHMS
std::unique_ptr<GDALAlgorithm> MakeAlgorithm() {
    void *make = Load("predt_gdal_algorithm");
    return std::unique_ptr<GDALAlgorithm>(
        make ? static_cast<GDALAlgorithm *>(reinterpret_cast<predt_algorithm_function *>(make)())
             : nullptr);
}
#endif

std::unique_ptr<GDALDriver> MakeDriver() {
    std::unique_ptr<GDALDriver> driver(new GDALDriver());
    driver->SetDescription("PREDT");
    driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
    driver->SetMetadataItem(GDAL_DCAP_VIRTUALIO, "YES");
    driver->SetMetadataItem(GDAL_DMD_LONGNAME,
                            "Exact distance, nearest target and direction of a raster");
    driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, PREFIX);
    driver->SetMetadataItem(GDAL_DMD_EXTENSION, EXTENSION + 1);
    driver->SetMetadataItem(GDAL_DMD_EXTENSIONS, EXTENSION + 1);
    driver->SetMetadataItem(GDAL_DMD_SUBDATASETS, "YES");
    driver->SetMetadataItem(GDAL_DMD_OPENOPTIONLIST, PREDT_OPTIONS_XML);
    driver->pfnIdentify = Identify;
    driver->pfnOpen = Open;
    driver->pfnDelete = Delete;
    driver->pfnRename = Move;
    driver->pfnCopyFiles = Move;
    driver->pfnUnloadDriver = Unload;
    return driver;
}

bool Register() {
    std::unique_ptr<GDALDriver> driver = MakeDriver();
    GetGDALDriverManager()->RegisterDriver(driver.get());
    driver.release();
#if PREDT_HAS_ALGORITHMS
    GDALGlobalAlgorithmRegistry::GetSingleton().DeclareAlgorithm({"raster", "predt"},
                                                                 MakeAlgorithm);
#endif
    return true;
}

} // namespace

// In every program that uses GDAL: a failure leaves it as it would be without the plug-in.
extern "C" void CPL_DLL GDALRegister_PREDT() {
    if (!GDAL_CHECK_VERSION("PREDT") || GDALGetDriverByName("PREDT")) return;
    predt::Guard(false, Register);
}
