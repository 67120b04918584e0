"""The provider "predt" of the Processing toolbox, and its one setting: where gdal_predt lies."""
from processing.core.ProcessingConfig import ProcessingConfig, Setting
from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtGui import QIcon

from .algorithm import ICON
from .command import SETTING
from .nearest_facility import NearestFacility
from .raster_algorithms import Allocation, Direction, Proximity


class PredtProvider(QgsProcessingProvider):
    def id(self):
        return "predt"

    def name(self):
        return "predt"

    def longName(self):
        return self.tr("predt: exact distances and nearest targets")

    def icon(self):
        return QIcon(ICON)

    def svgIconPath(self):
        return ICON

    def tr(self, text):
        return QCoreApplication.translate("PredtProvider", text)

    def load(self):
        ProcessingConfig.settingIcons[self.name()] = self.icon()
        ProcessingConfig.addSetting(Setting(self.name(), SETTING, self.tr("Path of gdal_predt (empty: found on the PATH)"), "",
                                            valuetype=Setting.FILE))
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        ProcessingConfig.removeSetting(SETTING)

    def loadAlgorithms(self):
        for algorithm in (Proximity(), Allocation(), Direction(), NearestFacility()):
            self.addAlgorithm(algorithm)
