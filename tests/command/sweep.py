"""Every raster format that this GDAL can write: pixels, CRS, georeference and nodata are right, or what is not is told in
words, or the format is refused in one line. With --write the table of docs/formats.md is made from what is found."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from osgeo import gdal, osr
from raster_case import COMMAND, brute_force, crs

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "formats.md")
ROWS, COLS, REACH = 32, 40, 12
TRANSFORM = (500000.0, 30.0, 0.0, 5400000.0, 0.0, -30.0)

# What is asked for, by the heading of its column.
PRODUCTS = {"Float32": [], "UInt16": ["-ot", "UInt16"], "Byte": ["-ot", "Byte"], "allocation of Byte": ["-allocation"]}


def writable():
    """(short name, long name, extension) of each driver that a raster can be written with."""
    for i in range(gdal.GetDriverCount()):
        driver = gdal.GetDriver(i)
        has = driver.GetMetadata()
        makes = has.get("DCAP_CREATE") == "YES" or has.get("DCAP_CREATECOPY") == "YES"
        if has.get("DCAP_RASTER") == "YES" and makes and driver.ShortName not in ("VRT", "MEM"):
            yield driver.ShortName, driver.LongName, (has.get("DMD_EXTENSIONS", "").split() or ["dat"])[0]


def make_source(path):
    pixels = np.zeros((ROWS, COLS), np.uint8)
    pixels[5, 7], pixels[20, 30] = 3, 9
    made = gdal.GetDriverByName("GTiff").Create(path, COLS, ROWS, 1, gdal.GDT_Byte)
    made.SetGeoTransform(TRANSFORM)
    made.SetProjection(crs(32633))
    made.GetRasterBand(1).WriteArray(pixels)
    return pixels


class Run:
    """One format and product: the command's exit and its words; then, on the main thread, as HDF5 likes it, what is wrong with
    what it wrote."""

    def __init__(self, folder, pixels, name, extension, product):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.pixels, self.product = pixels, product
        self.out = out = os.path.join(self.folder, "o." + extension)
        source = os.path.join(folder, "in.tif")
        options = PRODUCTS[product]
        outputs = [*options, out, source] if options == ["-allocation"] else [*options, source, out]
        ran = subprocess.run([COMMAND, "-q", "-of", name, "-maxdist", str(REACH), *outputs], capture_output=True, text=True,
                             timeout=120)
        self.code, self.told = ran.returncode, ran.stderr

    def judge(self):
        self.left = sorted(os.listdir(self.folder))
        self.wrong = self.look(self.out, self.pixels, self.product) if self.code == 0 else []
        self.marked = [file for file in self.files() if b".predt-" in self.bytes(file) or b"vsipredt" in self.bytes(file)]
        shutil.rmtree(self.folder)
        return self

    def files(self):
        return [os.path.join(at, name) for at, _, names in os.walk(self.folder) for name in names]

    def bytes(self, path):
        with open(path, "rb") as file:
            return file.read()

    def look(self, out, pixels, product):
        opened = gdal.Open(out)
        band = opened.GetRasterBand(1)
        if (opened.RasterYSize, opened.RasterXSize) != (ROWS, COLS):
            return ["resampled"]
        d2, rows, cols = brute_force(pixels != 0)
        right = pixels[rows, cols] if "allocation" in product else np.sqrt(d2)
        right = right if product in ("Float32", "allocation of Byte") else np.floor(right + 0.5)
        got, nodata, reached = band.ReadAsArray().astype(float), band.GetNoDataValue(), d2 <= REACH * REACH
        wrong = [] if np.allclose(got[reached], right[reached].astype(np.float32), rtol=1e-5, atol=0) else ["pixels"]
        is_nodata = np.isnan(got) if nodata is not None and np.isnan(nodata) else got == nodata
        if nodata is None or not is_nodata[~reached].all():
            wrong.append("nodata")
        if not np.allclose(opened.GetGeoTransform(), TRANSFORM, atol=1e-4):
            wrong.append("georeference")
        meant = osr.SpatialReference(crs(32633))
        got_crs = opened.GetSpatialRef()
        if not got_crs or not got_crs.IsSame(meant, ["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"]):
            wrong.append("CRS")
        return wrong

    def cell(self):
        return "refused" if self.code else "right" if not self.wrong else "told: " + ", ".join(self.wrong)


def sweep():
    """{(short name, long name): {product: Run}} of all of them."""
    gdal.DontUseExceptions()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    folder = tempfile.mkdtemp(prefix="predt-test-")
    pixels = make_source(os.path.join(folder, "in.tif"))
    formats = list(writable())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {(name, long_name): {product: pool.submit(Run, folder, pixels, name, extension, product) for product in PRODUCTS}
                for name, long_name, extension in formats}
        found = {key: {product: run.result().judge() for product, run in products.items()} for key, products in runs.items()}
    shutil.rmtree(folder)
    gdal.PopErrorHandler()
    return found


def version():
    return gdal.VersionInfo("RELEASE_NAME")


def table(found):
    lines = [f"With GDAL {version()}, Debian's build:", "", "| format | " + " | ".join(PRODUCTS) + " |",
             "|---|" + "---|" * len(PRODUCTS)]
    for (name, long_name), runs in sorted(found.items(), key=lambda item: item[0][0].lower()):
        lines.append(f"| {name}: {long_name} | " + " | ".join(runs[product].cell() for product in PRODUCTS) + " |")
    return "\n".join(lines)


def split(document):
    head, _, rest = document.partition("<!-- table -->\n")
    old, _, tail = rest.partition("<!-- end -->")
    return head, old.strip(), tail


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = sweep()

    def each(self):
        return [run for runs in self.found.values() for run in runs.values()]

    def test_formats_are_tried(self):
        self.assertGreater(len(self.found), 20)
        for name in ("GTiff", "COG", "HFA", "GPKG"):
            self.assertEqual({run.cell() for (short, _), runs in self.found.items() if short == name for run in runs.values()},
                             {"right"})

    def test_what_is_not_right_is_told(self):
        for run in self.each():
            for wrong in run.wrong:
                self.assertIn(wrong, run.told)

    def test_refusals_are_one_line_and_leave_nothing(self):
        for run in self.each():
            if run.code:
                lines = [line for line in run.told.strip().splitlines() if not line.startswith("gdal_predt: warning: ")]
                self.assertEqual((run.code, len(lines), run.left), (1, 1, []), run.told)

    def test_no_file_knows_another_name(self):
        for run in self.each():
            self.assertEqual(run.marked, [])
            self.assertFalse(re.search(r"\.predt-|vsipredt", run.told), run.told)

    def test_the_table_in_the_docs_is_what_is_found(self):
        with open(DOCUMENT, encoding="utf-8") as file:
            old = split(file.read())[1]
        if not old.startswith(f"With GDAL {version()},"):
            self.skipTest("the table is that of another GDAL")
        self.assertEqual(old, table(self.found))


if __name__ == "__main__":
    if "--write" in sys.argv:
        with open(DOCUMENT, encoding="utf-8") as file:
            head, _, tail = split(file.read())
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(f"{head}<!-- table -->\n{table(sweep())}\n<!-- end -->{tail}")
    else:
        unittest.main()
