"""What a folder holds, byte for byte, and whether two rasters are the same whatever their bytes."""
import contextlib
import os
import stat

import numpy as np
from osgeo import gdal

gdal.UseExceptions()
LINK = "link"


def snapshot(folder):
    """Each name below the folder -> its content and mode; None for a folder; for a link where it leads to."""
    held = {}
    for place, folders, files in os.walk(folder):
        for name in folders:
            held[os.path.relpath(os.path.join(place, name), folder)] = None
        for name in files:
            path = os.path.join(place, name)
            if os.path.islink(path):
                held[os.path.relpath(path, folder)] = (os.readlink(path).encode(), LINK)
                continue
            with open(path, "rb") as file:
                content = file.read()
            held[os.path.relpath(path, folder)] = (content.replace(folder.encode(), b"{}"), stat.S_IMODE(os.stat(path).st_mode))
    return held


def fill(folder, held):
    """Makes the folder hold that and nothing else; it must be empty."""
    for name, content in sorted(held.items()):
        path = os.path.join(folder, name)
        if content is None:
            os.mkdir(path)
            continue
        if content[1] is LINK:
            os.symlink(content[0].decode(), path)
            continue
        with open(path, "wb") as file:
            file.write(content[0].replace(b"{}", folder.encode()) if b"{}" in content[0] else content[0])
        os.chmod(path, content[1])


def band_facts(band):
    return (band.DataType, band.GetNoDataValue(), band.GetDescription(), band.GetUnitType(), band.GetOverviewCount(),
            [band.GetOverview(i).XSize for i in range(band.GetOverviewCount())])


def facts(path):
    """Everything that a reader sees of a raster, those inside a container included."""
    opened = gdal.Open(path)
    inside = [facts(name) for name, _ in opened.GetSubDatasets()]
    bands = [opened.GetRasterBand(number + 1) for number in range(opened.RasterCount)]
    return [repr((opened.RasterXSize, opened.RasterYSize, opened.GetProjection(), opened.GetGeoTransform(can_return_null=True),
                  [band_facts(band) for band in bands])),
            [band.ReadAsArray() for band in bands],
            [band.GetOverview(i).ReadAsArray() for band in bands for i in range(band.GetOverviewCount())],
            inside]


def same(one, other):
    if isinstance(one, list):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other))
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other


def same_raster(path, expected):
    try:
        with gdal.quiet_errors() if hasattr(gdal, "quiet_errors") else contextlib.nullcontext():
            return same(facts(path), expected)
    except (RuntimeError, AttributeError):
        return False
