"""Names, colours and a style for an allocation; and finished rasters put in their places."""
import os
import shutil

import numpy as np
from osgeo import gdal
from qgis.core import QgsPalettedRasterRenderer, QgsProcessingException, QgsProcessingFeedback, QgsRasterLayer
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtGui import QColor

from .command import run_command
from .grid import Grid
from .outputs import refuse_container, sign
from .sources import listed_files, same_file
from .styles import without_legend
from .working import OLD, WorkingFolder

translate = QCoreApplication.translate
SAMPLE = 64         # side of a raster that is tried in a format
MOST_STYLED = 5000  # facilities; a longer legend is of no use to anyone


# ---- What the values mean ----

def describe_allocation(path, facilities, found, colours):
    """Attribute table (value, name, pixels, colour), and a colour table where the type allows one. facilities: by value."""
    opened = gdal.Open(path, gdal.GA_Update)
    if opened is None:
        raise QgsProcessingException(translate("predt", "{0} cannot be given names and colours: {1}").format(
            path, gdal.GetLastErrorMsg()))
    band = opened.GetRasterBand(1)
    if band.DataType in (gdal.GDT_Byte, gdal.GDT_UInt16):
        table = gdal.ColorTable()
        for facility, colour in zip(facilities, colours):
            table.SetColorEntry(facility.value, (*colour, 255))
        band.SetColorTable(table)
    band.SetDefaultRAT(attribute_table(facilities, found, colours))
    band.SetDescription(translate("predt", "nearest facility"))
    band = opened = None


def attribute_table(facilities, found, colours):
    table = gdal.RasterAttributeTable()
    for name, kind, usage in (("Value", gdal.GFT_Integer, gdal.GFU_MinMax), ("Name", gdal.GFT_String, gdal.GFU_Name),
                              ("Count", gdal.GFT_Real, gdal.GFU_PixelCount), ("Red", gdal.GFT_Integer, gdal.GFU_Red),
                              ("Green", gdal.GFT_Integer, gdal.GFU_Green), ("Blue", gdal.GFT_Integer, gdal.GFU_Blue)):
        table.CreateColumn(name, kind, usage)
    table.SetRowCount(len(facilities))
    for row, (facility, colour) in enumerate(zip(facilities, colours)):
        table.SetValueAsInt(row, 0, facility.value)
        table.SetValueAsString(row, 1, facility.name)
        table.SetValueAsDouble(row, 2, float(found.pixels[row]))
        for column, part in enumerate(colour, 3):
            table.SetValueAsInt(row, column, part)
    return table


def write_style(raster, path, facilities, found, colours):
    """The .qml beside an allocation, which QGIS takes by itself: a legend with names, or for very many facilities their colours
    alone. Facilities that serve no pixel are left out."""
    layer = QgsRasterLayer(raster, "allocation")
    shown = [(facility.value, QColor(*colour), facility.name)
             for facility, colour, pixels in zip(facilities, colours, found.pixels) if pixels]
    if len(shown) <= MOST_STYLED:
        classes = [QgsPalettedRasterRenderer.Class(*one) for one in shown]
        layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, classes))
    else:
        layer.setRenderer(without_legend(layer.dataProvider(), shown))
    layer.saveNamedStyle(path)
    sign(path)


# ---- Places ----

