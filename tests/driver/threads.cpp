// Many threads open, read and close PREDT datasets at once, under ThreadSanitizer: the first
// opening of each is the one that loads the driver's second half, and all of them share indexes.
// Prints what went wrong.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <gdal_priv.h>
#include <string>
#include <thread>
#include <vector>

static const int THREADS = 8, ROUNDS = 12, COLS = 230, ROWS = 170;
static const char *const FILE_NAME = "threads.tif";
static std::atomic<int> waiting{THREADS}, failures{0};

static void MakeSource() {
    GDALDataset *made = GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        FILE_NAME, COLS, ROWS, 1, GDT_Byte, nullptr);
    std::vector<GByte> pixels(COLS * ROWS);
    for (size_t i = 0; i < pixels.size(); i += 1009) pixels[i] = static_cast<GByte>(1 + i % 200);
    if (!made || made->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, COLS, ROWS, pixels.data(), COLS,
                                                  ROWS, GDT_Byte, 0, 0, nullptr))
        abort();
    GDALClose(made);
}

static bool ReadOne(int round) {
    static const char *const products[] = {"distance", "allocation", "direction"};
    const std::string name = std::string("PREDT:") + FILE_NAME + "?product=" + products[round % 3] +
                             "&threads=2&maxdist=" + std::to_string(20 + round / 3);
    GDALDataset *opened = GDALDataset::Open(name.c_str(), GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR);
    if (!opened) return false;
    GDALRasterBand *band = opened->GetRasterBand(1);
    std::vector<float> pixels(100 * 60);
    band->GetNoDataValue();
    const bool good = band->RasterIO(GF_Read, round, 40, 200, 120, pixels.data(), 100, 60,
                                     GDT_Float32, 0, 0, nullptr) == CE_None &&
                      band->RasterIO(GF_Read, 3, round, 100, 60, pixels.data(), 100, 60,
                                     GDT_Float32, 0, 0, nullptr) == CE_None;
    CSLDestroy(opened->GetFileList());
    GDALClose(opened);
    return good;
}

static void Work(int number) {
    waiting--;
    while (waiting > 0) std::this_thread::yield(); // the first opening is everybody's at once
    for (int round = 0; round < ROUNDS; round++)
        if (!ReadOne((round + number / 2) % ROUNDS)) failures++;
}

int main() {
    GDALAllRegister();
    MakeSource();
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++) threads.emplace_back(Work, i);
    for (std::thread &thread : threads) thread.join();
    VSIUnlink(FILE_NAME);
    GDALDestroyDriverManager();
    if (failures)
        printf("%d of %d datasets could not be opened or read\n", failures.load(),
               THREADS * ROUNDS);
    return failures ? 1 : 0;
}
