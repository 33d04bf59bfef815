// What gpumodel-record tells the preloaded library, through the environment.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace gpumodel::recorder {

inline constexpr const char *folder_variable = "GPUMODEL_RECORD_FOLDER",
                            *most_launches_variable = "GPUMODEL_RECORD_MAX_LAUNCHES",
                            *skip_variable = "GPUMODEL_RECORD_SKIP",
                            *filter_variable = "GPUMODEL_RECORD_FILTER",
                            *cap_variable = "GPUMODEL_RECORD_CAP",
                            *repeat_variable = "GPUMODEL_RECORD_REPEAT";

struct Settings {
    std::string folder;     // "" = nothing is recorded
    std::string filter;     // part of the mangled or plain name; "" = all
    std::int64_t skip = 0;  // launches that pass the filter and are not recorded
    std::int64_t most_launches = 1000;
    std::int64_t cap = 64 << 20;  // bytes of one allocation
    std::int64_t repeat = 0;      // replays beside the launch itself
};

inline Settings settings_of_environment() {
    const auto text = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    const auto number = [&](const char* name, std::int64_t fallback) {
        const auto value = text(name);
        return value.empty() ? fallback : std::strtoll(value.c_str(), nullptr, 10);
    };
    Settings settings;
    settings.folder = text(folder_variable);
    settings.filter = text(filter_variable);
    settings.skip = number(skip_variable, settings.skip);
    settings.most_launches = number(most_launches_variable, settings.most_launches);
    settings.cap = number(cap_variable, settings.cap);
    settings.repeat = number(repeat_variable, settings.repeat);
    return settings;
}

}  // namespace gpumodel::recorder
