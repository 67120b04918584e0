/* Units of distance, and the surfaces on which distances are measured, by name. */
#ifndef PREDT__UNITS_H
#define PREDT__UNITS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum predt__unit {
    PREDT__UNIT_PIXEL, /* pixels, whatever their shape */
    PREDT__UNIT_GEO,   /* the CRS's own unit */
    PREDT__UNIT_METRE,
    PREDT__UNIT_KM,
    PREDT__UNIT_FOOT,
    PREDT__UNIT_US_FOOT,
    PREDT__UNIT_MILE,
    PREDT__UNIT_NMI
} predt__unit;

/* Reads "PIXEL", "GEO", "METRE", ... whatever the case; false if there is no such unit. */
bool predt__unit_from_name(const char *name, predt__unit *unit);

/* The names by number, for messages; NULL after the last one. */
const char *predt__unit_name(int i);

/* Of a unit of length, exactly; 0 for PIXEL and GEO. */
double predt__unit_metres(predt__unit unit);

#define PREDT__UNIT_NAME 32

/* As a band's unit type; empty for GEO, whose name is the CRS's. Shorter than PREDT__UNIT_NAME. */
const char *predt__unit_of_band(predt__unit unit);

typedef enum predt__surface {
    PREDT__SURFACE_BY_CRS, /* nothing was said: the ellipsoid for lengths in a geographic CRS */
    PREDT__SURFACE_PLANE,
    PREDT__SURFACE_ELLIPSOID
} predt__surface;

/* Reads "plane" and "geodesic", whatever the case; false for other words. */
bool predt__surface_from_name(const char *name, predt__surface *surface);

/* The names by number, for messages; NULL after the last one. */
const char *predt__surface_name(int i);

#ifdef __cplusplus
}
#endif

#endif
