// `gdal raster predt`, for GDAL 3.11 and newer: the command's job under the names of `gdal raster
// proximity`, which the table of options holds too.
#include "backend.h"

#if PREDT_HAS_ALGORITHMS

#include <gdalalgorithm.h>

#include "driver_options.h"
#include "files/run.h"
#include "guard.h"
#include "option_words.h"

namespace predt {

namespace {

class Algorithm final : public GDALAlgorithm {
  public:
    Algorithm();

  private:
    // An argument and where GDAL puts what was given for it. Texts are read by the table, so that
    // their sense is checked in one place.
    struct Argument {
        const predt__option *option = nullptr;
        std::string name, text;
        std::vector<std::string> texts;
        bool flag = false;
    };

    bool RunImpl(GDALProgressFunc progress, void *user) override {
        return Guard(false, [&] { return RunJob(progress, user); });
    }
    bool RunJob(GDALProgressFunc progress, void *user);

    void AddOption(const predt__option &option);
    GDALInConstructionAlgorithmArg &AddByKind(Argument &argument, char letter,
                                              const std::string &help);
    static bool Read(Argument &argument, predt__arguments &arguments);

    std::vector<std::unique_ptr<Argument>> m_arguments;
    std::string m_input, m_output;
};

GDALInConstructionAlgorithmArg &Algorithm::AddByKind(Argument &argument, char letter,
                                                     const std::string &help) {
    switch (argument.option->kind) {
    case PREDT__OPTION_FLAG:
    case PREDT__OPTION_YES_NO:
        return AddArg(argument.name, letter, help, &argument.flag);
    case PREDT__OPTION_PAIR:
        return AddCreationOptionsArg(&argument.texts); // GDAL completes them by format
    case PREDT__OPTION_LIST:
        return AddArg(argument.name, letter, help, &argument.texts);
    default:
        return AddArg(argument.name, letter, help, &argument.text);
    }
}

// The table's list of names holds the name, perhaps a letter, and other spellings.
void Algorithm::AddOption(const predt__option &option) {
    const CPLStringList names(CSLTokenizeString(option.names.algorithm));
    char letter = 0, words[PREDT__OPTION_SAYS];
    for (int i = 1; i < names.size(); i++)
        if (!names[i][1]) letter = names[i][0];
    m_arguments.emplace_back(new Argument());
    m_arguments.back()->option = &option;
    m_arguments.back()->name = names[0];
    std::string help = predt__option_help(&option, words);
    help[0] = static_cast<char>(toupper(static_cast<unsigned char>(help[0])));
    GDALInConstructionAlgorithmArg &added = AddByKind(*m_arguments.back(), letter, help);
    for (int i = 1; i < names.size(); i++)
        if (names[i][1]) added.AddAlias(names[i]);
}

Algorithm::Algorithm()
    : GDALAlgorithm("predt",
                    "Exact distance to the nearest target pixel, and which target that is.", "") {
    AddProgressArg();
    AddArg("input", 'i', "Input raster dataset", &m_input).SetPositional().SetRequired();
    AddArg("output", 'o', "Output raster of distances", &m_output).SetPositional();
    for (int i = 0; const predt__option *option = predt__option_at(i); i++)
        if (option->names.algorithm) AddOption(*option);
}

// Values that were not given are empty. What is read points to the argument's texts.
bool Algorithm::Read(Argument &argument, predt__arguments &arguments) {
    const predt__option &option = *argument.option;
    const std::string typed = "--" + argument.name;
    const char *name = typed.c_str();
    if (argument.flag) return ReadOption(option, name, "YES", arguments);
    if (option.kind == PREDT__OPTION_PAIR) {
        for (const std::string &pair : argument.texts)
            if (!ReadOption(option, name, pair.c_str(), arguments)) return false;
        return true;
    }
    if (argument.text.empty())
        for (const std::string &text : argument.texts)
            argument.text += (argument.text.empty() ? "" : ",") + text;
    return argument.text.empty() || ReadOption(option, name, argument.text.c_str(), arguments);
}

bool Algorithm::RunJob(GDALProgressFunc progress, void *user) {
    Arguments arguments;
    predt__job &job = arguments.job;
    for (const auto &argument : m_arguments)
        if (!Read(*argument, arguments)) return false;
    job.request.source = m_input.c_str();
    job.files.outputs[PREDT__DISTANCE].path = m_output.empty() ? nullptr : m_output.c_str();
    job.progress = progress;
    job.progress_user = user;
    return predt__job_run(&job, nullptr) == PREDT__JOB_DONE;
}

} // namespace

} // namespace predt

void *predt_gdal_algorithm() {
    return predt::Guard(static_cast<void *>(nullptr),
                        [] { return static_cast<GDALAlgorithm *>(new predt::Algorithm()); });
}

#endif
