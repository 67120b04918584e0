"""Distances in the units that were asked for."""
import unittest

import numpy as np
from raster_case import RasterCase, targets

METRES = {"METRE": 1.0, "KM": 1000.0, "FOOT": 0.3048, "US_FOOT": 1200 / 3937, "MILE": 1609.344, "NMI": 1852.0}
UTM, STATE_PLANE_US_FOOT, STATE_PLANE_FOOT, DEGREES = 32633, 2263, 2222, 4326


class Units(RasterCase):
    def row(self, epsg, step, *arguments):
        """Distances on a row of pixels of this step, the target at its west end."""
        source = self.make("in.tif", targets(1, 5, (0, 0, 1)), transform=(1000, step, 0, 1000, 0, -step), epsg=epsg)
        return self.distance(source, *arguments)[0].astype(float)

    def test_pixels_are_the_default(self):
        self.assert_same(self.row(UTM, 30), np.arange(5))
        self.assert_same(self.row(UTM, 30, "-distunits", "PIXEL"), np.arange(5))

    def test_geo_is_the_unit_of_the_crs(self):
        self.assert_same(self.row(UTM, 30, "-distunits", "GEO"), 30 * np.arange(5))
        self.assert_same(self.row(STATE_PLANE_FOOT, 30, "-distunits", "GEO"), 30 * np.arange(5))

    def test_every_length_from_metres(self):
        for name, metres in METRES.items():
            with self.subTest(unit=name):
                got = self.row(UTM, 30, "-distunits", name)
                np.testing.assert_allclose(got, 30 * np.arange(5) / metres, rtol=1e-7)

    def test_every_length_from_feet(self):
        for epsg, foot in ((STATE_PLANE_US_FOOT, 1200 / 3937), (STATE_PLANE_FOOT, 0.3048)):
            for name, metres in METRES.items():
                with self.subTest(unit=name, epsg=epsg):
                    got = self.row(epsg, 10000, "-distunits", name)
                    np.testing.assert_allclose(got, 10000 * np.arange(5) * foot / metres, rtol=1e-7)

    def test_names_in_any_case(self):
        self.assert_same(self.row(UTM, 30, "-distunits", "geo"), 30 * np.arange(5))
        self.assert_same(self.row(UTM, 500, "--distance-units", "km"), 0.5 * np.arange(5))

    def test_the_maximum_is_in_the_same_unit(self):
        got = self.row(UTM, 500, "-distunits", "KM", "-maxdist", "1")
        self.assert_same(np.isfinite(got), [True, True, True, False, False])
        got = self.row(UTM, 0.3048, "-distunits", "FOOT", "-maxdist", "3")
        self.assert_same(np.isfinite(got), [True, True, True, True, False])

    def test_the_minimum_is_in_the_same_unit(self):
        got = self.row(UTM, 500, "-distunits", "KM", "-min-dist", "1")
        self.assert_same(np.isfinite(got), [False, False, True, True, True])

    def test_degrees_are_measured_on_their_plane(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)), transform=(10, 0.5, 0, 50, 0, -0.5), epsg=DEGREES)
        self.assertEqual(self.predt("-q", "-distunits", "GEO", source, self.path("out.tif")).stderr, "")
        self.assertEqual(self.unit(self.path("out.tif")), "degree")
        self.assert_same(self.read(self.path("out.tif")), [[0, 0.5, 1, 1.5]])

    def test_a_length_without_a_crs_is_refused(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)), epsg=None)
        self.refuse("-distunits", "KM", source, self.path("out.tif"))
        self.assert_only("in.tif")

    def test_pixels_need_no_crs_and_no_geotransform(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)), epsg=None, transform=None)
        self.assert_same(self.distance(source), [np.arange(4)])

    def test_an_unknown_unit_is_refused(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)))
        self.predt("-q", "-distunits", "FURLONG", source, self.path("out.tif"), code=(1, 2))
        self.assert_only("in.tif")

        self.refuse("-distunits", "miles", source, self.path("out.tif"), code=2,
                    words="miles PIXEL GEO METRE KM FOOT US_FOOT MILE NMI".split())


