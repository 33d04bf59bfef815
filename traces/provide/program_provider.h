// The one way from a kernel family to the program of a launch: compiled code where a source has it, else
// generated code (make_program.h). Sources are asked in order; who takes the program cannot tell which one
// gave it, but by KernelProgram::source.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/codegen/make_program.h"
#include "traces/provide/code_source.h"

namespace gpumodel {

// The launch that `lowered` describes (lower_tiles or make_program) with the code of `kernel`, executed: its
// registers and shared memory, grid, block and problem of the family. Throws InputError as the emulator does.
[[nodiscard]] KernelProgram program_with_code(const KernelProgram& lowered, const Family& family,
                                              const ParamValues& resolved, const CompiledKernel& kernel);

class ProgramProvider {
public:
    // Without sources all code is generated.
    ProgramProvider() = default;
    explicit ProgramProvider(std::vector<std::shared_ptr<const CodeSource>> sources);

    // As make_program. Code that cannot be executed is passed over; a note of the program then says so.
    [[nodiscard]] FamilyResult make(const Family& family, const ParamValues& resolved,
                                    const ProblemShape& shape, const Target& target,
                                    const ResourceChoice& choose = {}) const;

    // Whether make() asks a source before it generates: compiled now where a source compiles.
    [[nodiscard]] bool has_code(const Family& family, const ParamValues& resolved,
                                const Target& target) const;

    // Tiles that are there without a compiler, as canonical_params writes them.
    [[nodiscard]] std::vector<std::string> instances(const Family& family,
                                                     const std::string& generation) const;

private:
    [[nodiscard]] std::string no_code(const Family& family, const std::string& generation,
                                      const std::vector<std::string>& passed_over) const;

    std::vector<std::shared_ptr<const CodeSource>> sources_;
};

// By a provider, or generated where there is none.
[[nodiscard]] FamilyResult make_program(const ProgramProvider* provider, const Family& family,
                                        const ParamValues& resolved, const ProblemShape& shape,
                                        const Target& target, const ResourceChoice& choose = {});

}  // namespace gpumodel
