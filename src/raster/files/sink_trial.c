#include "sink_trial.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>

#include "formats.h"
#include "names.h"
#include "trial.h"

/* The driver's own threads have no part in a trial: what fails on them is not told here. */
static char **trial_options(char **options) {
    char **used = NULL;
    for (char **option = options; option && *option; option++)
        if (!STARTS_WITH_CI(*option, "NUM_THREADS=") &&
            !STARTS_WITH_CI(*option, "APPEND_SUBDATASET="))
            used = CSLAddString(used, *option);
    return used;
}

/* A plain GeoTIFF is known to hold everything. */
static bool needs_trial(const predt__sink *sink) {
    return sink->plan.layout.options || !predt__format_is(sink->form.driver, "GTiff");
}

/* Through the checked file system; or past it, for drivers that do not come to terms with it. */
static bool try_watched(predt__sink *sink, predt__trial *trial, bool watched) {
    char *path = predt__sink_name(sink, "try", predt__name_of(sink->place.path), watched);
    trial->path = path;
    bool good = predt__try_format(trial);
    sink->place.watched = watched;
    CPLFree(path);
    return good;
}

static bool same_value(predt__kind kind, predt__value a, predt__value b) {
    return predt__kind_is_real(kind) ? a.f == b.f || (a.f != a.f && b.f != b.f) : a.u == b.u;
}

/* False, with a CPLError, if it was the disk that failed, and not the format. */
static bool is_sound(const predt__sink *sink) {
    const char *why;
    if (!predt__checked_failed(sink->place.checked, &why)) return true;
    CPLError(CE_Failure, CPLE_FileIO, "%s", why);
    return false;
}

static bool try_either_way(predt__sink *sink, predt__trial *trial) {
    if (!sink->place.watched) return try_watched(sink, trial, false);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    bool good = try_watched(sink, trial, true);
    CPLPopErrorHandler();
    return good || (is_sound(sink) && try_watched(sink, trial, false));
}

bool predt__sink_try(predt__sink *sink) {
    predt__trial trial = {.driver = sink->form.driver,
                          .kind = sink->kind,
                          .nodata = sink->plan.nodata,
                          .like = sink->plan.like,
                          .streams = sink->form.streams,
                          .lossy = sink->form.lossy && !sink->plan.categories};
    sink->place.watched = sink->place.checked && predt__format_is_checked(sink->form.driver);
    if (!needs_trial(sink)) return true;
    trial.options = trial_options(sink->form.options);
    bool good = try_either_way(sink, &trial);
    sink->form.has_own_nodata =
        good && !same_value(sink->kind, trial.used_nodata, sink->plan.nodata);
    sink->form.own_nodata = trial.used_nodata;
    CSLDestroy(trial.options);
    return good;
}
