// The band of a PREDT dataset: blocks of whole rows, reduced reads and overviews that work out only
// the pixels they show, and what the pixels mean.
#include "dataset.h"

#include "guard.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace predt {

namespace {

// A block is whole rows, because an index answers those fastest, and has about this many pixels, so
// that several threads have work. On a globe it answers columns fastest, as high as the raster.
const int64_t BLOCK_PIXELS = 1 << 21;
const int MAX_BLOCK_ROWS = 512;
const int GLOBE_BLOCK = 512; // columns and rows

// An overview's rows lie apart in the raster, so that larger blocks make them hardly cheaper.
const int OVERVIEW_BLOCK_ROWS = 64;

// Of the block cache, for blocks that nobody has asked for yet.
const int CACHE_SHARE = 2;

// Reads that have to convert pixels or leave gaps between them do this many at a time.
const int64_t BUFFER_PIXELS = 1 << 22;

// A raster that a screen shows at once needs no overview.
const int MIN_OVERVIEW = 256;

int BlockRows(int width) {
    const int64_t rows = BLOCK_PIXELS / width;
    if (rows < PREDT_SUBBLOCK_ROWS) return std::max<int>(1, static_cast<int>(rows));
    return std::min<int>(MAX_BLOCK_ROWS,
                         static_cast<int>(rows / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS));
}

// The pixels of `count` from a raster of `size` that is shown with `shown` pixels: those at the
// centres of the shown ones, as nearest sampling takes them.
std::vector<int32_t> Centres(int size, int shown, int first, int count) {
    std::vector<int32_t> centres;
    for (int i = 0; i < count; i++)
        centres.push_back(static_cast<int32_t>((2 * static_cast<int64_t>(first + i) + 1) * size /
                                               (2 * static_cast<int64_t>(shown))));
    return centres;
}

// The same for a window that may begin and end within pixels. GDAL adds EPSILON before it rounds
// down, and so must this.
const double EPSILON = 1e-10;

std::vector<int32_t> Centres(double offset, double size, int shown, int limit) {
    std::vector<int32_t> centres;
    for (int i = 0; i < shown; i++) {
        const double centre = offset + (i + 0.5) * (size / shown) + EPSILON;
        centres.push_back(static_cast<int32_t>(std::min(std::max(centre, 0.0), limit - 1.0)));
    }
    return centres;
}

} // namespace

Band::Band(Dataset *dataset, int width, int height) {
    poDS = dataset;
    nBand = 1;
    nRasterXSize = width;
    nRasterYSize = height;
    eAccess = GA_ReadOnly;
    const predt__kind kind = predt__lazy_kind(Lazy());
    eDataType = predt__kind_type(kind);
    nBlockXSize = width;
    const bool whole = width == dataset->GetRasterXSize() && height == dataset->GetRasterYSize();
    nBlockYSize = std::min(
        height, whole ? BlockRows(width) : std::min(OVERVIEW_BLOCK_ROWS, BlockRows(width)));
    if (predt__lazy_by_columns(Lazy())) {
        nBlockXSize = std::min(width, GLOBE_BLOCK);
        nBlockYSize = std::min(height, GLOBE_BLOCK);
    }
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
    if (kind == PREDT__I8)
        GDALRasterBand::SetMetadataItem("PIXELTYPE", "SIGNEDBYTE", "IMAGE_STRUCTURE");
#endif
    GDALRasterBand::SetDescription(predt__lazy_description(Lazy()));
}

// ---- Pixels ----

CPLErr Band::Read(const std::vector<int32_t> &rows, const std::vector<int32_t> &cols, void *out,
                  int64_t pitch) {
    const predt__lattice lattice = {rows.data(), cols.data(), static_cast<int32_t>(rows.size()),
                                    static_cast<int32_t>(cols.size())};
    return predt__lazy_read(Lazy(), &lattice, out, pitch) ? CE_None : CE_Failure;
}

// Block rows of a column of blocks that are worked out together, while all columns of them can be
// kept: a reader that goes row by row finds the rest.
int Band::BlocksAtOnce() const {
    const int64_t size = GDALGetDataTypeSizeBytes(eDataType),
                  block_row_bytes = size * nBlockYSize * nRasterXSize,
                  block_bytes = size * nBlockYSize * nBlockXSize;
    const int64_t memory = predt__lazy_memory(Lazy());
    const int64_t kept = std::min<int64_t>(GDALGetCacheMax64(), memory) / CACHE_SHARE;
    const int64_t blocks = std::min(kept / block_row_bytes, memory / 16 / block_bytes);
    return static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(blocks, INT_MAX)));
}

