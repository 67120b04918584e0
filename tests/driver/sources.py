"""What a dataset's source may be, and what is told of it: the option PREDT_SOURCES, and the sources of sources."""
import os
import time
import unittest
import zipfile

import numpy as np
from driver_case import DriverCase, targets
from osgeo import gdal

FAR = ("/vsicurl/http://127.0.0.1:1/a.tif", "http://127.0.0.1:1/a.tif", "/vsizip//vsicurl/http://127.0.0.1:1/a.zip/a.tif",
       "/vsis3/bucket/a.tif", "/vsicurl_streaming/http://127.0.0.1:1/a.tif", "vrt:///vsicurl/http://127.0.0.1:1/a.tif",
       "PREDT:distance:/vsicurl/http://127.0.0.1:1/a.tif", "PREDT:/vsicurl/http://127.0.0.1:1/a.tif?maxdist=4",
       "WMS:http://127.0.0.1:1/?LAYERS=a", "NETCDF:\"/vsicurl/http://127.0.0.1:1/a.nc\":band", "PG:dbname=x table=y",
       "/vsicached?file=/vsicurl/http://127.0.0.1:1/a.tif", "/vsicached?file=%2Fvsicurl%2Fhttp%3A%2F%2F127.0.0.1%3A1%2Fa.tif",
       "/vsisubfile/0_100,/vsicurl/http://127.0.0.1:1/a.tif", "no-such-file.tif")

VRT = "<VRTDataset rasterXSize='9' rasterYSize='9'><VRTRasterBand dataType='Byte' band='1'><SimpleSource><SourceFilename>%s" \
      "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"

WMS = "<GDAL_WMS><Service name='TMS'><ServerUrl>http&#58;//127.0.0.1:1/${z}</ServerUrl></Service><DataWindow><SizeX>9</SizeX>" \
      "<SizeY>9</SizeY></DataWindow></GDAL_WMS>"


