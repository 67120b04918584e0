#include "options.h"

#include <cmath>
#include <cstring>

#include <cpl_conv.h>
#include <cpl_error.h>

#include "words.h"

namespace predt {

const char *const PRODUCTS[] = {"distance", "allocation", "direction"};

predt__job DefaultJob() {
    predt__job job = {};
    job.request.band = 1;
    job.request.max_distance = INFINITY;
    return job;
}

namespace {

// ---- One function for each option ----

struct Target {
    predt__job &job;
    predt__product &product;
};

bool TakeProduct(Target t, const char *v) {
    for (int role = 0; role < PREDT__PRODUCTS; role++)
        if (EQUAL(v, PRODUCTS[role])) return t.product = static_cast<predt__product>(role), true;
    return false;
}

bool TakeValues(Target t, const char *v) { return t.job.request.values = v, true; }
bool TakeBand(Target t, const char *v) { return predt__whole_from_text(v, 1, &t.job.request.band); }
bool TakeUnit(Target t, const char *v) { return predt__unit_from_name(v, &t.job.request.unit); }
bool TakeMaximum(Target t, const char *v) {
    return predt__length_from_text(v, &t.job.request.max_distance);
}
bool TakeMinimum(Target t, const char *v) {
    return predt__length_from_text(v, &t.job.request.min_distance);
}
bool TakeInputNodata(Target t, const char *v) {
    return predt__yes_or_no_from_text(v, &t.job.request.use_input_nodata);
}
bool TakeFixed(Target t, const char *v) {
    return t.job.request.fixed = true, predt__number_from_text(v, &t.job.request.fixed_value);
}
bool TakeEngine(Target t, const char *v) { return t.job.machine.engine = v, *v != 0; }
bool TakeDevice(Target t, const char *v) {
    return predt__whole_from_text(v, 0, &t.job.machine.device);
}
bool TakeGpuMemory(Target t, const char *v) {
    return predt__size_from_text(v, &t.job.machine.gpu_memory);
}
bool TakeThreads(Target t, const char *v) {
    return EQUAL(v, "ALL_CPUS") || predt__whole_from_text(v, 1, &t.job.machine.threads);
}
bool TakeNodata(Target t, const char *v) {
    return predt__nodata_from_text(t.job.request.nodata = v);
}
bool TakeType(Target t, const char *v) { return predt__type_from_text(v, &t.job.request.type); }
bool TakeMemory(Target t, const char *v) { return predt__size_from_text(v, &t.job.machine.memory); }

struct Option {
    const char *name;
    const char *others; // as Plain makes them, each between spaces
    bool (*take)(Target target, const char *value);
};

const Option OPTIONS[] = {
    {"PRODUCT", " product ", TakeProduct},
    {"BAND", " band b srcband ", TakeBand},
    {"VALUES", " values targetvalues ", TakeValues},
    {"DISTUNITS", " distunits distanceunits ", TakeUnit},
    {"MAXDIST", " maxdist maxdistance ", TakeMaximum},
    {"MINDIST", " mindist mindistance ", TakeMinimum},
    {"NODATA", " nodata outputnodata ", TakeNodata},
    {"USE_INPUT_NODATA", " useinputnodata ", TakeInputNodata},
    {"FIXED_BUF_VAL", " fixedbufval fixedvalue ", TakeFixed},
    {"OT", " ot outputdatatype ", TakeType},
    {"ENGINE", " engine ", TakeEngine},
    {"DEVICE", " device ", TakeDevice},
    {"GPU_MEMORY", " gpumemory ", TakeGpuMemory},
    {"THREADS", " threads ", TakeThreads},
    {"MEMORY", " memory ", TakeMemory},
};

// Lower case, without '-' and '_'.
std::string Plain(const std::string &name) {
    std::string plain;
    for (const char c : name)
        if (c != '-' && c != '_')
            plain += static_cast<char>(tolower(static_cast<unsigned char>(c)));
    return plain;
}

const Option *Find(const std::string &name) {
    const std::string plain = Plain(name), word = " " + plain + " ";
    if (plain.empty() || plain.find(' ') != std::string::npos) return nullptr;
    for (const Option &option : OPTIONS)
        if (strstr(option.others, word.c_str())) return &option;
    return nullptr;
}

} // namespace

std::string CanonicalName(const std::string &name) {
    const Option *option = Find(name);
    return option ? option->name : "";
}

bool SetOption(CPLStringList &options, const std::string &name, const std::string &value) {
    const std::string canonical = CanonicalName(name);
    if (!canonical.empty()) options.SetNameValue(canonical.c_str(), value.c_str());
    else CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: there is no option '%s'", name.c_str());
    return !canonical.empty();
}

bool ReadOptions(const CPLStringList &options, predt__job &job, predt__product &product) {
    for (const Option &option : OPTIONS) {
        const char *value = options.FetchNameValue(option.name);
        if (!value || option.take({job, product}, value)) continue;
        CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: %s does not take '%s'", option.name, value);
        return false;
    }
    return true;
}

std::string AsQuery(const CPLStringList &options) {
    std::string query;
    for (int i = 0; i < options.size(); i++) {
        char *name = nullptr;
        const char *value = CPLParseNameValue(options[i], &name);
        char *escaped = CPLEscapeString(value, -1, CPLES_URL);
        query += std::string(query.empty() ? "" : "&") + name + "=" + escaped;
        CPLFree(escaped);
        CPLFree(name);
    }
    return query;
}

} // namespace predt
