#include "driver.h"

#include "../../gdal_driver/backend.h"
#include "fuzz.h"

static int Identify(GDALOpenInfo *info) {
    if (STARTS_WITH_CI(info->pszFilename, "PREDT:")) return TRUE;
    return EQUAL(CPLGetExtension(info->pszFilename), "predt");
}

static GDALDataset *Open(GDALOpenInfo *info) {
    return Identify(info) ? predt_gdal_open(info) : nullptr;
}

void FuzzRegisterDriver() {
    auto driver = new GDALDriver();
    driver->SetDescription("PREDT");
    driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
    driver->pfnIdentify = Identify;
    driver->pfnOpen = Open;
    GetGDALDriverManager()->RegisterDriver(driver);
}

void FuzzOpen(const char *name) {
    GDALDataset *opened = GDALDataset::Open(name, GDAL_OF_RASTER);
    if (!opened) return;
    double geotransform[6];
    GDALGetGeoTransform(GDALDataset::ToHandle(opened), geotransform);
    CSLDestroy(opened->GetFileList());
    opened->GetMetadata("SUBDATASETS");
    GDALRasterBand *band = opened->GetRasterBand(1);
    fuzz_read_band(GDALRasterBand::ToHandle(band));
    if (band->GetOverviewCount() > 0)
        fuzz_read_band(GDALRasterBand::ToHandle(band->GetOverview(0)));
    GDALClose(opened);
}
