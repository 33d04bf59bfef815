#include "validate/programs/listing_entry.h"

#include <fmt/format.h>

namespace gpumodel {

bool held_back(const std::string& family, const ParamValues& params) {
    std::string text = family;
    for (const auto& [key, value] : params) {
        if (key != "UNROLL") {
            text += fmt::format(";{}={}", key, value);
        }
    }
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash % 3 == 0;
}

}  // namespace gpumodel
