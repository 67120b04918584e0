#include "name.h"

#include <cstring>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_json.h>
#include <cpl_vsi.h>

#include "driver_options.h"

namespace predt {

namespace {

bool Refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: %s", why);
    return false;
}

// ---- Connection strings ----

bool ReadPair(const char *pair, CPLStringList &options) {
    const char *equals = strchr(pair, '=');
    if (!equals)
        return Refuse(CPLSPrintf(
            "'%.200s' after the last '?' is not NAME=VALUE (PREDT:distance:PATH takes any path)",
            pair));
    char *value = CPLUnescapeString(equals + 1, nullptr, CPLES_URL);
    const bool good = SetOption(options, std::string(pair, equals), value);
    CPLFree(value);
    return good;
}

bool ReadQuery(const char *query, CPLStringList &options) {
    const CPLStringList pairs(CSLTokenizeString2(query, "&", CSLT_ALLOWEMPTYTOKENS));
    for (int i = 0; i < pairs.size(); i++)
        if (!ReadPair(pairs[i], options)) return false;
    return true;
}

// After "PREDT:". A path that follows a product is taken as it is, whatever characters are in it.
bool ReadString(const char *text, Name &name) {
    for (int i = 0; i < PREDT__PRODUCTS; i++) {
        const char *product = predt__product_name(static_cast<predt__product>(i));
        const size_t length = strlen(product);
        if (!EQUALN(text, product, length) || text[length] != ':') continue;
        name.source = text + length + 1;
        name.options.SetNameValue("PRODUCT", product);
        return !name.source.empty() || Refuse("no source is named after the product");
    }
    const char *query = strrchr(text, '?');
    name.source = query ? std::string(text, query) : text;
    if (name.source.empty()) return Refuse("no source is named");
    return !query || ReadQuery(query + 1, name.options);
}

// ---- .predt files ----

// Far larger than any list of values that somebody has written by hand.
const GIntBig MAX_BYTES = 1 << 20;

// A text, a number or a boolean as text; false for anything else.
bool ReadScalar(const CPLJSONObject &object, std::string &text) {
    switch (object.GetType()) {
    case CPLJSONObject::Type::String:
    case CPLJSONObject::Type::Integer:
    case CPLJSONObject::Type::Long:
    case CPLJSONObject::Type::Double:
        text = object.ToString();
        return true;
    case CPLJSONObject::Type::Boolean:
        text = object.ToBool() ? "YES" : "NO";
        return true;
    default:
        return false;
    }
}

// A list of values may be a JSON array too.
bool ReadValue(const CPLJSONObject &object, std::string &text) {
    if (object.GetType() != CPLJSONObject::Type::Array) return ReadScalar(object, text);
    const CPLJSONArray array = object.ToArray();
    for (int i = 0; i < array.Size(); i++) {
        std::string item;
        if (!ReadScalar(array[i], item)) return false;
        text += (i ? "," : "") + item;
    }
    return true;
}

bool Exists(const std::string &path) {
    VSIStatBufL stat;
    return VSIStatExL(path.c_str(), &stat, VSI_STAT_EXISTS_FLAG) == 0;
}

// Relative paths count from the file's own folder. A name with a driver's prefix is no path, unless
// such a file is there.
std::string Resolve(const std::string &source, const char *file) {
    const std::string folder(file, strrchr(file, '/') ? strrchr(file, '/') + 1 : file);
    if (!CPLIsFilenameRelative(source.c_str()) || folder.empty()) return source;
    const std::string beside = folder + source;
    const bool has_prefix = source.substr(0, source.find('/')).find(':') != std::string::npos;
    return has_prefix && !Exists(beside) ? source : beside;
}

bool ReadMember(const CPLJSONObject &member, const char *file, Name &name) {
    std::string value;
    const std::string key = member.GetName();
    if (!ReadValue(member, value))
        return Refuse(CPLSPrintf("%s: \"%s\" is neither a text nor a number", file, key.c_str()));
    if (!EQUAL(key.c_str(), "source")) return SetOption(name.options, key, value);
    if (member.GetType() != CPLJSONObject::Type::String || value.empty())
        return Refuse(CPLSPrintf("%s: \"source\" is not a file name", file));
    name.source = Resolve(value, file);
    return true;
}

bool ReadJson(const char *file, CPLJSONDocument &document) {
    GByte *bytes = nullptr;
    vsi_l_offset size = 0;
    CPLPushErrorHandler(CPLQuietErrorHandler); // Refuse below says it in one line
    const bool read = VSIIngestFile(nullptr, file, &bytes, &size, MAX_BYTES);
    const int begin =
        read && STARTS_WITH(reinterpret_cast<const char *>(bytes), "\xEF\xBB\xBF") ? 3 : 0;
    const bool good = read && document.LoadMemory(bytes + begin, static_cast<int>(size) - begin) &&
                      document.GetRoot().GetType() == CPLJSONObject::Type::Object;
    CPLPopErrorHandler();
    VSIFree(bytes);
    if (!read) return Refuse(CPLSPrintf("cannot read %s", file));
    return good || Refuse(CPLSPrintf("%s is not a JSON object", file));
}

bool ReadFile(const char *file, Name &name) {
    CPLJSONDocument document;
    name.is_file = true;
    if (!ReadJson(file, document)) return false;
    for (const CPLJSONObject &member : document.GetRoot().GetChildren())
        if (!ReadMember(member, file, name)) return false;
    return !name.source.empty() || Refuse(CPLSPrintf("%s names no \"source\"", file));
}

} // namespace

bool ReadName(const char *text, Name &name) {
    return STARTS_WITH_CI(text, "PREDT:") ? ReadString(text + strlen("PREDT:"), name)
                                          : ReadFile(text, name);
}

} // namespace predt
