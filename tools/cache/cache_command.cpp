// gpumodel cache: the programs that were compiled on this machine.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "tools/cli/command.h"
#include "tools/toolkit/code_cache.h"

namespace gpumodel::cli {
namespace {

std::string described(const CodeCache::Info& info, Format format, const char* words) {
    if (format == Format::csv) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--format", "cache has no csv form, allowed text and json"}});
    }
    if (format == Format::json) {
        nlohmann::ordered_json json;
        json["folder"] = info.folder;
        json["programs"] = info.programs;
        json["bytes"] = info.bytes;
        return json_text(json);
    }
    return fmt::format("{} compiled programs, {} bytes{}, in {}\n", info.programs, info.bytes, words,
                       info.folder.empty()
                           ? "no folder (neither GPUMODEL_CACHE_DIR, XDG_CACHE_HOME nor HOME is set)"
                           : info.folder);
}

}  // namespace

void add_cache_command(Command& app) {
    auto output = std::make_shared<OutputOptions>();
    auto command = app.add_subcommand("cache", "programs compiled on this machine (--compile): info, clear");
    command.require_subcommand();
    auto info = command.add_subcommand("info", "where they are, how many and how large");
    add_output_options(info, *output);
    info.footer(
        "Examples:\n"
        "  gpumodel cache info\n"
        "  gpumodel cache info --format json");
    info.run([output] { return write_output(*output, described(CodeCache().info(), output->format, "")); });
    auto clear = command.add_subcommand("clear", "remove them");
    add_output_options(clear, *output);
    clear.footer(
        "Examples:\n"
        "  gpumodel cache clear\n"
        "  gpumodel cache clear --format json");
    clear.run([output] {
        return write_output(*output, described(CodeCache().clear(), output->format, " removed"));
    });
}

}  // namespace gpumodel::cli
