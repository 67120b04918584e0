"""Lengths along the ellipsoid: on rasters in degrees, and in normal cylindrical projections."""
import json
import math
import os
import unittest

import numpy as np
from geodesics import AIRY, CLARKE_IGN, WGS84, Places, in_unit, latitudes_of, nearest, pairs
from raster_case import RasterCase, crs, targets

WORLD = (-180, 5, 0, 90, 0, -5)  # 72 x 36 pixels
DEGREES = 4326
MARS = (3396190.0, 1 / 169.894447223612)


def scattered(shape, count, seed=1):
    """A raster with that many targets, each of another value."""
    random = np.random.default_rng(seed)
    pixels = np.zeros(shape, np.int64)
    pixels.ravel()[random.choice(pixels.size, count, replace=False)] = np.arange(1, count + 1)
    return pixels


class GeodesicCase(RasterCase):
    def right(self, pixels, places, ellipsoid=WGS84, rows=None, cols=None):
        """Distances at these pixels; of all of them, as a raster."""
        if rows is None:
            rows, cols = np.divmod(np.arange(pixels.size), pixels.shape[1])
            return self.right(pixels, places, ellipsoid, rows, cols).reshape(pixels.shape)
        return nearest(ellipsoid, places.at(*np.nonzero(pixels)), places.at(rows, cols)).astype(np.float32)

    def check(self, shape, transform, *options, srs=DEGREES, ellipsoid=WGS84, unit=1.0, count=7, seed=1):
        """Every pixel of a raster in degrees (of `unit` degrees) in metres, against brute force."""
        pixels = scattered(shape, count, seed)
        source = self.make("in.tif", pixels, np.uint16, transform=transform, epsg=srs)
        got = self.distance(source, "-distunits", "METRE", *options)
        self.assert_same(got, self.right(pixels, Places(shape, transform, unit), ellipsoid))