CPLErr Band::Keep(int block_col, int block_row, const void *pixels) {
    GDALRasterBlock *block = TryGetLockedBlockRef(block_col, block_row);
    if (!block) {
        block = GetLockedBlockRef(block_col, block_row, TRUE);
        if (!block) return CE_Failure;
        memcpy(block->GetDataRef(), pixels, static_cast<size_t>(block->GetBlockSize()));
    }
    block->DropLock();
    return CE_None;
}

CPLErr Band::ReadColumns(int block_col, int block_row, void *pixels) {
    const int at_once = BlocksAtOnce(), first = block_row / at_once * at_once;
    const int col = block_col * nBlockXSize, row = first * nBlockYSize;
    const int cols = std::min(nBlockXSize, nRasterXSize - col);
    const int rows = static_cast<int>(
        std::min<int64_t>(static_cast<int64_t>(at_once) * nBlockYSize, nRasterYSize - row));
    const int blocks = (rows + nBlockYSize - 1) / nBlockYSize;
    const size_t pitch =
        static_cast<size_t>(nBlockXSize) * static_cast<size_t>(GDALGetDataTypeSizeBytes(eDataType));
    const size_t block_bytes = pitch * static_cast<size_t>(nBlockYSize);
    std::vector<GByte> all(block_bytes * static_cast<size_t>(blocks));
    if (Read(Centres(poDS->GetRasterYSize(), nRasterYSize, row, rows),
             Centres(poDS->GetRasterXSize(), nRasterXSize, col, cols), all.data(),
             static_cast<int64_t>(pitch)) != CE_None)
        return CE_Failure;
    for (int i = 0; i < blocks; i++) {
        const GByte *block = all.data() + static_cast<size_t>(i) * block_bytes;
        if (first + i == block_row) memcpy(pixels, block, block_bytes);
        else if (Keep(block_col, first + i, block) != CE_None) return CE_Failure;
    }
    return CE_None;
}

CPLErr Band::IReadBlock(int block_col, int block_row, void *pixels) {
    return Guard(CE_Failure, [&] {
        if (predt__lazy_by_columns(Lazy())) return ReadColumns(block_col, block_row, pixels);
        const int row = block_row * nBlockYSize, rows = std::min(nBlockYSize, nRasterYSize - row);
        const int64_t pitch =
            static_cast<int64_t>(nBlockXSize) * GDALGetDataTypeSizeBytes(eDataType);
        return Read(Centres(poDS->GetRasterYSize(), nRasterYSize, row, rows),
                    Centres(poDS->GetRasterXSize(), nRasterXSize, 0, nRasterXSize), pixels, pitch);
    });
}

// A reduced read by nearest sampling works out only the sampled rows, at any scale. GDAL answers
// every other read, from blocks or from a suitable overview.
CPLErr Band::IRasterIO(GDALRWFlag flag, int col, int row, int cols, int rows, void *buffer,
                       int buffer_cols, int buffer_rows, GDALDataType buffer_type,
                       GSpacing pixel_space, GSpacing line_space, GDALRasterIOExtraArg *extra) {
    const bool whole =
        nRasterXSize == poDS->GetRasterXSize() && nRasterYSize == poDS->GetRasterYSize();
    const bool reduced = buffer_cols < cols || buffer_rows < rows;
    const bool exact = extra->bFloatingPointWindowValidity;
    return Guard(CE_Failure, [&] {
        if (flag != GF_Read || !whole || !reduced || extra->eResampleAlg != GRIORA_NearestNeighbour)
            return GDALRasterBand::IRasterIO(flag, col, row, cols, rows, buffer, buffer_cols,
                                             buffer_rows, buffer_type, pixel_space, line_space,
                                             extra);
        const Buffer to = {static_cast<GByte *>(buffer),
                           buffer_cols,
                           buffer_rows,
                           buffer_type,
                           pixel_space,
                           line_space};
        return ReadReduced(Centres(exact ? extra->dfYOff : row, exact ? extra->dfYSize : rows,
                                   buffer_rows, nRasterYSize),
                           Centres(exact ? extra->dfXOff : col, exact ? extra->dfXSize : cols,
                                   buffer_cols, nRasterXSize),
                           to, extra);
    });
}

