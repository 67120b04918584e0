"""How the outputs look when QGIS loads them: files of the folder styles, fitted to the data."""
import os

from qgis.core import QgsPalettedRasterRenderer, QgsProcessingLayerPostProcessorInterface
from qgis.PyQt.QtGui import QColor

from .colours import palette

STYLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

MOST_PIXELS = 1 << 24  # for colours by value all pixels are read, while QGIS waits
MOST_VALUES = 1000     # a longer legend is of no use

_waiting = {}  # Python's end of the post-processors has to live until QGIS has called them


class Styling(QgsProcessingLayerPostProcessorInterface):
    """A subclass says what it does to the layer."""

    def postProcessLayer(self, layer, context, feedback):
        self.style(layer)
        layer.triggerRepaint()
        layer.emitStyleChanged()
        _waiting.pop(id(self), None)


class ByValue(Styling):
    """A colour for each value of an allocation, unless its raster brought colours along or is too large to look through."""

    def style(self, layer):
        if layer.renderer().type() == "paletted" or layer.width() * layer.height() > MOST_PIXELS:
            return
        classes = QgsPalettedRasterRenderer.classDataFromRaster(layer.dataProvider(), 1)
        if len(classes) <= MOST_VALUES:
            colours = palette()
            for index, one in enumerate(classes):
                one.color = QColor(*colours[index % len(colours)])
            layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, classes))


class FromFile(Styling):
    def __init__(self, path, largest=None):
        super().__init__()
        self.path, self.largest = path, largest

    def style(self, layer):
        layer.loadNamedStyle(self.path)
        if self.largest is not None:
            renderer = layer.renderer().clone()
            spread(renderer, self.largest)
            layer.setRenderer(renderer)  # tells the legend


def spread(renderer, largest):
    """Stretches the colours of a distance from 0 to its largest value."""
    shader = renderer.shader().rasterShaderFunction()
    shader.setMinimumValue(0.0)
    shader.setMaximumValue(largest)
    renderer.setClassificationMin(0.0)
    renderer.setClassificationMax(largest)
    shader.classifyColorRamp(band=1)


def when_loaded(path, styling, context):
    """If the algorithm's caller is going to load the raster at this path, it is styled then."""
    if context.willLoadLayerOnCompletion(path):
        _waiting[id(styling)] = styling
        context.layerToLoadOnCompletionDetails(path).setPostProcessor(styling)


def style_when_loaded(kind, path, summary, context):
    """A distance gets a ramp up to its largest value, a direction a circle of colours, an allocation colours by value."""
    farthest = summary["max_distance"]
    if kind == "distance" and farthest and farthest["value"] > 0:
        when_loaded(path, FromFile(os.path.join(STYLES, "distance.qml"), farthest["value"]), context)
    elif kind == "direction":
        when_loaded(path, FromFile(os.path.join(STYLES, "direction.qml")), context)
    elif kind == "allocation":
        when_loaded(path, ByValue(), context)
