#include "tools/views/result_json.h"

#include "base/printable.h"
#include "tools/cli/command.h"
#include "tools/views/prediction/prediction_json.h"

namespace gpumodel::cli {

nlohmann::ordered_json json_head(const ArchSpec& arch) {
    auto head = predictions_head({GPUMODEL_VERSION, arch.file, arch.content_hash, command_line()});
    head["arch"] = arch.name;
    return head;
}

nlohmann::ordered_json json_head() {
    return {{"schema_version", schema_version},
            {"metadata",
             {{"tool", "gpumodel"}, {"version", GPUMODEL_VERSION}, {"command_line", command_line()}}}};
}

ReportMetadata report_metadata(const ArchSpec& arch) {
    return {GPUMODEL_VERSION, valid_utf8(arch.file), arch.content_hash, valid_utf8(command_line())};
}

}  // namespace gpumodel::cli