class Degrees(GeodesicCase):
    def test_the_world_across_the_antimeridian_and_over_the_poles(self):
        for count in (1, 2, 40):
            with self.subTest(targets=count):
                self.check((36, 72), WORLD, count=count, seed=count)

    def test_a_region(self):
        self.check((40, 50), (10, 0.01, 0, 61, 0, -0.02))

    def test_a_world_that_begins_at_0(self):
        self.check((36, 72), (0, 5, 0, 90, 0, -5))

    def test_a_world_with_the_south_up(self):
        self.check((36, 72), (-180, 5, 0, -90, 0, 5))

    def test_columns_that_run_west(self):
        self.check((36, 72), (180, -5, 0, 90, 0, -5))
        self.check((40, 50), (10, -0.01, 0, 61, 0, -0.02))

    def test_centres_at_the_poles_and_on_both_ends_of_a_turn(self):
        self.check((37, 73), (-182.5, 5, 0, 92.5, 0, -5))

    def test_a_row_beyond_the_pole_is_refused(self):
        source = self.make("in.tif", targets(38, 72, (0, 0, 1)), transform=(-180, 5, 0, 97.5, 0, -5), epsg=DEGREES)
        self.refuse("-distunits", "KM", source, self.path("out.tif"), words=["pole"])
        self.assert_only("in.tif")

    def test_more_than_half_a_turn_in_no_whole_number_of_columns_is_refused(self):
        source = self.make("in.tif", targets(9, 40, (0, 0, 1)), transform=(-180, 7, 0, 60, 0, -7), epsg=DEGREES)
        self.refuse("-distunits", "KM", source, self.path("out.tif"), words=["turn"])

    def test_pixels_of_half_a_minute_with_ten_digits_go_round(self):
        step, shape = 0.0083333333, (20, 43200)
        transform = (-180, step, 0, 60, 0, -step)
        pixels = targets(*shape, (3, 2, 1), (17, 20000, 2))
        source = self.make("in.tif", pixels, transform=transform, epsg=DEGREES)
        got = self.distance(source, "-distunits", "METRE")
        places = Places(shape, latitudes=60 - step / 2 - step * np.arange(20), longitude_step=360 / 43200)
        random = np.random.default_rng(2)
        rows, cols = random.integers(0, 20, 400), random.integers(0, 43200, 400)
        cols[:20] = 43199
        self.assert_same(got[rows, cols], self.right(pixels, places, rows=rows, cols=cols))
        self.assertLess(got[3, 43199], 2000)

    def test_grads(self):
        self.check((40, 80), (-200, 5, 0, 100, 0, -5), srs=4807, ellipsoid=CLARKE_IGN, unit=0.9)

    def test_the_ellipsoid_is_that_of_the_crs(self):
        self.check((20, 30), (-8, 0.5, 0, 60, 0, -0.5), srs=4277, ellipsoid=AIRY)
        self.check((36, 72), WORLD, srs="+proj=longlat +R=3396190 +type=crs", ellipsoid=(3396190.0, 0))
        self.check((36, 72), WORLD, srs="+proj=longlat +a=3396190 +rf=169.894447223612 +type=crs", ellipsoid=MARS)

    def test_an_ellipsoid_flatter_than_is_known_to_be_exact_is_refused(self):
        source = self.make("in.tif", targets(4, 4, (0, 0, 1)), transform=(0, 1, 0, 9, 0, -1),
                           epsg="+proj=longlat +a=6378137 +rf=100 +type=crs")
        self.refuse("-distunits", "KM", source, self.path("out.tif"), words=["1/150"])

    def test_every_unit(self):
        pixels = scattered((12, 20), 4)
        source = self.make("in.tif", pixels, transform=(5, 0.5, 0, 50, 0, -0.5), epsg=DEGREES)
        places = Places(pixels.shape, (5, 0.5, 0, 50, 0, -0.5))
        for unit, metres, name in (("METRE", 1, "metre"), ("KM", 1000, "kilometre"), ("FOOT", 0.3048, "foot"),
                                   ("US_FOOT", 1200 / 3937, "US survey foot"), ("MILE", 1609.344, "mile"),
                                   ("NMI", 1852, "nautical mile")):
            with self.subTest(unit=unit):
                self.predt("-q", "--overwrite", "-distunits", unit, source, self.path("out.tif"))
                self.assert_same(self.read(self.path("out.tif")), self.right(pixels, places, in_unit(WGS84, metres)))
                self.assertEqual(self.unit(self.path("out.tif")), name)

    def test_nothing_is_said_of_it(self):
        source = self.make("in.tif", targets(36, 72, (3, 3, 1)), transform=WORLD, epsg=DEGREES)
        self.assertEqual(self.predt("-q", "-distunits", "KM", source, self.path("out.tif")).stderr, "")

    def test_the_summary_says_on_which_ellipsoid(self):
        source = self.make("in.tif", targets(9, 9, (3, 3, 1)), transform=(0, 1, 0, 50, 0, -1), epsg=4277)
        told = [json.loads(self.predt("-q", "-json", "--overwrite", *options, source, self.path("out.tif")).stdout)
                for options in (["-distunits", "KM"], ["-distunits", "GEO"])]
        self.assertEqual([summary["metric"] for summary in told], ["geodesic", "plane"])
        self.assertEqual([summary.get("ellipsoid") for summary in told], ["Airy 1830", None])

    def test_no_target_at_all(self):
        source = self.make("in.tif", np.zeros((36, 72)), transform=WORLD, epsg=DEGREES)
        self.assertTrue(np.isnan(self.distance(source, "-distunits", "KM")).all())


