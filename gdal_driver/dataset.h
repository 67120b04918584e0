// A PREDT dataset: one band whose pixels are worked out when they are asked for.
#ifndef PREDT_DATASET_H
#define PREDT_DATASET_H

#include <memory>
#include <string>
#include <vector>

#include "compat.h"
#include "lazy/lazy.h"
#include "name.h"

namespace predt {

struct CloseLazy {
    void operator()(predt__lazy *lazy) const { predt__lazy_close(lazy); }
};
typedef std::unique_ptr<predt__lazy, CloseLazy> Lazy;

// Nothing is kept beside the source: GDALDataset itself, unlike GDALPamDataset, writes no .aux.xml
// file.
class Dataset final : public GDALDataset {
  public:
    // nullptr, with a CPLError, where the name or the options make no sense, or the source cannot
    // be opened.
    static GDALDataset *Open(GDALOpenInfo *info);

    CPLErr GetGeoTransform(PREDT_GEOTRANSFORM_ARGUMENT) PREDT_GEOTRANSFORM_CONST override;
    const OGRSpatialReference *GetSpatialRef() const override;
    int GetGCPCount() override;
    const OGRSpatialReference *GetGCPSpatialRef() const override;
    const GDAL_GCP *GetGCPs() override;
    char **GetFileList() override;

    predt__lazy *GetLazy() const { return m_lazy.get(); }

  private:
    Dataset(Lazy lazy, const Name &name, const char *text);

    GDALDataset *Source() const {
        return GDALDataset::FromHandle(predt__lazy_source(m_lazy.get()));
    }
    void ListSubdatasets(const Name &name);
    bool MakeBand();

    Lazy m_lazy;
    std::string m_file; // a .predt file, or empty
};

// The band, or one of its overviews: every n-th row and column, each worked out for itself.
class Band final : public GDALRasterBand {
  public:
    Band(Dataset *dataset, int width, int height);

    void AddOverviews();

    CPLErr IReadBlock(int block_col, int block_row, void *pixels) override;
    CPLErr IRasterIO(GDALRWFlag flag, int col, int row, int cols, int rows, void *buffer,
                     int buffer_cols, int buffer_rows, GDALDataType buffer_type,
                     GSpacing pixel_space, GSpacing line_space,
                     GDALRasterIOExtraArg *extra) override;

    double GetNoDataValue(int *has) override;
    int64_t GetNoDataValueAsInt64(int *has) override;
    uint64_t GetNoDataValueAsUInt64(int *has) override;
    const char *GetUnitType() override;
    double GetScale(int *has) override;
    double GetOffset(int *has) override;
    GDALColorInterp GetColorInterpretation() override;
    GDALColorTable *GetColorTable() override;
    char **GetCategoryNames() override;
    GDALRasterAttributeTable *GetDefaultRAT() override;
    int GetOverviewCount() override;
    GDALRasterBand *GetOverview(int level) override;

  private:
    struct Buffer // what RasterIO fills
    {
        GByte *bytes;
        int cols, rows;
        GDALDataType type;
        GSpacing pixel_space, line_space;
    };

    predt__lazy *Lazy() const { return static_cast<Dataset *>(poDS)->GetLazy(); }
    GDALRasterBand *ClassesOf() const; // nullptr unless the pixels are the source's values
    bool NoData(predt__value &value);
    int BlocksAtOnce() const;
    CPLErr ReadColumns(int block_col, int block_row, void *pixels);
    CPLErr Keep(int block_col, int block_row, const void *pixels);
    CPLErr Read(const std::vector<int32_t> &rows, const std::vector<int32_t> &cols, void *out,
                int64_t pitch);

    CPLErr ReadReduced(const std::vector<int32_t> &at_rows, const std::vector<int32_t> &at_cols,
                       const Buffer &to, GDALRasterIOExtraArg *extra);

    std::vector<std::unique_ptr<Band>> m_overviews;
};

} // namespace predt

#endif
