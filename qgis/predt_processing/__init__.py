"""A Processing provider over the command gdal_predt."""


def classFactory(iface):
    from .plugin import PredtPlugin
    return PredtPlugin()