class Products(GeodesicCase):
    def setUp(self):
        super().setUp()
        self.pixels = scattered((36, 72), 9, seed=4)
        self.source = self.make("in.tif", self.pixels, np.uint16, transform=WORLD, epsg=DEGREES)
        self.places = Places(self.pixels.shape, WORLD)
        self.all = np.divmod(np.arange(self.pixels.size), 72)

    def of_targets(self, labels):
        """Length and azimuth from every pixel to the target of its label."""
        rows, cols = np.nonzero(self.pixels)
        order = np.argsort(self.pixels[rows, cols])
        chosen = labels.ravel().astype(int) - 1
        ends = self.places.at(rows[order][chosen], cols[order][chosen])
        return pairs(WGS84, self.places.at(*self.all), ends)

    def test_the_allocation_names_a_target_at_that_distance(self):
        allocation = self.allocation(self.source, "-distunits", "METRE")
        lengths, _ = self.of_targets(allocation)
        self.assert_same(lengths.reshape(36, 72).astype(np.float32), self.right(self.pixels, self.places))

    def test_the_direction_is_where_the_geodesic_leaves(self):
        self.predt("-q", "-distunits", "METRE", "-direction", self.path("d.tif"), "-allocation", self.path("a.tif"),
                   self.source)
        lengths, azimuths = self.of_targets(self.read(self.path("a.tif")))
        got = self.read(self.path("d.tif")).ravel()
        self.assert_same(got[lengths == 0], np.zeros(9))
        apart = (got - azimuths + 180) % 360 - 180
        self.assertLess(np.abs(apart[lengths > 0]).max(), 2e-5)
        self.assertTrue(((got > 0) & (got <= 360))[lengths > 0].all())

    def test_the_maximum_counts_and_is_in_the_unit(self):
        right = nearest(in_unit(WGS84, 1000), self.places.at(*np.nonzero(self.pixels)), self.places.at(*self.all))
        limit = np.sort(right)[1000]
        got = self.distance(self.source, "-distunits", "KM", "-maxdist", repr(float(limit)))
        self.assert_same(np.isfinite(got.ravel()), right <= limit)

    def test_the_minimum_is_in_the_unit(self):
        right = self.right(self.pixels, self.places, in_unit(WGS84, 1000))
        got = self.distance(self.source, "-distunits", "KM", "-min-dist", "1500")
        self.assert_same(got, np.where(right < 1500, np.nan, right))

    def test_whole_numbers_are_rounded_once(self):
        right = nearest(in_unit(WGS84, 1000), self.places.at(*np.nonzero(self.pixels)), self.places.at(*self.all))
        got = self.distance(self.source, "-distunits", "KM", "-ot", "Int32")
        self.assert_same(got.ravel(), np.floor(right + 0.5).astype(np.int32))

    def test_bytes_and_what_they_cannot_hold(self):
        right = nearest(in_unit(WGS84, 1852), self.places.at(*np.nonzero(self.pixels)), self.places.at(*self.all))
        run = self.predt("-q", "-distunits", "NMI", "-ot", "UInt16", self.source, self.path("u.tif"))
        self.assertEqual(run.stderr, "")
        self.assert_same(self.read(self.path("u.tif")).ravel(), np.floor(right + 0.5).astype(np.uint16))
        run = self.predt("-q", "-distunits", "NMI", "-ot", "Byte", self.source, self.path("b.tif"))
        self.assertIn(f"{np.count_nonzero(np.floor(right + 0.5) > 254)} distances", run.stderr)
        self.assert_same(self.read(self.path("b.tif")).ravel(), np.minimum(np.floor(right + 0.5), 254).astype(np.uint8))

    def test_one_value_for_all_pixels_within_the_maximum(self):
        right = self.right(self.pixels, self.places, in_unit(WGS84, 1000))
        got = self.distance(self.source, "-distunits", "KM", "-maxdist", "2000", "-fixed-buf-val", "7", "-ot", "Byte",
                            "-nodata", "9")
        self.assert_same(got, np.where(right <= 2000, 7, 9))

    def test_nodata_of_the_source_stays_nodata(self):
        source = self.make("n.tif", np.where(np.arange(72) < 5, 99, self.pixels), np.uint16, transform=WORLD, epsg=DEGREES,
                           nodata=99)
        left = np.where(np.arange(72) < 5, 0, self.pixels)
        right = np.where(np.arange(72) < 5, np.nan, self.right(left, self.places))
        self.assert_same(self.distance(source, "-distunits", "METRE", "-use_input_nodata", "YES"), right)

    def test_double_precision(self):
        right = nearest(WGS84, self.places.at(*np.nonzero(self.pixels)), self.places.at(*self.all))
        got = self.distance(self.source, "-distunits", "METRE", "-ot", "Float64")
        np.testing.assert_allclose(got.ravel(), right, rtol=1e-15, atol=1e-8)


