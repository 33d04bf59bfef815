// gpumodel sass: what stands in a cuobjdump listing, entry by entry.
#include <map>
#include <memory>

#include "tools/launch/sass_launch_options.h"
#include "tools/views/sass/sass_views.h"
#include "traces/emulate/instruction_set.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel::cli {

namespace {

struct SassOptions {
    std::string file;
    std::string entry;
    bool instruction_set = false;
    ArchOptions arch;
    OutputOptions output;
};
using Options = std::shared_ptr<SassOptions>;

// The entries to show: all, or the one that was asked for.
std::vector<const SassFunction*> chosen(const SassModule& module, const std::string& name) {
    if (!name.empty()) {
        return {&choose_entry(module, name)};
    }
    std::vector<const SassFunction*> list;
    for (const auto& function : module.functions) {
        list.push_back(&function);
    }
    return list;
}

// The spec whose register banks apply: --arch, else the listing's own generation where there is one.
const ArchSpec* spec_for(const std::string& generation, const ArchOptions& options,
                         std::map<std::string, std::unique_ptr<ArchSpec>>& loaded) {
    const bool asked = !options.arch.empty();
    const auto name = asked ? options.arch : generation;
    const auto [found, added] = loaded.try_emplace(name);
    if (added) {
        ArchOptions wanted = options;
        wanted.arch = name;
        try {
            found->second = std::make_unique<ArchSpec>(load(wanted));
        } catch (const InputError& error) {
            // A generation without a spec leaves the bank figures out; anything the user typed must be right.
            if (asked || !options.sets.empty() || error.kind() != InputErrorKind::usage) {
                throw;
            }
        }
    }
    return found->second.get();
}

std::string run(const SassOptions& options) {
    const auto module = read_sass_file(options.file);
    if (options.instruction_set) {
        return instruction_set_document(chosen(module, options.entry));
    }
    std::map<std::string, std::unique_ptr<ArchSpec>> loaded;
    std::vector<SassEntry> entries;
    for (const auto* function : chosen(module, options.entry)) {
        const auto* spec = spec_for(function->arch, options.arch, loaded);
        entries.push_back({function, spec ? spec->name : "",
                           analyse(*function, spec ? spec->sm.register_file : RegisterFile{})});
    }
    const auto format = options.output.format;
    return format == Format::json  ? sass_json(module, entries)
           : format == Format::csv ? sass_csv(entries)
                                   : sass_text(module, entries);
}

}  // namespace

void add_sass_command(Command& app) {
    const auto options = std::make_shared<SassOptions>();
    auto command = app.add_subcommand(
        "sass", "entries of a cuobjdump -sass listing: instructions, loops, register ports, unknown opcodes");
    command.add_option("file", options->file, "output of 'cuobjdump -sass', plain or .gz").required();
    command.add_option("--entry", options->entry, "this entry only: its name, or a part no other has");
    command.add_flag("--instruction-set", options->instruction_set,
                     "which forms of instructions are executed, priced or refused, and why (Markdown)");
    add_arch_options(command, options->arch, false);
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel sass k.sass\n"
        "  gpumodel sass validate/general/sm_90.sass.gz --entry stencil7_march --format json\n"
        "  gpumodel sass k.sass --entry saxpy --arch h200_sxm");
    command.run([options] { return write_output(options->output, run(*options)); });
}

}  // namespace gpumodel::cli
