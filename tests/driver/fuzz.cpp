// Mutated names and .predt files through the real driver, under AddressSanitizer: whatever comes,
// GDAL says yes or no, and what opens can be read. The same seed gives the same run.
//
//     driver_fuzz [rounds [seed]]
#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gdal_priv.h>
#include <random>
#include <string>
#include <vector>

static std::mt19937_64 random_bits;

static size_t Below(size_t limit) { return limit ? random_bits() % limit : 0; }

template <class T> static const T &OneOf(const std::vector<T> &list) {
    return list[Below(list.size())];
}

// ---- What mutations start from ----

static const std::vector<std::string> STRINGS = {
    "PREDT:distance:/vsimem/in.tif",
    "PREDT:allocation:/vsimem/in.tif",
    "PREDT:direction:/vsimem/in.tif",
    "PREDT:/vsimem/in.tif",
    "PREDT:/vsimem/in.tif?product=allocation&values=1,3:200&maxdist=12.5",
    "PREDT:/vsimem/in.tif?ot=Int16&nodata=-1&distunits=GEO&mindist=2&fixed_buf_val=7",
    "PREDT:/vsimem/"
    "in.tif?band=1&use_input_nodata=YES&engine=cpu&threads=2&memory=64M&device=0&gpu_memory=1G",
    "PREDT:distance:PREDT:/vsimem/in.tif?maxdist=4&fixedvalue=1&nodata=0&ot=Byte",
    "PREDT:distance:/vsimem/a.predt",
};

static const std::vector<std::string> FILES = {
    "{\"source\": \"in.tif\"}",
    "{\"source\": \"/vsimem/in.tif\", \"product\": \"allocation\", \"values\": [1, \"3:200\", "
    "7.5], \"maxdist\": 12.5}",
    "{\"source\": \"in.tif\", \"ot\": \"UInt16\", \"nodata\": 65535, \"use_input_nodata\": true, "
    "\"distunits\": \"KM\"}",
    "{\"source\": \"PREDT:allocation:/vsimem/in.tif\", \"product\": \"direction\", \"threads\": "
    "\"ALL_CPUS\"}",
    "{\"source\": \"a.predt\", \"min-dist\": 1e300, \"fixed-buf-val\": -0}",
};

static const std::vector<std::string> WORDS = {"PREDT:",
                                               "distance:",
                                               "allocation:",
                                               "direction:",
                                               "?",
                                               "&",
                                               "=",
                                               "%",
                                               "%2",
                                               "%00",
                                               "%3A",
                                               "values=",
                                               "notnodata",
                                               "maxdist=",
                                               "nan",
                                               "inf",
                                               "-1",
                                               "1e999",
                                               "18446744073709551616",
                                               "0x10",
                                               "ot=",
                                               "Byte",
                                               "Float64",
                                               "Int8",
                                               "band=",
                                               "2147483648",
                                               "\"",
                                               "\\",
                                               "{",
                                               "}",
                                               "[",
                                               "]",
                                               ",",
                                               ":",
                                               "null",
                                               "true",
                                               "\\u0000",
                                               "\"source\"",
                                               "\xff\xfe",
                                               "..",
                                               "/",
                                               "/vsimem/",
                                               "b.vrt",
                                               "a.predt"};

static std::string Mutate(std::string text) {
    for (size_t times = 1 + Below(4); times > 0; times--) {
        const size_t at = Below(text.size() + 1);
        switch (Below(6)) {
        case 0:
            if (at < text.size()) text[at] = static_cast<char>(Below(256));
            break;
        case 1:
            text.erase(at, Below(8));
            break;
        case 2:
            text.insert(at, OneOf(WORDS));
            break;
        case 3:
            text.insert(at, text.substr(Below(text.size() + 1), Below(20)));
            break;
        case 4:
            text.insert(at, std::string(Below(300), static_cast<char>(' ' + Below(90))));
            break;
        default:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << Below(8)));
        }
    }
    return text;
}

// What is right in form, with options and values that go together or do not.
static const std::vector<std::string> NAMES = {
    "product", "band",  "values",           "distunits",     "maxdist", "mindist",
    "nodata",  "ot",    "use_input_nodata", "fixed_buf_val", "engine",  "threads",
    "memory",  "device"};

static const std::vector<std::string> VALUES = {
    "distance",      "allocation", "direction", "1",         "0",        "-1",  "2.5",  "1e300",
    "nan",           "inf",        "1:9",       "notnodata", "YES",      "no",  "Byte", "Int8",
    "UInt64",        "Float64",    "cpu",       "auto",      "ALL_CPUS", "64M", "GEO",  "pixel",
    "9,9:9,-inf:inf"};

