"""Beside the list of units in a dialog stands what distances will be there: "metres on WGS 84"."""
from qgis.core import QgsProcessingContext, QgsProcessingException, QgsProject
from qgis.gui import QgsGui, QgsProcessingGui

from .measure import in_words_on

# Dialogs of Processing by the name of their class, as Processing itself tells them apart.
BATCH, MODELER = ("BatchAlgorithmDialog",), ("ModelerParametersDialog",)


class UnitsWidget:
    """What Processing makes of the parameter is QGIS's own widget, whose label is kept up to date."""

    def __new__(cls, parameter, dialog, row=0, col=0):
        registry, kind = QgsGui.processingGuiRegistry(), type(dialog).__name__
        if kind in MODELER:
            widget = registry.createModelerParameterWidget(dialog.model, dialog.childId, parameter, dialog.context)
        else:
            types = QgsProcessingGui.WidgetType
            widget = registry.createParameterWidgetWrapper(parameter, types.Batch if kind in BATCH else types.Standard)
        widget.setDialog(dialog)
        if kind not in MODELER + BATCH:
            widget.postInitialize = lambda others: follow(widget, others)
        return widget


def follow(widget, others):
    """Tells again whenever one of the dialog's values changes."""
    for other in others:
        other.widgetValueHasChanged.connect(lambda *unused: tell(widget, others))
    tell(widget, others)


def tell(widget, others):
    label, parameter = widget.wrappedLabel(), widget.parameterDefinition()
    if label is not None:
        measure = in_dialog(parameter.algorithm(), {other.parameterDefinition().name(): other.parameterValue()
                                                    for other in others})
        label.setText(f"{parameter.description()}: {measure}" if measure else parameter.description())


def in_dialog(algorithm, parameters):
    """Empty while the values do not say it."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    try:
        crs = algorithm.measured_crs(parameters, context)
    except QgsProcessingException:
        return ""
    return in_words_on(crs, algorithm.unit(parameters, context), algorithm.metric(parameters, context)) if crs else ""
