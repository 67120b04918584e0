"""Indexes that datasets share: threads, layers opened twice, sources that change, sources within sources."""
import os
import threading
import time
import unittest

import numpy as np
from driver_case import DriverCase, targets
from osgeo import gdal


class Sharing(DriverCase):
    def debug_lines(self, work):
        """What the driver says with CPL_DEBUG=PREDT while work runs."""
        heard = []
        gdal.PushErrorHandler(lambda level, number, message: heard.append(message))
        gdal.SetConfigOption("CPL_DEBUG", "PREDT")
        try:
            work()
        finally:
            gdal.SetConfigOption("CPL_DEBUG", None)
            gdal.PopErrorHandler()
        return heard

    def indexes_made(self, work):
        return sum("index: 0 %" in line for line in self.debug_lines(work))

    def test_opening_reads_no_pixel(self):
        source, _ = self.scattered()
        self.assertEqual(self.indexes_made(lambda: self.open(f"PREDT:distance:{source}")), 0)
        self.assertEqual(self.indexes_made(lambda: self.pixels(f"PREDT:distance:{source}")), 1)

    def test_a_layer_opened_twice_has_one_index(self):
        source, _ = self.scattered()
        named = self.write_file("a.predt", {"source": "in.tif"})
        self.assertEqual(self.indexes_made(lambda: [self.pixels(f"PREDT:distance:{source}") for _ in range(3)]), 1)
        self.assertEqual(self.indexes_made(lambda: self.pixels(named)), 0)
        self.assertEqual(self.indexes_made(lambda: self.pixels(f"PREDT:direction:{source}")), 0)
        self.assertEqual(self.indexes_made(lambda: self.pixels(f"PREDT:distance:{source}", VALUES=5)), 1)
        self.assertEqual(self.indexes_made(lambda: self.pixels(f"PREDT:distance:{source}", MAXDIST=5)), 1)

    def test_threads_with_a_handle_each(self):
        source, _ = self.scattered(rows=1500, cols=1100, density=0.001)
        whole = {"distance": self.command_answers(source), "allocation": self.command_answers(source, product="allocation")}
        wrong, made = [], []

        def read(seed):
            random = np.random.default_rng(seed)
            product = ("distance", "allocation")[seed % 2]
            band = None
            opened = gdal.Open(f"PREDT:{product}:{source}")
            band = opened.GetRasterBand(1)
            for _ in range(15):
                col, row = int(random.integers(1000)), int(random.integers(1400))
                got = band.ReadAsArray(col, row, 100, 100)
                if got.tobytes() != np.ascontiguousarray(whole[product][row:row + 100, col:col + 100]).tobytes():
                    wrong.append((seed, col, row))
            made.append(seed)

        threads = [threading.Thread(target=read, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((wrong, sorted(made)), ([], list(range(8))))

    def test_a_source_that_changes(self):
        source = self.make("in.tif", targets(1, 6, (0, 0, 1)))
        first = self.open(f"PREDT:distance:{source}")
        self.assert_same(first.ReadAsArray(), [np.arange(6)])
        late = self.open(f"PREDT:distance:{source}")
        self.make("in.tif", targets(1, 6, (0, 5, 1)))
        self.assert_same(first.ReadAsArray(0, 0, 3, 1), [np.arange(3)])  # what was read stays
        self.assert_same(self.pixels(f"PREDT:distance:{source}"), [np.arange(6)[::-1]])
        with self.assertRaisesRegex(RuntimeError, "has changed since it was opened"):
            late.ReadAsArray()

    def test_a_source_in_memory_that_changes_within_a_second(self):
        name = "/vsimem/changing.tif"
        self.addCleanup(gdal.Unlink, name)
        for col in range(6):
            made = gdal.GetDriverByName("GTiff").Create(name, 6, 1)
            made.WriteArray(targets(1, 6, (0, col, 1)).astype(np.uint8))
            made = None
            self.assert_same(self.pixels(f"PREDT:distance:{name}"), [np.abs(np.arange(6) - col)])

    def test_a_settled_source_in_memory_is_shared(self):
        name = "/vsimem/settled.tif"
        self.addCleanup(gdal.Unlink, name)
        gdal.Translate(name, self.scattered()[0])
        time.sleep(2.5)
        self.assertEqual(self.indexes_made(lambda: [self.pixels(f"PREDT:distance:{name}") for _ in range(3)]), 1)

    def test_many_indexes_in_turn(self):
        for number in range(40):
            source = self.make(f"{number}.tif", targets(1, 50, (0, number, 1)))
            self.assert_same(self.pixels(f"PREDT:distance:{source}"), [np.abs(np.arange(50) - number)])
        self.assert_same(self.pixels(f"PREDT:distance:{self.path('3.tif')}"), [np.abs(np.arange(50) - 3)])

    # ---- Circles ----

    def test_a_file_that_names_itself(self):
        self.refuse_open(self.write_file("self.predt", {"source": "self.predt"}), "recursively")
        self.write_file("a.predt", {"source": "b.predt"})
        self.refuse_open(self.write_file("b.predt", {"source": "a.predt"}), "recursively")

    def circle(self):
        """a.predt reads b.vrt, which reads a.predt: a VRT opens its sources when it is read."""
        path = self.make("in.tif", targets(40, 40, (3, 3, 1)))
        plain = self.write_file("a.predt", {"source": os.path.basename(path)})
        gdal.Translate(self.path("b.vrt"), plain, format="VRT").FlushCache()
        return self.write_file("a.predt", {"source": "b.vrt"})

    def test_a_circle_through_a_vrt(self):
        circle = self.open(self.circle())
        with self.assertRaisesRegex(RuntimeError, "made from itself"):
            circle.ReadAsArray()

    def test_a_source_of_a_source_is_read_once(self):
        source, _ = self.scattered()
        inner = f"PREDT:{source}?maxdist=4&fixedvalue=1&nodata=0&ot=Byte"
        self.assertEqual(self.indexes_made(lambda: [self.pixels(f"PREDT:distance:{inner}") for _ in range(2)]), 2)


if __name__ == "__main__":
    unittest.main()