class Cylinders(GeodesicCase):
    """Normal cylindrical projections: a latitude for each row."""

    def check_projected(self, srs, shape, transform, longitude_step, ellipsoid=WGS84):
        pixels = scattered(shape, 5, seed=7)
        source = self.make("in.tif", pixels, transform=transform, epsg=srs)
        latitudes = latitudes_of(crs(srs), transform, shape[0])
        got = self.distance(source, "-distunits", "METRE", "-metric", "geodesic")
        places = Places(shape, latitudes=latitudes, longitude_step=longitude_step)
        np.testing.assert_allclose(got, self.right(pixels, places, ellipsoid), rtol=1.3e-7, atol=1e-8)
        return latitudes

    def test_web_mercator(self):
        half = math.pi * 6378137
        step = 2 * half / 64
        latitudes = self.check_projected(3857, (64, 64), (-half, step, 0, half, 0, -step), 360 / 64)
        y = half - (np.arange(64) + 0.5) * step
        np.testing.assert_allclose(latitudes, np.degrees(np.arctan(np.sinh(y / 6378137))), rtol=0, atol=1e-12)

    def test_a_tile_of_web_mercator(self):
        self.check_projected(3857, (40, 40), (1500000, 150, 0, 6000000, 0, -150), math.degrees(150 / 6378137))

    def test_mercator_on_the_ellipsoid(self):
        self.check_projected(3395, (30, 60), (-2e7, 2e4, 0, 1e6, 0, -5e4), math.degrees(2e4 / 6378137))

    def test_ease_grid_2(self):
        cell, radius = 36032.22, 6378137 * math.cos(math.radians(30)) / math.sqrt(1 - 0.00669437999 * 0.25)
        step = math.degrees(cell / radius)
        self.assertLess(abs(360 / step - 964), 0.01)
        self.check_projected(6933, (406, 964), (-17367530.45, cell, 0, 7314540.83, 0, -cell), 360 / 964)

    def test_plate_carree_and_miller(self):
        cell = 6378137 * math.radians(5)
        self.check_projected(32662, (36, 72), (-36 * cell, cell, 0, 18 * cell, 0, -cell), 5)
        cell = 6371000 * math.radians(5)
        self.check_projected("+proj=mill +R=6371000 +type=crs", (30, 72), (-36 * cell, cell, 0, 15 * cell, 0, -cell),
                             math.degrees(cell / 6371000), (6371000.0, 0))

    def test_feet_and_a_vertical_axis(self):
        cell = 6378137 * math.radians(5) / 0.3048
        self.check_projected("+proj=merc +datum=WGS84 +units=ft +type=crs", (30, 72),
                             (-36 * cell, cell, 0, 15 * cell, 0, -cell), 5)
        cell *= 0.3048
        self.check_projected("EPSG:3395+5773", (30, 72), (-36 * cell, cell, 0, 15 * cell, 0, -cell), 5)

    def test_the_plane_is_what_counts_if_nothing_is_said(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)), transform=(1e6, 100, 0, 6e6, 0, -100), epsg=3857)
        self.assert_same(self.distance(source, "-distunits", "METRE"), [[0, 100, 200, 300]])
        self.assert_same(self.distance(source, "-distunits", "METRE", "-metric", "plane"), [[0, 100, 200, 300]])
        self.assertLess(self.distance(source, "-distunits", "METRE", "-metric", "GEODESIC")[0, 3], 250)


