"""Nothing that a source is made of is written over, by whatever way and under whatever name the source leads to it."""
import os
import pathlib
import unittest
import zipfile

from osgeo import gdal
from raster_case import RasterCase, targets

PLUGINS = os.path.join(os.path.dirname(os.environ["PREDT_COMMAND"]), "..", "gdal_driver")
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.abspath(PLUGINS))


class Kin(RasterCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.make("l.tif", targets(10, 20, (3, 4, 7)))
        gdal.BuildVRT("v.vrt", ["l.tif"]).FlushCache()
        gdal.BuildVRT("v2.vrt", ["v.vrt"]).FlushCache()

    def all_bytes(self):
        return {path.name: path.read_bytes() for path in pathlib.Path(".").iterdir() if path.is_file()}

    def is_refused(self, source, *outputs):
        before = self.all_bytes()
        for output in outputs:
            self.assertIn("is the source, or a part of it", self.predt("-q", "--overwrite", source, output, code=1).stderr)
        self.assertEqual(self.all_bytes(), before)

    def is_written(self, source, output, *options):
        self.predt("-q", "--overwrite", *options, source, output)

    def test_vrt_of_vrt(self):
        self.is_refused("v2.vrt", "l.tif", "v.vrt", "v2.vrt", "./../" + os.path.basename(self.folder) + "/l.tif")
        self.is_written("v2.vrt", "out.tif")

    def test_links(self):
        os.symlink("l.tif", "soft.tif")
        os.link("l.tif", "hard.tif")
        self.is_refused("v2.vrt", "soft.tif", "hard.tif")
        self.is_refused("soft.tif", "l.tif", "hard.tif")

    def test_warped_derived_and_inline(self):
        gdal.Warp("w.vrt", "v2.vrt", format="VRT", srcSRS="EPSG:32633", dstSRS="EPSG:32633").FlushCache()
        self.is_refused("w.vrt", "l.tif", "v.vrt")
        with open("v2.vrt", encoding="utf-8") as file:
            self.is_refused(file.read(), "v.vrt", "l.tif")
        for name in ("vrt://v2.vrt?bands=1", f"vrt://{self.folder}/v2.vrt", "DERIVED_SUBDATASET:AMPLITUDE:v2.vrt"):
            self.is_refused(name, "l.tif")

    def test_a_mask_in_a_file_of_its_own(self):
        self.make("m.tif", targets(10, 20, (3, 4, 255)))
        with open("v.vrt", encoding="utf-8") as file:
            text = file.read()
        mask = "<MaskBand><VRTRasterBand dataType='Byte'><SimpleSource><SourceFilename " \
               "relativeToVRT='1'>m.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></MaskBand>"
        with open("masked.vrt", "w", encoding="utf-8") as file:
            file.write(text.replace("</VRTDataset>", mask + "</VRTDataset>"))
        gdal.BuildVRT("outer.vrt", ["masked.vrt"]).FlushCache()
        self.is_refused("outer.vrt", "m.tif", "l.tif")

    def test_raw_bands_and_their_circles(self):
        with open("raw.bin", "wb") as file:
            file.write(bytes(199) + b"\1")
        with open("raw.vrt", "w", encoding="utf-8") as file:
            file.write("<VRTDataset rasterXSize='20' rasterYSize='10'><Metadata><MDI key='X_DATASET'>raw.vrt</MDI></Metadata>"
                       "<VRTRasterBand dataType='Byte' band='1' subClass='VRTRawRasterBand'><SourceFilename "
                       "relativeToVRT='1'>raw.bin</SourceFilename></VRTRasterBand></VRTDataset>")
        self.is_refused("raw.vrt", "raw.bin")

    def test_subdatasets(self):
        self.is_refused("GTIFF_DIR:1:l.tif", "l.tif")
        self.is_refused(f"GTIFF_DIR:1:{self.folder}/l.tif", "l.tif")

    def test_archives_and_other_prefixes(self):
        with zipfile.ZipFile("x.zip", "w") as archive:
            archive.write("l.tif")
        gdal.BuildVRT("z.vrt", ["/vsizip/x.zip/l.tif"]).FlushCache()
        for name in ("/vsizip/x.zip/l.tif", "/vsizip/{x.zip}/l.tif", f"/vsizip/{self.folder}/x.zip/l.tif", "/vsizip/x.zip",
                     "z.vrt"):
            self.is_refused(name, "x.zip", "/vsizip/x.zip/out.tif")
        self.is_refused(f"/vsisubfile/0_{os.path.getsize('l.tif')},l.tif", "l.tif")
        with open("s.xml", "w", encoding="utf-8") as file:
            file.write("<VSISparseFile><Length>%d</Length><SubfileRegion><Filename relative='1'>l.tif</Filename>"
                       "<DestinationOffset>0</DestinationOffset><SourceOffset>0</SourceOffset>"
                       "<RegionLength>%d</RegionLength></SubfileRegion></VSISparseFile>" % (2 * (os.path.getsize("l.tif"),)))
        self.is_refused("/vsisparse/s.xml", "l.tif", "s.xml")

    def test_companions(self):
        gdal.Translate("g.bil", "l.tif", format="EHdr")
        gdal.BuildVRT("g.vrt", ["g.bil"]).FlushCache()
        gdal.BuildVRT("g2.vrt", ["g.vrt"]).FlushCache()
        self.is_refused("g2.vrt", "g.bil", "g.hdr")
        self.is_refused("g.bil", "g.hdr")
        self.is_refused("v2.vrt", "l.tif.ovr", "l.tif.msk", "l.tif.aux.xml", "l.tif.msk.ovr")  # would be taken for its own
        self.is_written("v2.vrt", "l.asc", "-of", "AAIGrid", "-ot", "Int16")  # another raster that has its stem

    def test_strings_and_files_of_the_driver(self):
        if not os.path.exists(os.path.join(os.environ["GDAL_DRIVER_PATH"], "gdal_PREDT.so")):
            self.skipTest("built without the driver")
        for name, text in (("p.predt", '{"source": "v2.vrt"}'), ("p2.predt", '{"source": "PREDT:allocation:p.predt"}'),
                           ("p3.predt", '{"source": "p2\\u002epredt"}')):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        self.is_refused("p3.predt", "p.predt", "p2.predt", "l.tif", "v.vrt")
        self.is_refused("PREDT:v2.vrt?values=7&maxdist=4", "l.tif")
        self.is_refused("PREDT:distance:PREDT:allocation:v2.vrt", "l.tif")

    def test_names_that_only_look_alike(self):
        os.mkdir("other")
        self.is_written("v2.vrt", "other/l.tif")
        self.is_written("v2.vrt", "l2.tif")
        self.is_written("v2.vrt", "Byte", "-of", "GTiff")  # a word of the VRT's text


if __name__ == "__main__":
    unittest.main()
