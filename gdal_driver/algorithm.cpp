// `gdal raster predt`, for GDAL 3.11 and newer: the command's job under the options of `gdal raster
// proximity`.
#include "backend.h"

#if PREDT_HAS_ALGORITHMS

#include <gdalalgorithm.h>

#include "files/run.h"
#include "guard.h"
#include "options.h"

namespace predt {

namespace {

class Algorithm final : public GDALAlgorithm {
  public:
    Algorithm();

  private:
    bool RunImpl(GDALProgressFunc progress, void *user) override {
        return Guard(false, [&] { return RunJob(progress, user); });
    }
    bool RunJob(GDALProgressFunc progress, void *user);

    GDALInConstructionAlgorithmArg &AddOption(const char *option, const char *name, char letter,
                                              const char *help);
    bool ReadArguments(CPLStringList &options) const;

    // What options.cpp reads, by its names: the arguments are texts, and their sense is checked in
    // one place.
    struct Argument {
        const char *option;
        std::string value;
    };
    std::vector<std::unique_ptr<Argument>> m_arguments;
    std::vector<std::string> m_values, m_creation_options;
    std::string m_input, m_output, m_allocation, m_direction, m_format;
    bool m_overwrite = false, m_use_input_nodata = false;
};

GDALInConstructionAlgorithmArg &Algorithm::AddOption(const char *option, const char *name,
                                                     char letter, const char *help) {
    m_arguments.emplace_back(new Argument{option, ""});
    return AddArg(name, letter, help, &m_arguments.back()->value);
}

Algorithm::Algorithm()
    : GDALAlgorithm("predt",
                    "Exact distance to the nearest target pixel, and which target that is.", "") {
    AddProgressArg();
    AddArg("input", 'i', "Input raster dataset", &m_input).SetPositional().SetRequired();
    AddArg("output", 'o', "Output raster of distances", &m_output).SetPositional();
    AddArg("allocation", 0, "Output raster of the nearest target's value", &m_allocation);
    AddArg("direction", 0, "Output raster of the direction to the nearest target", &m_direction);
    AddArg("output-format", 'f', "Output format", &m_format).AddAlias("of").AddAlias("format");
    AddCreationOptionsArg(&m_creation_options);
    AddOverwriteArg(&m_overwrite);
    AddOption("OT", "output-data-type", 0, "Data type of distances (default Float32)")
        .AddAlias("ot")
        .AddAlias("datatype");
    AddOption("BAND", "band", 'b', "Input band (1-based index)");
    AddArg("target-values", 0,
           "Target pixels: numbers, ranges 10:20 (both ends taken), 'notnodata'", &m_values)
        .AddAlias("values");
    AddOption("DISTUNITS", "distance-units", 0,
              "pixel, geo, metre, km, foot, us_foot, mile or nmi (default pixel)");
    AddOption("MAXDIST", "max-distance", 0, "Farther targets do not count; inclusive");
    AddOption("MINDIST", "min-distance", 0, "Pixels nearer than this become nodata");
    AddOption("FIXED_BUF_VAL", "fixed-value", 0,
              "Value of pixels with a target in reach, instead of the distance");
    AddOption("NODATA", "nodata", 0, "Nodata value of distances");
    AddArg("use-input-nodata", 0, "Nodata pixels of the input become nodata", &m_use_input_nodata);
    AddOption("ENGINE", "engine", 0, "Engine that solves (default auto)");
    AddOption("DEVICE", "device", 0, "CUDA device, counted from 0");
    AddOption("GPU_MEMORY", "gpu-memory", 0, "Most memory to take on that device, as 4G");
    AddOption("THREADS", "num-threads", 'j', "Number of threads, or ALL_CPUS (default)")
        .AddAlias("threads");
    AddOption("MEMORY", "memory", 0, "Memory for index, strips and block cache, as 512M or 4G");
}

bool Algorithm::ReadArguments(CPLStringList &options) const {
    for (const auto &argument : m_arguments)
        if (!argument->value.empty() && !SetOption(options, argument->option, argument->value))
            return false;
    std::string values;
    for (const std::string &value : m_values) values += (values.empty() ? "" : ",") + value;
    return (values.empty() || SetOption(options, "VALUES", values)) &&
           (!m_use_input_nodata || SetOption(options, "USE_INPUT_NODATA", "YES"));
}

const char *PathOrNull(const std::string &path) { return path.empty() ? nullptr : path.c_str(); }

bool Algorithm::RunJob(GDALProgressFunc progress, void *user) {
    CPLStringList options;
    predt__job job = DefaultJob();
    predt__product unused = PREDT__DISTANCE;
    if (!ReadArguments(options) || !ReadOptions(options, job, unused)) return false;
    CPLStringList creation_options(m_creation_options);
    job.request.source = m_input.c_str();
    job.files.outputs[PREDT__DISTANCE].path = PathOrNull(m_output);
    job.files.outputs[PREDT__ALLOCATION].path = PathOrNull(m_allocation);
    job.files.outputs[PREDT__DIRECTION].path = PathOrNull(m_direction);
    job.files.format = PathOrNull(m_format);
    job.files.creation_options = creation_options.List();
    job.files.overwrite = m_overwrite;
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