class Place:
    """A private folder beside an output, in which its files are made complete; `with` removes it whatever happens. Where the
    output is a link, the file that it leads to is replaced."""

    def __init__(self, asked, title):
        self.asked, self.final, self.title = asked, os.path.realpath(asked), title
        self.format = None

    def __enter__(self):
        parent, name = os.path.split(self.final)
        try:
            refuse_container(self.final)
            self.working = WorkingFolder(parent).__enter__()
            self.made, self.old = (os.path.join(self.working.path, sub) for sub in ("made", OLD))
            os.mkdir(self.made)
            os.mkdir(self.old)
        except OSError as problem:
            raise QgsProcessingException(translate("predt", "{0} cannot be written: {1}").format(self.asked, problem.strerror))
        self.target = os.path.join(self.made, name)
        return self

    def __exit__(self, *unused):
        self.working.__exit__()

    @property
    def path(self):
        """Where gdal_predt writes: GeoTIFF, since the result is worked on in place."""
        return self.target if self.format == "GTiff" else os.path.join(self.working.path, "working.tif")

    def choose_format(self, kind, grid, options):
        """As for the other algorithms gdal_predt decides which format a name asks for, and whether it can be: by doing it."""
        sample = os.path.join(self.working.path, "sample.tif")
        small = Grid(SAMPLE, SAMPLE, grid.transform, grid.crs, grid.projection).create(sample, kind, 0)
        small.GetRasterBand(1).WriteArray(np.arange(1, SAMPLE * SAMPLE + 1).reshape(SAMPLE, SAMPLE) % 101)
        small = None
        self.write([*options, "-distance" if kind == gdal.GDT_Float32 else "-allocation", self.target, sample],
                   QgsProcessingFeedback(False))
        opened = gdal.Open(self.target)
        if opened is None:
            why = gdal.GetLastErrorMsg()
            raise QgsProcessingException(translate("predt", "{0} cannot be written: {1}").format(self.asked, why))
        self.format = opened.GetDriver().ShortName
        opened = None
        shutil.rmtree(self.made)
        os.mkdir(self.made)

    def write(self, arguments, feedback):
        """Runs gdal_predt with our name for the file in its complaints. Returns False after a cancel."""
        try:
            return run_command(["--overwrite", *arguments], feedback,
                               translate("predt", "Writing {}").format(self.asked)) is not None
        except QgsProcessingException as problem:
            raise QgsProcessingException(str(problem).replace(self.target, self.asked))

    def convert(self, options, feedback):
        """Turns the GeoTIFF into the format that the output's name asks for. Returns False after a cancel."""
        if self.format == "GTiff":
            return True
        opened = gdal.Open(self.path)
        description = opened.GetRasterBand(1).GetDescription()
        opened = None
        # Each known pixel is a target, so that its nearest target is itself: a copy.
        if not self.write([*options, "-values", "notnodata", "-use_input_nodata", "YES", "-allocation", self.target, self.path],
                          feedback):
            return False
        opened = gdal.Open(self.target)
        opened.GetRasterBand(1).SetDescription(description)
        opened = None
        return True

    def moves(self):
        """(file, final name) of all files, the raster itself last."""
        parent, name = os.path.split(self.final)
        files = sorted(os.listdir(self.made), key=lambda file: file == name)
        return [(os.path.join(self.made, file), os.path.join(parent, file)) for file in files]

    def refuse_strangers(self, inputs):
        """A file of an input, or one that belongs neither to this raster nor to the one it replaces, is not overwritten."""
        own = listed_files(self.final, gdal.OF_RASTER) if os.path.exists(self.final) else []
        for _, target in self.moves():
            mine = target.startswith(self.final) or target.endswith(".qml") or any(same_file(target, file) for file in own)
            if os.path.lexists(target) and (not mine or any(same_file(target, file) for file in inputs)):
                text = translate("predt", "{0} needs the file {1}, which is there and belongs to something else: choose "
                                          "another name.")
                raise QgsProcessingException(text.format(self.asked, target))


def put_all(places, inputs):
    """All rasters to their final names, or none. What belonged to older rasters of these names goes."""
    for place in places:
        place.refuse_strangers(inputs)
    undo = []
    try:
        for place in places:
            moves = place.moves()
            new = {target for _, target in moves}
            for suffix in (".aux.xml", ".ovr", ".msk"):
                if place.final + suffix not in new:
                    put_aside(place, place.final + suffix, undo, False)
            for file, target in moves:
                put_aside(place, target, undo, True)
                settle(file)
                os.replace(file, target)
    except OSError as problem:
        for target, kept in reversed(undo):
            os.replace(kept, target) if kept else os.path.exists(target) and os.remove(target)
        name = problem.filename2 or problem.filename
        raise QgsProcessingException(translate("predt", "{0} cannot be put in place: {1}").format(name, problem.strerror))


def put_aside(place, target, undo, is_replaced):
    """Keeps an old file until all is well; where it is replaced, under its name too, so that at no moment there is none."""
    if not os.path.lexists(target):
        if is_replaced:
            undo.append((target, None))
        return
    kept = os.path.join(place.old, os.path.basename(target))
    try:
        if not is_replaced:
            raise OSError
        os.link(target, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a folder, or a file system without links
        os.replace(target, kept)
    undo.append((target, kept))


def settle(file):
    """On the disk before it has its name."""
    if os.path.isfile(file):
        with open(file, "rb+") as opened:
            os.fsync(opened.fileno())
