"""Names, colours and a style for an allocation; and finished rasters put in their places."""
import os
import shutil
import tempfile

from osgeo import gdal
from qgis.core import QgsPalettedRasterRenderer, QgsProcessingException, QgsRasterFileWriter, QgsRasterLayer
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtGui import QColor

translate = QCoreApplication.translate
MOST_STYLED = 5000  # facilities; a longer legend is of no use to anyone


# ---- What the values mean ----

def describe_allocation(path, facilities, found, colours):
    """Attribute table (value, name, pixels, colour), and a colour table where the type allows one. facilities: by value."""
    opened = gdal.Open(path, gdal.GA_Update)
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


def write_style(path, facilities, found, colours):
    """The .qml beside an allocation, which QGIS takes by itself; facilities that serve no pixel are left out of the legend."""
    layer = QgsRasterLayer(path, "allocation")
    classes = [QgsPalettedRasterRenderer.Class(facility.value, QColor(*colour), facility.name)
               for facility, colour, pixels in zip(facilities, colours, found.pixels) if pixels]
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, classes[:MOST_STYLED]))
    layer.saveNamedStyle(os.path.splitext(path)[0] + ".qml")


# ---- Places ----

class Place:
    """A folder beside the output, in which its files are made complete; `with` removes it whatever happens."""

    def __init__(self, final):
        self.final = os.path.abspath(final)
        self.is_tiff = self.final.lower().endswith((".tif", ".tiff"))

    def __enter__(self):
        parent, name = os.path.split(self.final)
        try:
            self.folder = tempfile.mkdtemp(prefix=".predt-", dir=parent)
        except OSError as problem:
            raise QgsProcessingException(translate("predt", "{0} cannot be written: {1}").format(self.final, problem.strerror))
        self.path = os.path.join(self.folder, name if self.is_tiff else os.path.splitext(name)[0] + ".tif")
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.folder, ignore_errors=True)

    def convert(self, creation_options):
        """Turns the GeoTIFF into the format that the output's name asks for."""
        if self.is_tiff:
            return
        made = os.path.join(self.folder, os.path.basename(self.final))
        form = QgsRasterFileWriter.driverForExtension(os.path.splitext(self.final)[1])
        why = translate("predt", "its format is not known")
        try:
            done = gdal.Translate(made, self.path, format=form, creationOptions=creation_options) if form else None
        except RuntimeError as problem:  # where somebody has switched GDAL's exceptions on
            done, why = None, problem
        if done is None:
            why = gdal.GetLastErrorMsg() or why
            raise QgsProcessingException(translate("predt", "{0} cannot be written: {1}").format(self.final, why))
        done = None
        gdal.GetDriverByName("GTiff").Delete(self.path)

    def put(self):
        """All files to their final names, the raster itself last; what belonged to an older raster of that name goes."""
        parent, name = os.path.split(self.final)
        for suffix in (".aux.xml", ".ovr", ".msk"):
            if os.path.exists(self.final + suffix):
                os.remove(self.final + suffix)
        for file in sorted(os.listdir(self.folder), key=lambda file: file == name):
            os.replace(os.path.join(self.folder, file), os.path.join(parent, file))