class Sources(DriverCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(gdal.SetConfigOption, "PREDT_SOURCES", None)
        self.source, _ = self.scattered(rows=60, cols=70)
        gdal.BuildVRT(self.path("v.vrt"), [self.source]).FlushCache()
        gdal.BuildVRT(self.path("v2.vrt"), [self.path("v.vrt")]).FlushCache()

    def allow(self, rule):
        gdal.SetConfigOption("PREDT_SOURCES", rule)

    def test_local_forbids_what_is_far_by_whatever_way(self):
        self.allow("LOCAL")
        for far in FAR:
            self.refuse_open(f"PREDT:distance:{far}", "PREDT_SOURCES")
            self.refuse_open(self.write_file("far.predt", {"source": far}), "PREDT_SOURCES")
            self.refuse_open(f"PREDT:distance:{self.write_file('far.vrt', VRT % far)}", "PREDT_SOURCES")
            self.refuse_open(f"PREDT:distance:{VRT % far}", "PREDT_SOURCES")
            self.write_file("mid.vrt", VRT % "far.vrt")
            self.refuse_open(f"PREDT:distance:{self.path('mid.vrt')}", "PREDT_SOURCES")
        self.refuse_open(f"PREDT:distance:{self.write_file('w.xml', WMS)}", "PREDT_SOURCES")
        self.refuse_open(f"PREDT:distance:{WMS}", "PREDT_SOURCES")

    def test_local_allows_what_is_here(self):
        with zipfile.ZipFile(self.path("x.zip"), "w") as archive:
            archive.write(self.source, "in.tif")
        right = self.pixels(f"PREDT:distance:{self.source}")
        self.allow("LOCAL")
        self.write_file("a.predt", {"source": "v2.vrt"})
        for name in (self.source, self.path("v2.vrt"), self.path("a.predt"), f"/vsizip/{self.path('x.zip')}/in.tif",
                     f"GTIFF_DIR:1:{self.source}", f"vrt://{self.path('v2.vrt')}"):
            self.assert_same(self.pixels(f"PREDT:distance:{name}") if name != self.path("a.predt") else self.pixels(name),
                             right)

    def test_beside_keeps_a_file_to_its_folder(self):
        os.mkdir(self.path("sub"))
        gdal.Translate(self.path("sub/near.tif"), self.source)
        os.symlink("../in.tif", self.path("sub/link.tif"))
        self.allow("BESIDE")
        self.assertIsNotNone(self.open(self.write_file("a.predt", {"source": "sub/near.tif"})))
        self.assertIsNotNone(self.open(self.write_file("sub/a.predt", {"source": "near.tif"})))
        self.assertIsNotNone(self.open(f"PREDT:distance:{self.source}"))  # named by the caller, not by a file
        self.write_file("sub/out.vrt", VRT % self.source)
        for source in ("../in.tif", self.source, "link.tif", "out.vrt", f"PREDT:distance:{self.source}", "/etc/hostname"):
            self.refuse_open(self.write_file("sub/b.predt", {"source": source}), "folder")

    def test_a_rule_that_is_none_forbids_all(self):
        self.allow("LOKAL")
        self.refuse_open(f"PREDT:distance:{self.source}", "ANY, LOCAL or BESIDE")

    def test_without_a_rule_sources_are_what_gdal_opens(self):
        self.assertIn("PREDT:distance:", self.refuse_open("PREDT:distance:PREDT:distance:no-such-file.tif"))
        self.assertNotIn("PREDT_SOURCES", self.refuse_open("PREDT:distance:no-such-file.tif"))

    # ---- A source of a source ----

    def test_a_change_deep_in_the_chain_is_seen(self):
        self.make("deep.tif", targets(1, 6, (0, 0, 1)))
        gdal.BuildVRT(self.path("d.vrt"), [self.path("deep.tif")]).FlushCache()
        gdal.BuildVRT(self.path("d2.vrt"), [self.path("d.vrt")]).FlushCache()
        name = f"PREDT:distance:{self.path('d2.vrt')}"
        self.assert_same(self.pixels(name), [np.arange(6)])
        late = self.open(name)
        time.sleep(0.05)
        self.make("deep.tif", targets(1, 6, (0, 5, 1)))
        self.assert_same(self.pixels(name), [np.arange(6)[::-1]])
        with self.assertRaisesRegex(RuntimeError, "has changed since it was opened"):
            late.ReadAsArray()

    # ---- What values mean ----

    def test_an_allocation_has_all_that_its_values_mean(self):
        made = gdal.GetDriverByName("GTiff").Create(self.path("m.tif"), 5, 4, 1, gdal.GDT_Int16)
        band = made.GetRasterBand(1)
        band.SetScale(0.1), band.SetOffset(-40), band.SetUnitType("degC"), band.SetCategoryNames(["a", "b"])
        band.WriteArray(targets(4, 5, (1, 1, 3)).astype(np.int16))
        made = band = None
        band = self.band(f"PREDT:allocation:{self.path('m.tif')}")
        self.assertEqual((band.GetScale(), band.GetOffset(), band.GetUnitType(), band.GetCategoryNames()),
                         (0.1, -40, "degC", ["a", "b"]))
        for product, unit in (("distance", "pixel"), ("direction", "degree")):
            band = self.band(f"PREDT:{product}:{self.path('m.tif')}")
            self.assertEqual((band.GetScale(), band.GetOffset(), band.GetUnitType(), band.GetCategoryNames()),
                             (None, None, unit, None))

    def test_a_file_may_begin_with_a_byte_order_mark(self):
        with open(self.path("bom.predt"), "w", encoding="utf-8-sig") as file:
            file.write('{"source": "in.tif"}')
        self.assert_same(self.pixels(self.path("bom.predt")), self.pixels(f"PREDT:distance:{self.source}"))


if __name__ == "__main__":
    unittest.main()
