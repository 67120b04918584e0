"""How the outputs look when QGIS loads them: files of the folder styles, fitted to the data."""
import os

from qgis.core import (QgsColorRampShader, QgsPalettedRasterRenderer, QgsProcessingLayerPostProcessorInterface,
                       QgsRasterBandStats, QgsRasterShader, QgsSingleBandPseudoColorRenderer)
from qgis.PyQt.QtGui import QColor

from .colours import palette
from .outputs import clear_style

STYLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

MOST_PIXELS = 1 << 24  # for colours by value all pixels are read, while QGIS waits
MOST_VALUES = 1000     # a longer legend is of no use
MOST_STEPS = 10000     # of a ramp over values that nobody has counted
SAMPLE = 250000        # pixels that QGIS looks at for their least and largest value

_waiting = {}  # Python's end of the post-processors has to live until QGIS has called them


class Styling(QgsProcessingLayerPostProcessorInterface):
    """A subclass says what it does to the layer."""

    def postProcessLayer(self, layer, context, feedback):
        self.style(layer)
        layer.triggerRepaint()
        layer.emitStyleChanged()
        _waiting.pop(id(self), None)


class ByValue(Styling):
    """A colour for each value of an allocation, unless its raster brought colours along."""

    def style(self, layer):
        provider, colours = layer.dataProvider(), palette()
        if layer.renderer().type() == "paletted":
            self.take_table(layer)
        elif layer.width() * layer.height() > MOST_PIXELS:
            layer.setRenderer(repeated(provider))
        else:
            classes = QgsPalettedRasterRenderer.classDataFromRaster(provider, 1)
            for index, one in enumerate(classes):
                one.color = QColor(*colours[index % len(colours)])
            shown = [(one.value, one.color, one.label) for one in classes]
            layer.setRenderer(QgsPalettedRasterRenderer(provider, 1, classes) if len(classes) <= MOST_VALUES
                              else without_legend(provider, shown))

    @staticmethod
    def take_table(layer):
        """QGIS 3.30 and later shows the rows of an attribute table, in random colours if it has none; the raster's own colours
        are in its colour table."""
        table = {item.value: item.color for item in layer.dataProvider().colorTable(1)}
        classes = layer.renderer().classes()
        for one in classes:
            one.color = table.get(one.value, one.color)
        if table:
            layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, classes))


def without_legend(provider, shown):
    """(value, colour, label) each as a step of a ramp, which takes one line in the legend: for very many values."""
    shown = sorted(shown, key=lambda one: one[0])
    items = [QgsColorRampShader.ColorRampItem(*one) for one in shown]
    function = QgsColorRampShader(shown[0][0], shown[-1][0], None, QgsColorRampShader.Type.Interpolated,
                                  QgsColorRampShader.ClassificationMode.Continuous)
    function.setColorRampItemList(items)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(function)
    renderer = QgsSingleBandPseudoColorRenderer(provider, 1, shader)
    renderer.setClassificationMin(shown[0][0])
    renderer.setClassificationMax(shown[-1][0])
    return renderer


def repeated(provider):
    """The palette over and over from the least to the largest value, where there are too many pixels to look at all."""
    statistics = provider.bandStatistics(1, QgsRasterBandStats.Stats.Min | QgsRasterBandStats.Stats.Max, provider.extent(),
                                         SAMPLE)
    low, high = statistics.minimumValue, max(statistics.maximumValue, statistics.minimumValue + 1)
    count, colours = int(min(high - low, MOST_STEPS)), palette()
    return without_legend(provider, [(low + (high - low) * step / count, QColor(*colours[step % len(colours)]), "")
                                     for step in range(count + 1)])


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


def style_when_loaded(kind, path, summary, context, feedback):
    """A distance gets a ramp up to its largest value, a direction a circle of colours, an allocation colours by value; unless a
    style of the user's lies beside it."""
    if clear_style(path, feedback):
        return
    farthest = summary["max_distance"]
    if kind == "distance" and farthest and farthest["value"] > 0:
        when_loaded(path, FromFile(os.path.join(STYLES, "distance.qml"), farthest["value"]), context)
    elif kind == "direction":
        when_loaded(path, FromFile(os.path.join(STYLES, "direction.qml")), context)
    elif kind == "allocation":
        when_loaded(path, ByValue(), context)
