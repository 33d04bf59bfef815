#include "base/diagnostics.h"
#include "traces/sass/analysis/listing_analysis.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel {

int fuzz_sass(const std::uint8_t* data, std::size_t size) {
    RegisterFile file;  // any file with known banks: the analysis must not fail on what the reader accepts
    file.banks = 2;
    file.bank_map = RegisterBankMap::modulo;
    file.reads_per_bank_per_cycle = 1;
    file.reuse_cache = true;
    const std::string text(data, data + size);
    try {
        for (const auto& function : read_sass(text, "fuzz").functions) {
            static_cast<void>(analyse(function, file));
        }
    } catch (const InputError&) {
        // A refused listing is a correct answer.
    }
    return 0;
}

}  // namespace gpumodel
