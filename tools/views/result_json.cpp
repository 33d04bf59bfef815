#include "tools/views/result_json.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>

#include "base/printable.h"
#include "tools/build_info/build_info.h"
#include "tools/cli/command.h"
#include "tools/cli/manners.h"
#include "tools/config/settings.h"
#include "tools/views/prediction/prediction_json.h"

namespace gpumodel::cli {
namespace {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string utc_now() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

// What the command line does not show of how the result came about.
std::vector<std::string> settings_words() {
    std::vector<std::string> words;
    for (const auto& winner : settings().winners) {
        if (winner.level != SettingLevel::built_in) {
            words.push_back(valid_utf8(winner.kind->key + '=' + winner.value + " (" + winner.origin + ')'));
        }
    }
    return words;
}

ReportMetadata metadata_of_run() {
    const auto build = build_info();
    ReportMetadata metadata{GPUMODEL_VERSION, "", "", valid_utf8(command_line())};
    metadata.revision = build.revision;
    metadata.compiler = build.compiler;
    metadata.build_type = build.type;
    metadata.settings = settings_words();
    if (manners().stamp) {
        metadata.host = valid_utf8(host_name());
        metadata.utc_time = utc_now();
    }
    return metadata;
}

}  // namespace

nlohmann::ordered_json json_head(const ArchSpec& arch) {
    auto head = predictions_head(report_metadata(arch));
    head["arch"] = arch.name;
    return head;
}

nlohmann::ordered_json json_head() {
    return predictions_head(metadata_of_run());
}

ReportMetadata report_metadata(const ArchSpec& arch) {
    auto metadata = metadata_of_run();
    metadata.spec_file = valid_utf8(arch.file);
    metadata.spec_hash = arch.content_hash;
    return metadata;
}

}  // namespace gpumodel::cli
