// In copies of the plug-in's parts, for memory.py: each of them has an operator new of its own
// (-Bsymbolic keeps it to itself), which fails at its n-th call. n is PREDT_FAIL_AT of the
// environment when the part is loaded, and can be set later by whoever finds it by name.
#include <atomic>
#include <cstdlib>
#include <new>

static long FromEnvironment() {
    const char *text = getenv("PREDT_FAIL_AT");
    return text ? atol(text) : 0;
}

// Calls until one fails; 0: none does.
extern "C" {
__attribute__((visibility("default"))) std::atomic<long> predt_fail_at{FromEnvironment()};
}

void *operator new(std::size_t size) {
    if (predt_fail_at > 0 && --predt_fail_at == 0) throw std::bad_alloc();
    if (void *memory = malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
