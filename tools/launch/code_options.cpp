#include "tools/launch/code_options.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/process.h"
#include "tools/toolkit/compiled_programs.h"
#include "traces/provide/shipped_programs.h"

namespace gpumodel::cli {
namespace {

enum class Compile : unsigned char { automatic, always, never };

Compile choice_of(const CodeOptions& options) {
    const char* variable = environment_variable("GPUMODEL_COMPILE");
    const bool given = !options.compile.empty();
    const std::string text = given ? options.compile : variable != nullptr ? variable : "";
    if (text == "always" || text == "never") {
        return text == "always" ? Compile::always : Compile::never;
    }
    if (!text.empty() && text != "auto") {
        throw InputError(InputErrorKind::usage, {{"", 0, 0, given ? "--compile" : "GPUMODEL_COMPILE",
                                                  fmt::format("'{}' is none of auto, always, never", text)}});
    }
    return Compile::automatic;
}

}  // namespace

void add_code_options(Command& command, CodeOptions& options) {
    command
        .add_option(
            "--compile", options.compile,
            "a family's kernel by nvcc, kept in a cache: auto (default: from the cache, or compiled where "
            "a toolkit knows the generation and at most 16 programs are asked for; else shipped or "
            "generated code), always, never; $GPUMODEL_COMPILE")
        .one_of({"auto", "always", "never"});
    command.add_option("--cuda", options.cuda,
                       "a CUDA toolkit's folder (default: $CUDA_HOME, PATH, /usr/local/cuda)");
    command.add_flag("--generated", options.generated,
                     "generated code also where compiled or shipped code is there");
}

std::shared_ptr<const ProgramProvider> provider_of(const CodeOptions& options, std::size_t programs) {
    const auto choice = choice_of(options);
    if (options.generated && choice == Compile::always && !options.compile.empty()) {
        throw InputError(InputErrorKind::usage, {{"", 0, 0, "--generated", "excludes --compile always"}});
    }
    std::vector<std::shared_ptr<const CodeSource>> sources;
    if (!options.generated) {
        if (choice != Compile::never) {
            const auto may = choice == Compile::always   ? MayCompile::must
                             : programs <= most_compiled ? MayCompile::yes
                                                         : MayCompile::no;
            sources.push_back(std::make_shared<CompiledPrograms>(options.cuda, may));
        }
        sources.push_back(std::make_shared<ShippedPrograms>());
    }
    return std::make_shared<ProgramProvider>(std::move(sources));
}

std::shared_ptr<const ProgramProvider> provider_of_search(const CodeOptions& options, std::size_t programs,
                                                          bool generated) {
    return !generated || programs <= most_compiled || choice_of(options) == Compile::always
               ? provider_of(options, programs)
               : nullptr;
}

}  // namespace gpumodel::cli
