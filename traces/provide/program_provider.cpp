#include "traces/provide/program_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/provide/kernel_entry.h"

namespace gpumodel {
namespace {

std::string first_line(const InputError& error) {
    return error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
}

std::string generation_of(const Target& target) {
    return fmt::format("sm_{}", target.cc.number());
}

}  // namespace

KernelProgram program_with_code(const KernelProgram& lowered, const Family& family,
                                const ParamValues& resolved, const CompiledKernel& kernel) {
    auto launch = listing_launch({family.name, resolved}, lowered);
    launch.dynamic_shared_bytes = lowered.resources.dynamic_shared_bytes;
    // Code just compiled brings its listing's own word along, code from a file does not: one answer for both.
    launch.static_shared_bytes = kernel.static_shared_bytes;
    auto program = program_from_sass(kernel.function, launch);
    program.kernel = lowered.kernel;
    program.params = lowered.params;
    program.m = lowered.m;
    program.n = lowered.n;
    program.k = lowered.k;
    program.flops = lowered.flops;
    program.effective_bytes = lowered.effective_bytes;
    program.c_is_read = lowered.c_is_read;
    auto& resources = program.resources;
    resources.registers_per_thread = kernel.registers_per_thread;
    resources.registers_estimated = false;
    resources.registers_source = "compiler";
    program.source_detail = kernel.made_by;
    return program;
}

bool ProgramProvider::has_code(const Family& family, const ParamValues& resolved,
                               const Target& target) const {
    return std::any_of(sources_.begin(), sources_.end(), [&](const auto& source) {
        return source->find({family, resolved, generation_of(target)}) != nullptr;
    });
}

std::vector<std::string> ProgramProvider::instances(const Family& family,
                                                    const std::string& generation) const {
    std::vector<std::string> list;
    for (const auto& source : sources_) {
        for (const auto& params : source->instances(family, generation)) {
            list.push_back(canonical_params(family, params));
        }
    }
    return list;
}

// Of a family without a generator, where no source has this tile.
std::string ProgramProvider::no_code(const Family& family, const std::string& generation,
                                     const std::vector<std::string>& passed_over) const {
    constexpr std::size_t most_named = 4;
    auto there = instances(family, generation);
    const auto count = there.size();
    there.resize(std::min(count, most_named));
    std::string reason = fmt::format(
        "{} has no generated code, and this tile is neither compiled nor shipped for {}: --compile always "
        "makes "
        "it where a CUDA toolkit is found, --sass and --cu take code of your own; shipped are {}",
        family.name, generation, count == 0 ? "none" : fmt::format("{}", fmt::join(there, ", ")));
    if (count > most_named) {
        reason += fmt::format(" and {} more ('gpumodel kernels show {} --arch {}' lists them)",
                              count - most_named, family.name, generation);
    }
    for (const auto& other : passed_over) {
        reason += "; " + other;
    }
    return reason;
}

ProgramProvider::ProgramProvider(std::vector<std::shared_ptr<const CodeSource>> sources)
    : sources_(std::move(sources)) {}

FamilyResult ProgramProvider::make(const Family& family, const ParamValues& resolved,
                                   const ProblemShape& shape, const Target& target,
                                   const ResourceChoice& choose) const {
    // before a compiler is asked for what no compiler can make
    if (auto tiles = lower_tiles(family, resolved, shape, target); !tiles.program) {
        return tiles;
    }
    std::vector<std::string> passed_over;
    for (const auto& source : sources_) {
        const auto kernel = source->find({family, resolved, generation_of(target)});
        if (!kernel) {
            continue;
        }
        auto result = lower_tiles(family, resolved, shape, target);
        try {
            result.program = program_with_code(*result.program, family, resolved, *kernel);
        } catch (const InputError& error) {
            passed_over.push_back(
                noted(NoteId::code_passed_over, fmt::format("{} code cannot be executed: {}",
                                                            to_string(source->source()), first_line(error))));
            continue;
        }
        result.program->source = source->source();
        if (choose) {
            choose(*result.program);
        }
        return result;
    }
    auto result = make_program(family, resolved, shape, target, choose);
    if (!family.generated) {
        result.infeasible_reason = no_code(family, generation_of(target), passed_over);
    }
    if (result.program) {
        auto& notes = result.program->notes;
        notes.insert(notes.end(), passed_over.begin(), passed_over.end());
    }
    return result;
}

FamilyResult make_program(const ProgramProvider* provider, const Family& family, const ParamValues& resolved,
                          const ProblemShape& shape, const Target& target, const ResourceChoice& choose) {
    return provider != nullptr ? provider->make(family, resolved, shape, target, choose)
                               : make_program(family, resolved, shape, target, choose);
}

}  // namespace gpumodel
