// Opening a PREDT dataset: access, name, options, source; and what the dataset takes over from its
// source.
#include "dataset.h"

#include "backend.h"
#include "driver_options.h"
#include "guard.h"
#include "sources.h"

namespace predt {

namespace {

// How deeply sources may be nested; deeper nesting is taken for a file that names itself.
const int MAX_DEPTH = 16;
thread_local int depth = 0;

struct Deeper {
    Deeper() { depth++; }
    ~Deeper() { depth--; }
};

bool CheckAccess(const GDALOpenInfo *info) {
    if (info->eAccess == GA_ReadOnly) return true;
    CPLError(CE_Failure, CPLE_NotSupported, "PREDT datasets are read-only");
    return false;
}

// Open options win over what the name or the file says. GDAL itself handles OVERVIEW_LEVEL.
bool AddOpenOptions(const GDALOpenInfo *info, CPLStringList &options) {
    for (int i = 0; info->papszOpenOptions && info->papszOpenOptions[i]; i++) {
        char *name = nullptr;
        const char *value = CPLParseNameValue(info->papszOpenOptions[i], &name);
        const std::string key = name ? name : info->papszOpenOptions[i];
        CPLFree(name);
        if (!EQUAL(key.c_str(), "OVERVIEW_LEVEL") && !SetOption(options, key, value ? value : ""))
            return false;
    }
    return true;
}

void Log(const char *line, void *) { CPLDebug("PREDT", "%s", line); }

int CPL_STDCALL DebugProgress(double complete, const char *, void *) {
    CPLDebug("PREDT", "index: %d %%", static_cast<int>(complete * 100 / PREDT__INDEX_SHARE));
    return TRUE;
}

// The word before the first ':' of a path if it may be a mistyped product, which was taken for the
// start of the path; else empty.
std::string MistypedProduct(const Name &name) {
    const size_t colon = name.source.find(':');
    const std::string word = name.source.substr(0, colon);
    if (colon == std::string::npos || colon < 2 || word.find('/') != std::string::npos) return "";
    if (EQUAL(word.c_str(), "PREDT")) return "";
    return !name.is_file && !name.options.FetchNameValue("PRODUCT") ? word : "";
}

// Opens the source. If that fails and the name may begin with a mistyped product, the message says
// so.
predt__lazy *OpenLazy(const Name &name, const predt__job &job, predt__product product) {
    const std::string word = MistypedProduct(name);
    if (word.empty()) return predt__lazy_open(&job, product);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    predt__lazy *lazy = predt__lazy_open(&job, product);
    CPLPopErrorHandler();
    const std::string message = CPLGetLastErrorMsg();
    if (!lazy)
        CPLError(CE_Failure, CPLE_OpenFailed,
                 "%s ('%s' is no product: distance, allocation or direction)", message.c_str(),
                 word.c_str());
    return lazy;
}

} // namespace

// ---- Opening ----

GDALDataset *Dataset::Open(GDALOpenInfo *info) {
    Name name;
    Arguments arguments;
    predt__job &job = arguments.job;
    const Deeper deeper;
    if (depth > MAX_DEPTH) {
        CPLError(CE_Failure, CPLE_AppDefined,
                 "sources are nested too deeply: is one made from itself?");
        return nullptr;
    }
    job.machine.log = Log;
    job.progress = DebugProgress;
    if (!CheckAccess(info) || !ReadName(info->pszFilename, name) ||
        !AddOpenOptions(info, name.options) || !ReadOptions(name.options, arguments) ||
        !SourcesAllowed(name, info->pszFilename))
        return nullptr;
    job.request.source = name.source.c_str();
    Lazy lazy(OpenLazy(name, job, arguments.product));
    if (!lazy) return nullptr;
    std::unique_ptr<Dataset> dataset(new Dataset(std::move(lazy), name, info->pszFilename));
    return dataset->MakeBand() ? dataset.release() : nullptr;
}

Dataset::Dataset(Lazy lazy, const Name &name, const char *text)
    : m_lazy(std::move(lazy)), m_file(name.is_file ? text : "") {
    nRasterXSize = Source()->GetRasterXSize();
    nRasterYSize = Source()->GetRasterYSize();
    const char *area_or_point = Source()->GetMetadataItem(GDALMD_AREA_OR_POINT);
    if (area_or_point) GDALDataset::SetMetadataItem(GDALMD_AREA_OR_POINT, area_or_point);
    if (!name.options.FetchNameValue("PRODUCT")) ListSubdatasets(name);
}

// The dataset owns the band once SetBand has found memory for it.
bool Dataset::MakeBand() {
    std::unique_ptr<Band> band(new Band(this, nRasterXSize, nRasterYSize));
    band->AddOverviews();
    SetBand(1, band.get());
    if (nBands == 1) band.release();
    return nBands == 1;
}

// Only where no product was chosen: the dataset shows distances, and says what else there is.
void Dataset::ListSubdatasets(const Name &name) {
    CPLStringList list;
    for (int i = 0; i < PREDT__PRODUCTS; i++) {
        CPLStringList options(name.options);
        options.SetNameValue("PRODUCT", predt__product_name(static_cast<predt__product>(i)));
        const std::string connection = "PREDT:" + name.source + "?" + AsQuery(options);
        list.SetNameValue(CPLSPrintf("SUBDATASET_%d_NAME", i + 1), connection.c_str());
        list.SetNameValue(CPLSPrintf("SUBDATASET_%d_DESC", i + 1),
                          predt__product_description(static_cast<predt__product>(i)));
    }
    GDALDataset::SetMetadata(list.List(), "SUBDATASETS");
}

// ---- What is the source's ----

CPLErr Dataset::GetGeoTransform(PREDT_GEOTRANSFORM_ARGUMENT) PREDT_GEOTRANSFORM_CONST {
    return Source()->GetGeoTransform(geotransform);
}

const OGRSpatialReference *Dataset::GetSpatialRef() const { return Source()->GetSpatialRef(); }
int Dataset::GetGCPCount() { return Source()->GetGCPCount(); }
const OGRSpatialReference *Dataset::GetGCPSpatialRef() const {
    return Source()->GetGCPSpatialRef();
}
const GDAL_GCP *Dataset::GetGCPs() { return Source()->GetGCPs(); }

char **Dataset::GetFileList() {
    return Guard(static_cast<char **>(nullptr), [&] {
        CPLStringList files(Source()->GetFileList());
        if (!m_file.empty()) files.InsertString(0, m_file.c_str());
        return files.StealList();
    });
}

} // namespace predt

// ---- What gdal_PREDT.so calls ----

GDALDataset *predt_gdal_open(GDALOpenInfo *info) {
    return predt::Guard(static_cast<GDALDataset *>(nullptr),
                        [&] { return predt::Dataset::Open(info); });
}

void predt_gdal_forget() { predt__lazy_forget(); }
