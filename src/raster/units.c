#include "units.h"

#include <cpl_string.h>

/* In metres, exact by definition: the international foot and mile, the US survey foot, the nautical
 * mile. */
static const struct {
    const char *name, *band_unit;
    double metres;
} units[] = {
    [PREDT__UNIT_PIXEL] = {"PIXEL", "pixel", 0},
    [PREDT__UNIT_GEO] = {"GEO", "", 0},
    [PREDT__UNIT_METRE] = {"METRE", "metre", 1},
    [PREDT__UNIT_KM] = {"KM", "kilometre", 1000},
    [PREDT__UNIT_FOOT] = {"FOOT", "foot", 0.3048},
    [PREDT__UNIT_US_FOOT] = {"US_FOOT", "US survey foot", 1200.0 / 3937.0},
    [PREDT__UNIT_MILE] = {"MILE", "mile", 1609.344},
    [PREDT__UNIT_NMI] = {"NMI", "nautical mile", 1852},
};

#define UNITS ((int)(sizeof units / sizeof units[0]))

const char *predt__unit_name(int i) { return i < UNITS ? units[i].name : NULL; }

bool predt__unit_from_name(const char *name, predt__unit *unit) {
    for (int i = 0; i < UNITS; i++)
        if (EQUAL(name, units[i].name)) return *unit = (predt__unit)i, true;
    if (EQUAL(name, "METER")) return *unit = PREDT__UNIT_METRE, true;
    return false;
}

double predt__unit_metres(predt__unit unit) { return units[unit].metres; }

const char *predt__unit_of_band(predt__unit unit) { return units[unit].band_unit; }

const char *predt__surface_name(int i) {
    static const char *const names[] = {"plane", "geodesic", NULL};
    return names[i];
}

bool predt__surface_from_name(const char *name, predt__surface *surface) {
    for (int i = 0; predt__surface_name(i); i++)
        if (EQUAL(name, predt__surface_name(i)))
            return *surface = (predt__surface)(PREDT__SURFACE_PLANE + i), true;
    return false;
}
