// The options of a PREDT dataset, for people and for programs that build forms of them. options.cpp
// takes the same.
#ifndef PREDT_OPTIONS_XML_H
#define PREDT_OPTIONS_XML_H

#define PREDT_OPTIONS_XML                                                                          \
    "<OpenOptionList>"                                                                             \
    "  <Option name='PRODUCT' type='string-select' default='distance' description='What the "      \
    "pixels hold'>"                                                                                \
    "    <Value>distance</Value><Value>allocation</Value><Value>direction</Value>"                 \
    "  </Option>"                                                                                  \
    "  <Option name='BAND' type='int' default='1' min='1' description='Band of the source'/>"      \
    "  <Option name='VALUES' type='string' description='Target pixels: numbers, ranges 10:20 "     \
    "(both ends taken) and "                                                                       \
    "notnodata, separated by commas. Default: every pixel that is not zero, nodata or NaN'/>"      \
    "  <Option name='DISTUNITS' type='string-select' default='PIXEL' description='Unit of "        \
    "distances; GEO is the unit of "                                                               \
    "the CRS'>"                                                                                    \
    "    "                                                                                         \
    "<Value>PIXEL</Value><Value>GEO</Value><Value>METRE</Value><Value>KM</Value><Value>FOOT</"     \
    "Value>"                                                                                       \
    "    <Value>US_FOOT</Value><Value>MILE</Value><Value>NMI</Value>"                              \
    "  </Option>"                                                                                  \
    "  <Option name='MAXDIST' type='float' min='0' description='Farther targets do not count; "    \
    "inclusive'/>"                                                                                 \
    "  <Option name='MINDIST' type='float' min='0' description='Pixels nearer than this become "   \
    "nodata'/>"                                                                                    \
    "  <Option name='NODATA' type='string' description='Nodata value. Default: NaN, or the "       \
    "largest value of an integer "                                                                 \
    "type'/>"                                                                                      \
    "  <Option name='USE_INPUT_NODATA' type='boolean' default='NO' description='Nodata pixels of " \
    "the source become nodata'/>"                                                                  \
    "  <Option name='FIXED_BUF_VAL' type='float' description='Value of pixels with a target in "   \
    "reach, instead of the "                                                                       \
    "distance'/>"                                                                                  \
    "  <Option name='OT' type='string' default='Float32' description='Data type of distances'/>"   \
    "  <Option name='ENGINE' type='string' default='auto' description='Engine that solves, see "   \
    "gdal_predt -engines'/>"                                                                       \
    "  <Option name='DEVICE' type='int' min='0' default='0' description='CUDA device, counted "    \
    "from 0'/>"                                                                                    \
    "  <Option name='GPU_MEMORY' type='string' description='Most memory to take on that device, "  \
    "as 4G'/>"                                                                                     \
    "  <Option name='THREADS' type='string' default='ALL_CPUS' description='Number of threads'/>"  \
    "  <Option name='MEMORY' type='string' description='Memory for index and strips, as 512M or "  \
    "4G. Default: a quarter of "                                                                   \
    "the RAM'/>"                                                                                   \
    "</OpenOptionList>"

#endif
