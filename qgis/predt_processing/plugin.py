"""What QGIS loads: puts the provider into the registry, and takes it out again."""
import os

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

from .provider import PredtProvider

HERE = os.path.dirname(__file__)


class PredtPlugin:
    def __init__(self):
        self.provider = None
        self.translator = self.load_translation()

    @staticmethod
    def load_translation():
        """i18n/predt_xx.qm for the language of QGIS, where there is one; has to outlive the texts."""
        language = str(QgsSettings().value("locale/userLocale", "en"))[:2]
        translator = QTranslator()
        if translator.load(os.path.join(HERE, "i18n", f"predt_{language}.qm")):
            QCoreApplication.installTranslator(translator)
        return translator

    def initProcessing(self):
        self.provider = PredtProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()

    def unload(self):
        QCoreApplication.removeTranslator(self.translator)
        if self.provider:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
