"""Run by QGIS Desktop for screenshots.sh: does what the tutorial tells, and takes a picture at each station."""
import os
import sys
import traceback

import processing
from qgis.core import (QgsCoordinateReferenceSystem, QgsMarkerSymbol, QgsPalLayerSettings, QgsProject,
                       QgsRasterLayer, QgsRectangle, QgsTextFormat, QgsVectorLayer, QgsVectorLayerSimpleLabeling)
from qgis.PyQt.QtCore import QEventLoop, QSize, Qt, QTimer
from qgis.PyQt.QtGui import QColor, QFont
from qgis.PyQt.QtWidgets import QDockWidget, QLineEdit, QToolBar
from qgis.utils import iface

OUT, DATA = os.environ["SHOTS_OUT"], os.environ["SHOTS_DATA"]
EXTENT = QgsRectangle(499500, 5375500, 530500, 5400500)
PARAMETERS = {"ID_FIELD": "id", "NAME_FIELD": "name", "REFERENCE_NODATA": True, "UNITS": 3,
              "DISTANCE": os.path.join(DATA, "km.tif"), "ALLOCATION": os.path.join(DATA, "nearest.tif"),
              "TABLE": os.path.join(DATA, "served.gpkg")}


def settle(milliseconds):
    """Lets QGIS draw."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec() if hasattr(loop, "exec") else loop.exec_()


def shoot(widget, name):
    settle(1500)
    assert widget.grab().save(os.path.join(OUT, f"qgis-{name}.png"))


def only_docks(*wanted):
    window = iface.mainWindow()
    for dock in window.findChildren(QDockWidget):
        dock.setVisible(dock.objectName() in wanted)
    for bar in window.findChildren(QToolBar):
        bar.setVisible(bar.objectName() in ("mFileToolBar", "mMapNavToolBar", "mAttributesToolBar"))


def load_hospitals():
    points = QgsVectorLayer(os.path.join(DATA, "hospitals.geojson"), "hospitals", "ogr")
    points.renderer().setSymbol(QgsMarkerSymbol.createSimple({"name": "circle", "color": "white", "size": "2.4",
                                                              "outline_color": "#1e1e28", "outline_width": "0.6"}))
    text = QgsTextFormat()
    text.setFont(QFont("DejaVu Sans"))
    text.setSize(7)
    text.buffer().setEnabled(True)
    text.buffer().setSize(0.7)
    labels = QgsPalLayerSettings()
    labels.fieldName = "name"
    labels.dist = 1.5
    labels.setFormat(text)
    points.setLabeling(QgsVectorLayerSimpleLabeling(labels))
    points.setLabelsEnabled(True)
    raster = QgsRasterLayer(os.path.join(DATA, "hospitals.tif"), "hospitals (raster)", "gdal")
    QgsProject.instance().addMapLayers([raster, points])
    on_top(points)
    return points, raster


def on_top(layer):
    tree = QgsProject.instance().layerTreeRoot()
    node = tree.findLayer(layer.id())
    tree.insertChildNode(0, node.clone())
    tree.removeChildNode(node)


def show_map(unfolded=None):
    """With the legend of one layer at most."""
    settle(1500)  # QGIS takes the first layer's CRS for the project, a little later
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:32633"))
    view = iface.layerTreeView()
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        (view.expand if node.layer() is unfolded else view.collapse)(view.node2index(node))
    canvas = iface.mapCanvas()
    canvas.setCanvasColor(QColor("#d6e2ea"))
    canvas.setExtent(EXTENT)
    canvas.refresh()
    canvas.waitWhileRendering()


def toolbox():
    dock = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
    dock.setMinimumWidth(370)
    next(edit for edit in dock.findChildren(QLineEdit)).setText("predt")
    return dock


def run_dialog(points, raster):
    parameters = {**PARAMETERS, "FACILITIES": points.id(), "REFERENCE": raster.id()}
    dialog = processing.createAlgorithmDialog("predt:nearestfacility", parameters)
    dialog.resize(QSize(900, 700))
    dialog.show()
    shoot(dialog, "dialog")
    dialog.runAlgorithm()
    for _ in range(100):
        settle(200)
        if len(QgsProject.instance().mapLayers()) >= 5:
            break
    settle(500)
    dialog.close()


def show_only(visible, hidden):
    tree = QgsProject.instance().layerTreeRoot()
    for layer in hidden:
        tree.findLayer(layer.id()).setItemVisibilityChecked(False)
    tree.findLayer(visible.id()).setItemVisibilityChecked(True)
    show_map(visible)


def show_table(table):
    """The largest area first."""
    columns = table.attributeTableConfig()
    columns.update(table.fields())
    columns.setSortExpression('"area"')
    columns.setSortOrder(Qt.SortOrder.DescendingOrder)
    for index, field in enumerate(table.fields()):
        columns.setColumnWidth(index, 150 if field.name() == "name" else 85)
    columns.setColumnHidden(0, True)  # the number of the line in the GeoPackage
    table.setAttributeTableConfig(columns)
    shown = iface.showAttributeTable(table)
    shown.resize(QSize(760, 430))
    shoot(shown, "table")


def tour():
    window = iface.mainWindow()
    window.showNormal()
    window.resize(1240, 760)
    settle(1500)
    points, raster = load_hospitals()
    only_docks("Layers", "ProcessingToolbox")
    toolbox()
    show_map()
    shoot(window, "toolbox")
    run_dialog(points, raster)
    made = {layer.source().split("|")[0]: layer for layer in QgsProject.instance().mapLayers().values()}
    distance, nearest, served = (made[PARAMETERS[name]] for name in ("DISTANCE", "ALLOCATION", "TABLE"))
    only_docks("Layers")
    on_top(points)
    show_only(nearest, (raster, distance))
    shoot(window, "map")
    show_only(distance, (nearest,))
    shoot(window, "distance")
    show_table(served)


def start():
    try:
        tour()
    except Exception:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(0)


QTimer.singleShot(3000, start)
