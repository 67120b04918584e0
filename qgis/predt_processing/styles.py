"""How the outputs look when QGIS loads them: files of the folder styles, fitted to the data."""
import os

from qgis.core import QgsProcessingLayerPostProcessorInterface

STYLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")

_waiting = {}  # Python's end of the post-processors has to live until QGIS has called them


class LoadStyle(QgsProcessingLayerPostProcessorInterface):
    def __init__(self, path, largest=None):
        super().__init__()
        self.path, self.largest = path, largest

    def postProcessLayer(self, layer, context, feedback):
        layer.loadNamedStyle(self.path)
        if self.largest is not None:
            spread(layer.renderer(), self.largest)
        layer.triggerRepaint()
        layer.emitStyleChanged()
        _waiting.pop(id(self), None)


def spread(renderer, largest):
    """Stretches the colours of a distance from 0 to its largest value."""
    shader = renderer.shader().rasterShaderFunction()
    shader.setMinimumValue(0.0)
    shader.setMaximumValue(largest)
    renderer.setClassificationMin(0.0)
    renderer.setClassificationMax(largest)
    shader.classifyColorRamp(band=1)


def load_with(path, style, context, largest=None):
    """If the algorithm's caller is going to load the raster at this path, it gets the style (a .qml file)."""
    if context.willLoadLayerOnCompletion(path):
        processor = LoadStyle(style, largest)
        _waiting[id(processor)] = processor
        context.layerToLoadOnCompletionDetails(path).setPostProcessor(processor)


def style_when_loaded(kind, path, summary, context):
    """A distance gets a ramp up to its largest value, a direction a circle of colours; an allocation keeps those of its input."""
    farthest = summary["max_distance"]
    if kind == "distance" and farthest and farthest["value"] > 0:
        load_with(path, os.path.join(STYLES, "distance.qml"), context, farthest["value"])
    elif kind == "direction":
        load_with(path, os.path.join(STYLES, "direction.qml"), context)
