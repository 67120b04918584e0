#include "driver_options.h"

#include <cpl_conv.h>
#include <cpl_error.h>

#include "option_words.h"
#include "words.h"

namespace predt {

bool SetOption(CPLStringList &options, const std::string &name, const std::string &value) {
    const predt__option *option = predt__option_of_driver(name.c_str());
    if (option) options.SetNameValue(option->names.driver, value.c_str());
    else CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: there is no option '%s'", name.c_str());
    return option != nullptr;
}

bool ReadOption(const predt__option &option, const char *name, const char *value,
                predt__arguments &arguments) {
    if (predt__option_read(&option, value, &arguments)) return true;
    char shown[PREDT__SHOWN], takes[PREDT__OPTION_SAYS];
    predt__option_takes(&option, takes);
    CPLError(CE_Failure, CPLE_IllegalArg, "PREDT: %s does not take '%s'%s%s", name,
             predt__shown(value, shown), *takes ? ": it takes " : "", takes);
    return false;
}

bool ReadOptions(const CPLStringList &options, predt__arguments &arguments) {
    for (int i = 0; const predt__option *option = predt__option_at(i); i++) {
        const char *name = option->names.driver;
        const char *value = name ? options.FetchNameValue(name) : nullptr;
        if (value && !ReadOption(*option, name, value, arguments)) return false;
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
