// The options of a PREDT dataset, for people and for programs that build forms of them.
// Generated from src/raster/option_table.c by tests/options/generated.py: do not edit.
#ifndef PREDT_OPTIONS_XML_H
#define PREDT_OPTIONS_XML_H

#define PREDT_OPTIONS_XML                                                                          \
    "<OpenOptionList>"                                                                             \
    "  <Option name='PRODUCT' type='string-select' default='distance' description='What the "      \
    "pixels hold'>"                                                                                \
    "    <Value>distance</Value>"                                                                  \
    "    <Value>allocation</Value>"                                                                \
    "    <Value>direction</Value>"                                                                 \
    "  </Option>"                                                                                  \
    "  <Option name='BAND' type='int' default='1' min='1' description='Band of the source to "     \
    "read'/>"                                                                                      \
    "  <Option name='VALUES' type='string' description='Target pixels: numbers, ranges 10:20 "     \
    "(both ends taken), nan and notnodata, separated by commas. Default: every pixel that is "     \
    "not zero, nodata or NaN'/>"                                                                   \
    "  <Option name='DISTUNITS' type='string-select' default='PIXEL' description='Unit of "        \
    "distances, GEO being the CRS&apos;s own'>"                                                    \
    "    <Value>PIXEL</Value>"                                                                     \
    "    <Value>GEO</Value>"                                                                       \
    "    <Value>METRE</Value>"                                                                     \
    "    <Value>KM</Value>"                                                                        \
    "    <Value>FOOT</Value>"                                                                      \
    "    <Value>US_FOOT</Value>"                                                                   \
    "    <Value>MILE</Value>"                                                                      \
    "    <Value>NMI</Value>"                                                                       \
    "  </Option>"                                                                                  \
    "  <Option name='METRIC' type='string-select' description='Where lengths are measured, "       \
    "on the CRS&apos;s plane or along its ellipsoid. Default: geodesic for lengths in a "          \
    "geographic CRS, else plane'>"                                                                 \
    "    <Value>plane</Value>"                                                                     \
    "    <Value>geodesic</Value>"                                                                  \
    "  </Option>"                                                                                  \
    "  <Option name='MAXDIST' type='float' min='0' description='Farther targets do not "           \
    "count; inclusive, in distance units. Default: no limit'/>"                                    \
    "  <Option name='MINDIST' type='float' default='0' min='0' description='Pixels nearer "        \
    "than this become nodata, in distance units'/>"                                                \
    "  <Option name='NODATA' type='string' description='Nodata value of the distance, and of "     \
    "an allocation whose source has none. Default: NaN, or the largest value of an integer "       \
    "type'/>"                                                                                      \
    "  <Option name='USE_INPUT_NODATA' type='boolean' default='NO' description='Nodata "           \
    "pixels of the source become nodata, unless they are targets'/>"                               \
    "  <Option name='FIXED_BUF_VAL' type='float' description='Value to write where a target "      \
    "is in reach, instead of the distance'/>"                                                      \
    "  <Option name='OT' type='string' default='Float32' description='Data type of a new "         \
    "distance raster'/>"                                                                           \
    "  <Option name='ENGINE' type='string' default='auto' description='Engine that solves, "       \
    "and its settings if it has any'/>"                                                            \
    "  <Option name='DEVICE' type='int' default='0' min='0' description='CUDA device to use, "     \
    "counted from 0'/>"                                                                            \
    "  <Option name='GPU_MEMORY' type='string' description='Maximum of memory to take on "         \
    "that device, as 512M or 4G. Default: what is free'/>"                                         \
    "  <Option name='THREADS' type='string' default='ALL_CPUS' description='Number of "            \
    "threads'/>"                                                                                   \
    "  <Option name='MEMORY' type='string' description='Memory for index, strips and "             \
    "GDAL&apos;s block cache together, as 512M or 4G; bytes without a suffix. Default: a "         \
    "quarter of the RAM'/>"                                                                        \
    "</OpenOptionList>"

#endif