CPLErr Band::ReadReduced(const std::vector<int32_t> &at_rows, const std::vector<int32_t> &at_cols,
                         const Buffer &to, GDALRasterIOExtraArg *extra) {
    const int size = GDALGetDataTypeSizeBytes(eDataType);
    const int step = static_cast<int>(std::max<int64_t>(1, BUFFER_PIXELS / to.cols));
    const size_t row_bytes = static_cast<size_t>(to.cols) * static_cast<size_t>(size);
    std::vector<GByte> pixels(static_cast<size_t>(std::min(step, to.rows)) * row_bytes);
    for (int done = 0; done < to.rows; done += step) {
        const int some = std::min(step, to.rows - done);
        const std::vector<int32_t> part(at_rows.begin() + done, at_rows.begin() + done + some);
        if (Read(part, at_cols, pixels.data(), static_cast<int64_t>(row_bytes)) != CE_None)
            return CE_Failure;
        for (int i = 0; i < some; i++)
            GDALCopyWords64(pixels.data() + static_cast<size_t>(i) * row_bytes, eDataType, size,
                            to.bytes + (done + i) * to.line_space, to.type,
                            static_cast<int>(to.pixel_space), to.cols);
        const double complete = 1.0 * (done + some) / to.rows;
        if (extra->pfnProgress && !extra->pfnProgress(complete, "", extra->pProgressData))
            return CE_Failure;
    }
    return CE_None;
}

// ---- Overviews ----

// Each half as large as the one before, as GDAL builds them. They cost nothing until they are read.
void Band::AddOverviews() {
    for (int64_t factor = 2;; factor *= 2) {
        const int width = static_cast<int>((nRasterXSize + factor - 1) / factor);
        const int height = static_cast<int>((nRasterYSize + factor - 1) / factor);
        if (std::max(2 * static_cast<int64_t>(width), 2 * static_cast<int64_t>(height)) <=
            MIN_OVERVIEW)
            return;
        m_overviews.emplace_back(new Band(static_cast<Dataset *>(poDS), width, height));
    }
}

int Band::GetOverviewCount() { return static_cast<int>(m_overviews.size()); }

GDALRasterBand *Band::GetOverview(int level) {
    return level >= 0 && level < GetOverviewCount() ? m_overviews[static_cast<size_t>(level)].get()
                                                    : nullptr;
}

// ---- What pixels mean ----

bool Band::NoData(predt__value &value) {
    return Guard(false, [&] { return predt__lazy_nodata(Lazy(), &value); });
}

double Band::GetNoDataValue(int *has) {
    predt__value value = {};
    const predt__kind kind = predt__lazy_kind(Lazy());
    const bool known = NoData(value);
    if (has) *has = known;
    if (!known) return 0;
    if (predt__kind_is_real(kind)) return value.f;
    return predt__kind_is_signed(kind) ? GDALGetNoDataValueCastToDouble(value.i)
                                       : GDALGetNoDataValueCastToDouble(value.u);
}

int64_t Band::GetNoDataValueAsInt64(int *has) {
    predt__value value = {};
    const bool known = eDataType == GDT_Int64 && NoData(value);
    if (has) *has = known;
    return known ? value.i : 0;
}

uint64_t Band::GetNoDataValueAsUInt64(int *has) {
    predt__value value = {};
    const bool known = eDataType == GDT_UInt64 && NoData(value);
    if (has) *has = known;
    return known ? value.u : 0;
}

const char *Band::GetUnitType() { return predt__lazy_unit(Lazy()); }

GDALRasterBand *Band::ClassesOf() const {
    return predt__lazy_product(Lazy()) == PREDT__ALLOCATION
               ? GDALRasterBand::FromHandle(predt__lazy_source_band(Lazy()))
               : nullptr;
}

// All of what the source's values mean: a scale without its offset, or a unit without both, would
// change their meaning.
double Band::GetScale(int *has) {
    return ClassesOf() ? ClassesOf()->GetScale(has) : GDALRasterBand::GetScale(has);
}
double Band::GetOffset(int *has) {
    return ClassesOf() ? ClassesOf()->GetOffset(has) : GDALRasterBand::GetOffset(has);
}

GDALColorInterp Band::GetColorInterpretation() {
    return GetColorTable() ? GCI_PaletteIndex : GCI_GrayIndex;
}
GDALColorTable *Band::GetColorTable() {
    return ClassesOf() ? ClassesOf()->GetColorTable() : nullptr;
}
char **Band::GetCategoryNames() { return ClassesOf() ? ClassesOf()->GetCategoryNames() : nullptr; }
GDALRasterAttributeTable *Band::GetDefaultRAT() {
    return ClassesOf() ? ClassesOf()->GetDefaultRAT() : nullptr;
}

} // namespace predt
