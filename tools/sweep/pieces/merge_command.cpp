// gpumodel merge: the shards of a sweep as the one file that an unsharded run would have written.
#include <memory>

#include "tools/cli/command.h"
#include "tools/cli/output_stream.h"
#include "tools/sweep/pieces/merge.h"

namespace gpumodel::cli {
namespace {

struct MergeOptions {
    std::vector<std::string> files;
    OutputOptions output;
};

int merge(const MergeOptions& options) {
    std::optional<OutputStream> stream;  // opened once the shards are known to be sound
    merge_shards(options.files, [&](const std::string& text) {
        if (!stream) {
            stream.emplace(options.output);
        }
        stream->write(text);
    });
    return exit_ok;
}

}  // namespace

void add_merge_command(Command& app) {
    const auto options = std::make_shared<MergeOptions>();
    auto command = app.add_subcommand("merge", "put the shards of a sweep together");
    command.add_option("files", options->files, "csv files of 'gpumodel sweep --shard i/n', in any order")
        .required();
    command.add_option("--out", options->output.out, "write the sweep to FILE instead of standard output");
    command.footer(
        "Each shard's rows say which points they account for: a shard that is missing, cut or of another "
        "sweep\n"
        "is named, and nothing is written.\n\n"
        "Examples:\n"
        "  gpumodel merge part1.csv part2.csv part3.csv --out all.csv\n"
        "  gpumodel merge part*.csv --out all.csv\n"
        "  gpumodel merge part*.csv | head");
    command.run([options] { return merge(*options); });
}

}  // namespace gpumodel::cli
