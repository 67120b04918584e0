// GDAL's callers are C, Python and QGIS: an exception that left through them would end the program.
// Every function that they call does its work in here.
#ifndef PREDT_GUARD_H
#define PREDT_GUARD_H

#include <cpl_error.h>
#include <exception>
#include <new>

namespace predt {

// What the work returns; or the fallback, with a CPLError, where it throws.
template <class Result, class Work> Result Guard(Result fallback, Work work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        CPLError(CE_Failure, CPLE_OutOfMemory, "PREDT: out of memory");
    } catch (const std::exception &error) // length_error, where a size is beyond all memory
    {
        CPLError(CE_Failure, CPLE_AppDefined, "PREDT: %s", error.what());
    } catch (...) {
        CPLError(CE_Failure, CPLE_AppDefined, "PREDT: an unknown exception");
    }
    return fallback;
}

} // namespace predt

#endif
