#include "options.h"

#include <climits>
#include <cmath>
#include <cstring>

#include <cpl_conv.h>
#include <cpl_error.h>

namespace predt
{

namespace
{

// ---- One function for each kind of value; false: the value makes no sense ----

bool Number(const char *text, double &value)
{
    char *end;
    value = CPLStrtod(text, &end);
    return end != text && !*end && !std::isnan(value);
}

bool Length(const char *text, double &value) { return Number(text, value) && value >= 0; }

bool Whole(const char *text, int least, int &value)
{
    double read;
    if (!Number(text, read) || read < least || read > INT_MAX || read != std::floor(read)) return false;
    value = static_cast<int>(read);
    return true;
}

bool YesOrNo(const char *text, bool &value)
{
    value = CPLTestBool(text);
    for (const char *known : {"YES", "NO", "TRUE", "FALSE", "ON", "OFF", "1", "0"})
        if (EQUAL(text, known)) return true;
    return false;
}

// 512M, 4G, 1.5GB; a number alone counts bytes.
bool Size(const char *text, int64_t &value)
{
    static const char suffixes[] = "KMGT";
    char *end;
    double bytes = CPLStrtod(text, &end);
    if (end == text || !(bytes > 0)) return false;
    const char *suffix = *end ? strchr(suffixes, toupper(static_cast<unsigned char>(*end))) : nullptr;
    if (suffix) bytes = std::ldexp(bytes, 10 * static_cast<int>(suffix - suffixes + 1)), end++;
    if (EQUAL(end, "B") || (suffix && EQUAL(end, "iB"))) end += strlen(end);
    value = bytes < 0x1p62 ? static_cast<int64_t>(bytes) : INT64_C(1) << 62;
    return *end == 0;
}

// ---- One function for each option ----

struct Target
{
    predt_job &job;
    predt__role &product;
};

bool TakeProduct(Target t, const char *v)
{
    static const char *const names[] = {"distance", "allocation", "direction"};
    for (int role = 0; role < PREDT__ROLES; role++)
        if (EQUAL(v, names[role])) return t.product = static_cast<predt__role>(role), true;
    return false;
}

bool TakeValues(Target t, const char *v) { return t.job.values = v, true; }
bool TakeBand(Target t, const char *v) { return Whole(v, 1, t.job.band); }
bool TakeUnit(Target t, const char *v) { return predt_unit_from_name(v, &t.job.unit); }
bool TakeMaximum(Target t, const char *v) { return Length(v, t.job.max_distance); }
bool TakeMinimum(Target t, const char *v) { return Length(v, t.job.min_distance); }
bool TakeInputNodata(Target t, const char *v) { return YesOrNo(v, t.job.use_input_nodata); }
bool TakeFixed(Target t, const char *v) { return t.job.fixed = true, Number(v, t.job.fixed_value); }
bool TakeEngine(Target t, const char *v) { return t.job.engine = v, *v != 0; }
bool TakeDevice(Target t, const char *v) { return Whole(v, 0, t.job.device); }
bool TakeGpuMemory(Target t, const char *v) { return Size(v, t.job.gpu_memory); }
bool TakeThreads(Target t, const char *v) { return EQUAL(v, "ALL_CPUS") || Whole(v, 1, t.job.threads); }
bool TakeMemory(Target t, const char *v) { return Size(v, t.job.memory); }

bool TakeNodata(Target t, const char *v)
{
    double unused;
    t.job.nodata = v;
    return EQUAL(v, "nan") || Number(v, unused);
}

bool TakeType(Target t, const char *v)
{
    t.job.type = GDALGetDataTypeByName(v);
    return t.job.type != GDT_Unknown && !GDALDataTypeIsComplex(t.job.type);
}

struct Option
{
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
std::string Plain(const std::string &name)
{
    std::string plain;
    for (const char c : name)
        if (c != '-' && c != '_') plain += static_cast<char>(tolower(static_cast<unsigned char>(c)));
    return plain;
}

const Option *Find(const std::string &name)
{
    const std::string plain = Plain(name), word = " " + plain + " ";
    if (plain.empty() || plain.find(' ') != std::string::npos) return nullptr;
    for (const Option &option : OPTIONS)
        if (strstr(option.others, word.c_str())) return &option;
    return nullptr;
}

} // namespace

std::string CanonicalName(const std::string &name)
{
    const Option *option = Find(name);
    return option ? option->name : "";
}

bool SetOption(CPLStringList &options, const std::string &name, const std::string &value)
{
    const std::string canonical = CanonicalName(name);
    if (!canonical.empty()) options.SetNameValue(canonical.c_str(), value.c_str());
    else CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: there is no option '%s'", name.c_str());
    return !canonical.empty();
}

bool ReadOptions(const CPLStringList &options, predt_job &job, predt__role &product)
{
    for (const Option &option : OPTIONS)
    {
        const char *value = options.FetchNameValue(option.name);
        if (!value || option.take({job, product}, value)) continue;
        CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: %s does not take '%s'", option.name, value);
        return false;
    }
    return true;
}

std::string AsQuery(const CPLStringList &options)
{
    std::string query;
    for (int i = 0; i < options.size(); i++)
    {
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