static std::string MakeQuery() {
    std::string text = "/vsimem/in.tif?product=" + VALUES[Below(3)];
    for (size_t times = Below(4); times > 0; times--)
        text += "&" + OneOf(NAMES) + "=" + OneOf(VALUES);
    return text;
}

static std::string MakeJson() {
    std::string text = "{\"source\": \"in.tif\"";
    for (size_t times = Below(4); times > 0; times--)
        text += ", \"" + OneOf(NAMES) + "\": \"" + OneOf(VALUES) + "\"";
    return text + "}";
}

// ---- What is tried on them ----

static void MakeSource() {
    GDALDataset *made = GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        "/vsimem/in.tif", 700, 331, 1, GDT_Byte, nullptr);
    std::vector<GByte> pixels(700 * 331);
    for (GByte &pixel : pixels) pixel = Below(500) ? 0 : static_cast<GByte>(Below(256));
    GDALRasterBand *band = made->GetRasterBand(1);
    band->SetNoDataValue(9);
    if (band->RasterIO(GF_Write, 0, 0, 700, 331, pixels.data(), 700, 331, GDT_Byte, 0, 0,
                       nullptr) != CE_None)
        abort();
    GDALClose(made);
}

static void Read(GDALRasterBand *band) {
    const int width = band->GetXSize(), height = band->GetYSize();
    const auto below = [](int count) {
        return static_cast<int>(Below(static_cast<size_t>(count)));
    };
    if (static_cast<int64_t>(width) * height > 10000000) return;
    const int col = below(width), row = below(height);
    const int cols = 1 + below(width - col), rows = 1 + below(height - row);
    const int wide = 1 + below(cols), high = 1 + below(rows);
    std::vector<double> pixels(static_cast<size_t>(wide) * static_cast<size_t>(high));
    CPL_IGNORE_RET_VAL(band->RasterIO(GF_Read, col, row, cols, rows, pixels.data(), wide, high,
                                      GDT_Float64, 0, 0, nullptr));
}

// True if it opened.
static bool Try(const char *name, bool with_options) {
    char **options = with_options ? CSLAddString(nullptr, OneOf(WORDS).c_str()) : nullptr;
    GDALIdentifyDriver(name, nullptr);
    GDALDataset *opened = GDALDataset::Open(name, GDAL_OF_RASTER, nullptr, options);
    CSLDestroy(options);
    if (!opened) return false;
    double geotransform[6];
    GDALRasterBand *band = opened->GetRasterBand(1);
    GDALGetGeoTransform(GDALDataset::ToHandle(opened), geotransform);
    if (band) {
        band->GetNoDataValue();
        for (int i = 0; i < 3; i++) Read(band);
        if (band->GetOverviewCount() > 0)
            Read(band->GetOverview(
                static_cast<int>(Below(static_cast<size_t>(band->GetOverviewCount())))));
        Read(band->GetMaskBand());
    }
    CSLDestroy(opened->GetFileList());
    GDALClose(opened);
    return true;
}

static void WriteFile(const char *name, const std::string &text) {
    VSILFILE *file = VSIFOpenL(name, "wb");
    if (!file || VSIFWriteL(text.data(), 1, text.size(), file) != text.size()) abort();
    VSIFCloseL(file);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 2000;
    random_bits.seed(argc > 2 ? strtoull(argv[2], nullptr, 10) : 1);
    GDALAllRegister();
    if (!GetGDALDriverManager()->GetDriverByName("PREDT"))
        return puts("the PREDT driver is not there"), 1;
    CPLSetErrorHandler(CPLQuietErrorHandler);
    MakeSource();
    WriteFile("/vsimem/a.predt", FILES[0]);
    int opened = 0;
    for (const std::string &name : STRINGS) {
        if (!Try(name.c_str(), false)) return printf("%s does not open\n", name.c_str()), 1;
    }
    for (int i = 0; i < rounds; i++) {
        const bool made = Below(2);
        opened +=
            Try(("PREDT:" + (made ? MakeQuery() : Mutate(OneOf(STRINGS).substr(Below(3) ? 6 : 0))))
                    .c_str(),
                !Below(4));
        WriteFile("/vsimem/mutated.predt", made ? MakeJson() : Mutate(OneOf(FILES)));
        opened += Try("/vsimem/mutated.predt", !Below(4));
    }
    printf("%d rounds, %d of %d datasets opened\n", rounds, opened, 2 * rounds);
    VSIRmdirRecursive("/vsimem/");
    GDALDestroyDriverManager();
    return opened > rounds / 10
               ? 0
               : (puts("hardly any dataset opened: the mutations are too wild"), 1);
}
