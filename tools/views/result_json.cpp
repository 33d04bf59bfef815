#include "tools/views/result_json.h"

#include "base/printable.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

nlohmann::ordered_json json_head(const ArchSpec& arch) {
    nlohmann::ordered_json head;
    head["schema_version"] = schema_version;
    head["metadata"] = {{"tool", "gpumodel"},
                        {"version", GPUMODEL_VERSION},
                        {"spec_file", arch.file},
                        {"spec_hash", arch.content_hash},
                        {"command_line", command_line()}};
    head["arch"] = arch.name;
    return head;
}

ReportMetadata report_metadata(const ArchSpec& arch) {
    return {GPUMODEL_VERSION, valid_utf8(arch.file), arch.content_hash, valid_utf8(command_line())};
}

std::string json_text(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace gpumodel::cli
