"""What a run on a grid will take, told before the work; and grids that cannot come out well refused."""
import os
import shutil

from qgis.core import QgsProcessingException
from qgis.PyQt.QtCore import QCoreApplication

from .grid import name_of, unit_of

translate = QCoreApplication.translate
INDEX = 0.15           # bytes a pixel of gdal_predt's index (docs/how-it-works.md)
SPARE = 300 << 20      # bytes that the plug-in and gdal_predt take besides
PIXELS_A_SECOND = 2.5e7  # burning, gdal_predt, the survey: 10,000 x 10,000 pixels and 1,000 points take 4 s on two old cores
LEAST_COMPRESSED = 20  # distances do not become smaller than a twentieth by any of GeoTIFF's lossless compressions


def in_words(size):
    """1.5 GB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def duration(seconds):
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(1, seconds):.0f} s"


def memory_of_machine():
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return 16 << 30


def tell_grid(grid, origin, feedback):
    """origin: where the CRS was taken from, in words."""
    pixels = grid.width * grid.height
    memory = min(INDEX * pixels, memory_of_machine() / 4) + SPARE
    across, down = ((one * one + other * other) ** 0.5 for one, other in
                    ((grid.transform[1], grid.transform[4]), (grid.transform[2], grid.transform[5])))
    feedback.pushInfo(translate("predt", "Grid: {0:,} x {1:,} pixels of {2:g} x {3:g} {4}, {5} ({6}).").format(
        grid.width, grid.height, across, down, unit_of(grid.crs), name_of(grid.crs), origin))
    feedback.pushInfo(translate("predt", "Distance and allocation take {0} before compression, the work about {1} of memory "
                                         "and {2}.").format(in_words(bytes_of(grid)), in_words(memory),
                                                            duration(pixels / PIXELS_A_SECOND)))


def bytes_of(grid, allocation_type=4):
    return grid.width * grid.height * (4 + allocation_type)


def refuse_without_room(grid, folders, compressed, allocation_type):
    """Where the disk that both rasters go to has no room for them."""
    need = bytes_of(grid, allocation_type) / (LEAST_COMPRESSED if compressed else 1)
    for folder in folders:
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            continue  # told when it is written to
        if need / len(folders) > free or len(set(folders)) == 1 and need > free:
            raise QgsProcessingException(translate(
                "predt", "{0:,} x {1:,} pixels need about {2} in {3}, where {4} are free: choose larger pixels, a smaller "
                         "extent or another folder.").format(grid.width, grid.height, in_words(need), folder, in_words(free)))
