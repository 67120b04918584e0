#include "sources.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <cpl_conv.h>
#include <cpl_error.h>

#include "kin/kin.h"

namespace predt {

namespace {

enum class Rule { Any, Local, Beside, Unknown };

Rule ReadRule() {
    const char *word = CPLGetConfigOption("PREDT_SOURCES", "ANY");
    if (EQUAL(word, "ANY")) return Rule::Any;
    if (EQUAL(word, "LOCAL")) return Rule::Local;
    return EQUAL(word, "BESIDE") ? Rule::Beside : Rule::Unknown;
}

bool Refuse(const char *name, const char *why) {
    CPLError(CE_Failure, CPLE_OpenFailed, "PREDT: the source %.500s %s", name, why);
    return false;
}

// The folder, its links followed, with a '/' at its end.
std::string FolderOf(const char *path) {
    const char *slash = strrchr(path, '/');
    const std::string folder = slash ? std::string(path, slash + 1) : "./";
    if (STARTS_WITH(path, "/vsi")) return folder;
    const std::unique_ptr<char, decltype(&free)> real(realpath(folder.c_str(), nullptr), free);
    return real ? std::string(real.get()) + (strcmp(real.get(), "/") ? "/" : "") : folder;
}

// A file inside an archive lies where the archive does, which is in the list too.
bool LiesIn(const std::string &folder, const char *path) {
    if (STARTS_WITH(path, "/vsi") && !STARTS_WITH(path, "/vsimem/")) return true;
    if (STARTS_WITH(path, "/vsi"))
        return strncmp(path, folder.c_str(), folder.size()) == 0 && !strstr(path, "/../");
    const std::unique_ptr<char, decltype(&free)> real(realpath(path, nullptr), free);
    return real && strncmp(real.get(), folder.c_str(), folder.size()) == 0;
}

} // namespace

bool SourcesAllowed(const Name &name, const char *text) {
    const Rule rule = ReadRule();
    if (rule == Rule::Any) return true;
    if (rule == Rule::Unknown)
        return Refuse(name.source.c_str(), "is not opened: PREDT_SOURCES is ANY, LOCAL or BESIDE");
    struct Close {
        void operator()(predt__kin *kin) const { predt__kin_close(&kin); }
    };
    const std::unique_ptr<predt__kin, Close> kin(predt__kin_open(name.source.c_str(), nullptr));
    const std::string folder = FolderOf(text);
    char **names = predt__kin_names(kin.get());
    if (!names)
        return Refuse(name.source.c_str(),
                      "is no file of this machine, and PREDT_SOURCES forbids others");
    for (; *names; names++) {
        if (!predt__kin_is_here(*names))
            return Refuse(*names, "is no file of this machine, and PREDT_SOURCES forbids others");
        if (rule == Rule::Beside && name.is_file && !LiesIn(folder, *names))
            return Refuse(*names, CPLSPrintf("does not lie in the folder of %.500s or below, and "
                                             "PREDT_SOURCES forbids others",
                                             text));
    }
    return true;
}

} // namespace predt
