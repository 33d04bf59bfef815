// One libFuzzer harness; FUZZ_TARGET names the reader.
#include <string_view>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto run = [] {
        for (const auto& target : gpumodel::fuzz::targets()) {
            if (std::string_view(target.name) == FUZZ_TARGET) {
                return target.run;
            }
        }
        __builtin_trap();
    }();
    return run(data, size);
}
