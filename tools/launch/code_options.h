// Where the programs of kernel families come from: --compile, --cuda, --generated.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tools/cli/command.h"
#include "traces/provide/program_provider.h"

namespace gpumodel::cli {

struct CodeOptions {
    std::string compile;  // auto, always, never; "" = $GPUMODEL_COMPILE, else auto
    std::string cuda;     // folder of a toolkit; "" = looked for
    bool generated = false;
    [[nodiscard]] bool any() const { return !compile.empty() || !cuda.empty() || generated; }
};

void add_code_options(Command& command, CodeOptions& options);

// Commands that ask for more programs than this compile only with --compile always.
inline constexpr std::size_t most_compiled = 16;

// Compiled code, then shipped code, then generated code, as the options and the number of programs allow:
//   auto    from the cache; compiled where a toolkit knows the generation and `programs` <= most_compiled
//   always  compiled, or an InputError (invalid input) when a program is asked for
//   never   shipped or generated
// Throws InputError (usage) for a bad option or environment.
[[nodiscard]] std::shared_ptr<const ProgramProvider> provider_of(const CodeOptions& options,
                                                                 std::size_t programs);

// For searches that rank many tiles against each other, which code of two sources would spoil: null
// (generated code for all) unless --compile always, or unless some have no generated code: then what the
// cache has and what is shipped.
[[nodiscard]] std::shared_ptr<const ProgramProvider> provider_of_search(const CodeOptions& options,
                                                                        std::size_t programs, bool generated);

}  // namespace gpumodel::cli