class Refused(GeodesicCase):
    def refused(self, *options, words, **raster):
        source = self.make("in.tif", targets(9, 9, (0, 0, 1)), **raster)
        self.refuse(*options, source, self.path("out.tif"), words=words)
        self.assertFalse(os.path.exists(self.path("out.tif")))

    def test_other_projections_name_gdalwarp(self):
        for place in ((499955, 10, 0, 4600000, 0, -10), (499955, 10, 0, 45, 0, -10), (3e5, 1000, 0, 6e6, 0, -1000)):
            for srs in (32633, 3035, "+proj=sinu +type=crs", "+proj=cass +type=crs", "+proj=laea +type=crs"):
                with self.subTest(srs=srs, place=place):
                    self.refused("-distunits", "KM", "-metric", "geodesic", words=["gdalwarp", "meridians"], epsg=srs,
                                 transform=place)

    def test_rows_beyond_the_pole_of_an_equal_area_projection(self):
        self.refused("-distunits", "KM", "-metric", "geodesic", words=["gdalwarp"], epsg=6933,
                     transform=(0, 1e5, 0, 8e6, 0, -1e5))

    def test_no_crs_and_a_local_one(self):
        self.refused("-distunits", "KM", "-metric", "geodesic", words=["no CRS"], epsg=None)
        self.refused("-distunits", "KM", "-metric", "geodesic", words=["gdalwarp"], epsg='LOCAL_CS["mine",UNIT["metre",1]]')

    def test_a_turned_raster_in_degrees(self):
        for transform in ((10, 0.1, 0.02, 50, 0.02, -0.1), (10, 0.1, 1e-5, 50, 0, -0.1), (10, 0, 0.1, 50, 0.1, 0)):
            with self.subTest(transform=transform):
                self.refused("-distunits", "KM", words=["rotated", "gdalwarp"], epsg=DEGREES, transform=transform)

    def test_a_rotated_pole(self):
        pole = ("+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=39.25 +lon_0=18 +datum=WGS84 "
                "+to_meter=0.0174532925199433 +type=crs")
        self.refused("-distunits", "KM", words=["rotated pole", "gdalwarp"], epsg=pole, transform=(10, 0.1, 0, 50, 0, -0.1))

    def test_latitude_along_rows(self):
        self.make("pixels.tif", targets(4, 4, (0, 0, 1)), epsg=None, transform=None)
        with open(self.path("in.vrt"), "w") as vrt:
            vrt.write('<VRTDataset rasterXSize="4" rasterYSize="4"><SRS dataAxisToSRSAxisMapping="1,2">EPSG:4326</SRS>'
                      '<GeoTransform>40,1,0,10,0,-1</GeoTransform><VRTRasterBand dataType="Byte" band="1"><SimpleSource>'
                      '<SourceFilename relativeToVRT="1">pixels.tif</SourceFilename><SourceBand>1</SourceBand>'
                      "</SimpleSource></VRTRasterBand></VRTDataset>")
        self.refuse("-distunits", "KM", self.path("in.vrt"), self.path("out.tif"), words=["latitude runs along rows"])

    def test_lengths_on_the_plane_of_degrees(self):
        self.refused("-distunits", "KM", "-metric", "plane", words=["geographic", "GEO"], epsg=DEGREES,
                     transform=(10, 0.1, 0, 50, 0, -0.1))

    def test_what_is_no_length(self):
        for unit in ("PIXEL", "GEO"):
            self.refused("-distunits", unit, "-metric", "geodesic", words=["-distunits METRE"], epsg=DEGREES,
                         transform=(10, 0.1, 0, 50, 0, -0.1))

    def test_an_engine_that_measures_on_planes(self):
        if "breu" not in self.predt("-engines").stdout:
            self.skipTest("built without the published methods")
        self.refused("-distunits", "KM", "-engine", "breu", words=["engine breu", "plane", "cpu"], epsg=DEGREES,
                     transform=(10, 0.1, 0, 50, 0, -0.1))

    def test_another_word(self):
        source = self.make("in.tif", targets(2, 2, (0, 0, 1)))
        self.refuse("-metric", "sphere", source, self.path("o.tif"), code=2, words=["sphere", "plane", "geodesic"])


if __name__ == "__main__":
    unittest.main()