class NoSize(RasterCase):
    """Sources whose pixels have no size: pixels can be counted, lengths cannot."""

    def vrt(self, transform=None, epsg=32633, more=""):
        """A VRT keeps any geotransform."""
        self.make("pixels.tif", targets(2, 4, (0, 0, 1)), epsg=None, transform=None)
        with open(self.path("in.vrt"), "w") as vrt:
            vrt.write('<VRTDataset rasterXSize="4" rasterYSize="2">'
                      + (f"<SRS>EPSG:{epsg}</SRS>" if epsg else "")
                      + (f"<GeoTransform>{transform}</GeoTransform>" if transform else "") + more +
                      '<VRTRasterBand dataType="Byte" band="1"><SimpleSource>'
                      '<SourceFilename relativeToVRT="1">pixels.tif</SourceFilename><SourceBand>1</SourceBand>'
                      "</SimpleSource></VRTRasterBand></VRTDataset>")
        return self.path("in.vrt")

    def counts_pixels(self, source):
        right = np.hypot(*np.mgrid[0:2, 0:4])
        out, direction = self.path("out.tif"), self.path("w.tif")
        run = self.predt("-q", "--overwrite", "-direction", direction, source, out)
        for line in run.stderr.splitlines():  # a GeoTIFF does not keep all of these geotransforms, and says so
            self.assertIn("does not keep", line)
        self.assert_same(self.read(out), right)
        self.assert_same(self.read(direction)[0, 1:], [270, 270, 270])
        self.assert_same(self.distance(source, "-distunits", "PIXEL", "-maxdist", "1.2"), np.where(right > 1.2, np.nan, right))

    def test_steps_of_zero(self):
        for transform in ("0,0,0,0,0,0", "5,0,0,7,0,0", "0,1,0,0,0,0", "0,0,0,0,0,-1", "0,1e-200,0,0,0,-1e-200",
                          "0,nan,0,0,0,-1",
                          "0,inf,0,0,0,-1"):
            with self.subTest(transform=transform):
                source = self.vrt(transform)
                self.counts_pixels(source)
                for unit in ("GEO", *METRES):
                    self.refuse("-distunits", unit, source, self.path("o.tif"), words=["geotransform", "no size", "PIXEL"])

    def test_georeference_by_other_means_needs_gdalwarp(self):
        gcps = "".join(f'<GCP Id="" Pixel="{x}" Line="{y}" X="{10 * x}" Y="{20 * y}"/>' for x in (0, 4) for y in (0, 2))
        others = {"ground control points": f'<GCPList Projection="EPSG:32633">{gcps}</GCPList>',
                  "RPC": '<Metadata domain="RPC"><MDI key="LINE_OFF">1</MDI></Metadata>',
                  "geolocation": '<Metadata domain="GEOLOCATION"><MDI key="X_BAND">1</MDI></Metadata>'}
        for name, more in others.items():
            for epsg in (None, 32633):
                with self.subTest(by=name, epsg=epsg):
                    source = self.vrt(None, epsg, more)
                    self.counts_pixels(source)
                    for unit in ("GEO", *METRES):
                        self.refuse("-distunits", unit, source, self.path("o.tif"), words=["gdalwarp", name])

    def test_an_identity_beside_ground_control_points_is_none(self):
        gcps = "".join(f'<GCP Id="" Pixel="{x}" Line="{y}" X="{10 * x}" Y="{20 * y}"/>' for x in (0, 4) for y in (0, 2))
        source = self.vrt("0,1,0,0,0,1", None, f'<GCPList Projection="EPSG:32633">{gcps}</GCPList>')
        self.refuse("-distunits", "METRE", source, self.path("o.tif"), words=["gdalwarp"])
        source = self.vrt("0,2,0,0,0,-2", 32633, f'<GCPList Projection="EPSG:32633">{gcps}</GCPList>')
        self.assert_same(self.distance(source, "-distunits", "METRE"), 2 * np.hypot(*np.mgrid[0:2, 0:4]))

    def test_no_georeference_at_all(self):
        source = self.vrt(None, 32633)
        run = self.predt("-q", "-distunits", "GEO", source, self.path("out.tif"))
        self.assertIn("no geotransform", run.stderr)
        self.assert_same(self.read(self.path("out.tif")), np.hypot(*np.mgrid[0:2, 0:4]))
        self.refuse("-distunits", "KM", source, self.path("o.tif"), words=["no geotransform", "gdalwarp"])

    def test_sheared_pixels_can_be_counted_with_a_warning(self):
        source = self.vrt("0,10,5,0,0,-10")
        run = self.predt("-q", source, self.path("out.tif"))
        self.assertIn("sheared", run.stderr)
        self.assert_same(self.read(self.path("out.tif")), np.hypot(*np.mgrid[0:2, 0:4]))
        self.refuse("-distunits", "METRE", source, self.path("o.tif"), words=["sheared", "gdalwarp"])
        self.refuse("-distunits", "GEO", self.vrt("0,1,1,0,1,1"), self.path("o.tif"), words=["sheared"])


if __name__ == "__main__":
    unittest.main()
