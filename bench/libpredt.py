"""The part of predt.h that the benchmarks call, through ctypes.

Each struct has the first members of its namesake in the header, up to the last that is needed here:
by its size the library knows that the others keep their defaults. tests/bench/structs.py compares
them with the header."""

import ctypes as c
import math

LABEL_NONE, LABEL_32 = 0, 4
METRIC_MAP = 0


class Options(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("engine", c.c_char_p),
        ("threads", c.c_int),
        ("index_memory", c.c_int64),
        ("temp_dir", c.c_char_p),
        ("log", c.c_void_p),
        ("log_user", c.c_void_p),
    ]


class Globe(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("first_latitude", c.c_double),
        ("latitude_step", c.c_double),
        ("longitude_step", c.c_double),
        ("semi_major_axis", c.c_double),
        ("flattening", c.c_double),
    ]


class Grid(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("width", c.c_int64),
        ("height", c.c_int64),
        ("col_step", c.c_double * 2),
        ("row_step", c.c_double * 2),
        ("metric", c.c_int),
        ("max_distance", c.c_double),
        ("globe", c.c_void_p),
    ]


class Window(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("col", c.c_int64),
        ("row", c.c_int64),
        ("cols", c.c_int64),
        ("rows", c.c_int64),
    ]


class Outputs(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("stride", c.c_int64),
        ("distance", c.c_void_p),
        ("distance2", c.c_void_p),
        ("label", c.c_void_p),
        ("no_label", c.c_uint64),
        ("nearest_col", c.c_void_p),
        ("nearest_row", c.c_void_p),
        ("direction", c.c_void_p),
    ]


class Context:
    def __init__(self, path, engine, threads):
        self.lib = c.CDLL(path)
        self.lib.predt_message.argtypes = [c.c_void_p]
        self.lib.predt_message.restype = self.lib.predt_version.restype = c.c_char_p
        self.ctx = c.c_void_p()
        options = Options(size=c.sizeof(Options), engine=engine.encode(), threads=threads)
        self.need(self.lib.predt_open(c.byref(self.ctx), c.byref(options)))

    def need(self, status):
        if status:
            raise RuntimeError(self.lib.predt_message(self.ctx).decode())

    def transform(self, is_target, labels, distance, label):
        """numpy arrays, whole and row-major; labels and label may both be None."""

        def address(array):
            return None if array is None else c.c_void_p(array.ctypes.data)

        height, width = is_target.shape
        grid = Grid(c.sizeof(Grid), width, height, (1, 0), (0, -1), METRIC_MAP, math.inf)
        outputs = Outputs(size=c.sizeof(Outputs), distance=address(distance), label=address(label))
        self.need(
            self.lib.predt_transform(
                self.ctx,
                c.byref(grid),
                address(is_target),
                address(labels),
                LABEL_NONE if labels is None else LABEL_32,
                c.byref(outputs),
                None,
                None,
            )
        )


class GlobeIndex:
    """The targets of a longitude/latitude raster on WGS 84, in metres."""

    def __init__(self, path, threads, is_target, first_latitude, latitude_step, longitude_step):
        self.context = Context(path, "cpu", threads)
        self.lib = self.context.lib
        self.globe = Globe(
            c.sizeof(Globe), first_latitude, latitude_step, longitude_step, 6378137.0, 1 / 298.257223563
        )
        height, width = is_target.shape
        grid = Grid(c.sizeof(Grid), width, height, (1, 0), (0, -1), METRIC_MAP, math.inf)
        grid.globe = c.addressof(self.globe)
        self.index = c.c_void_p()
        self.lib.predt_index_add.argtypes = [c.c_void_p, c.c_int64, c.c_int32, c.c_void_p, c.c_void_p]
        self.context.need(
            self.lib.predt_index_create(self.context.ctx, c.byref(grid), LABEL_NONE, c.byref(self.index))
        )
        for row in range(0, height, 32):
            rows = min(32, height - row)
            address = is_target.ctypes.data + row * width
            self.context.need(self.lib.predt_index_add(self.index, row, rows, address, None))
        self.context.need(self.lib.predt_index_seal(self.index))

    def query(self, col, row, cols, rows, outputs, at, stride):
        """outputs: numpy arrays by the names of predt_outputs; the window goes to element `at` on."""
        window = Window(c.sizeof(Window), col, row, cols, rows)
        arrays = {name: array.ctypes.data + at * array.itemsize for name, array in outputs.items()}
        to = Outputs(size=c.sizeof(Outputs), stride=stride, **arrays)
        self.context.need(
            self.lib.predt_query(self.context.ctx, self.index, c.byref(window), c.byref(to))
        )

    def close(self):
        self.lib.predt_index_destroy(c.byref(self.index))
        self.lib.predt_close(c.byref(self.context.ctx))
