// The libFuzzer harness; FUZZ_TARGET in the environment names the reader.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto run = [] {
        const char* name = std::getenv("FUZZ_TARGET");
        std::fprintf(stderr, "FUZZ_TARGET is one of");
        for (const auto& target : gpumodel::fuzz::targets()) {
            if (name != nullptr && std::string_view(target.name) == name) {
                return target.run;
            }
            std::fprintf(stderr, " %s", target.name);
        }
        std::fprintf(stderr, "\n");
        std::exit(2);
    }();
    return run(data, size);
}
