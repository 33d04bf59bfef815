#include "validate/programs/codegen_fidelity.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"
#include "model/launch/occupancy.h"
#include "traces/codegen/generate.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/port_cycles.h"
#include "traces/sass/analysis/register_ports.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/programs/listing_entry.h"

namespace gpumodel {

namespace {

struct ArchListings {
    std::string name;
    ArchSpec arch;
    SassModule module;
    std::vector<ResourceEntry> resources;
};

ArchListings load_listings(const FidelityOptions& options, const std::string& name) {
    const std::string stem = options.listings + "/" + name;
    return {name, load_arch(name), read_sass_file(stem + ".sass.xz"),
            read_resource_log(stem + ".resources.txt")};
}

ProblemShape shape_of(const Family& family, std::int64_t size) {
    return {size, size, family.depth == ProblemDepth::fixed ? family.default_shape.k : size};
}

int blocks_per_sm(const ArchSpec& arch, const KernelProgram& program, int registers) {
    return compute_occupancy(arch, {.threads_per_block = program.resources.threads,
                                    .registers_per_thread = registers,
                                    .shared_bytes_per_block = program.resources.static_shared_bytes,
                                    .barriers_per_block = program.resources.barriers,
                                    .carveout_percent = {}})
        .blocks_per_sm;
}

constexpr double half_an_instruction = 0.5;

void compare_accesses(FidelityRow& row) {
    std::map<AccessKey, AccessDifference> all;
    for (const auto& [key, count] : row.real.accesses) {
        all[key].real = count;
    }
    for (const auto& [key, count] : row.ours.accesses) {
        all[key].ours = count;
    }
    for (auto& [key, difference] : all) {
        difference.access = key;
        if (std::abs(difference.real - difference.ours) >= half_an_instruction) {
            row.differences.push_back(difference);
        }
    }
    for (const OpClass op : {OpClass::ffma, OpClass::barrier}) {
        const double real = count_of(row.real.ops, op);
        const double ours = count_of(row.ours.ops, op);
        if (std::abs(real - ours) >= half_an_instruction) {
            row.other_differences.push_back(fmt::format("{} {:g} {:g}", to_string(op), real, ours));
        }
    }
}

// The FFMAs that are executed equally often, of all such groups the one that executes most.
std::optional<double> real_ports(const SassFunction& function, const EmulatedBlock& block,
                                 const RegisterFile& file) {
    std::map<double, std::vector<PortReads>> groups;
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const auto reads = port_reads(function.instructions[i]);
        if (reads && block.per_instruction.at(i) > 0) {
            groups[block.per_instruction[i]].push_back(*reads);
        }
    }
    const auto most = std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return a.first * static_cast<double>(a.second.size()) <
               b.first * static_cast<double>(b.second.size());
    });
    if (most == groups.end()) {
        return std::nullopt;
    }
    const auto statistics = port_statistics(std::span<const PortReads>(most->second), file);
    return statistics ? std::optional(statistics->cycles_per_ffma) : std::nullopt;
}

struct HotSegment {
    const Segment* segment = nullptr;
    double ffmas = 0;
};

void find_hottest(const std::vector<Node>& nodes, double times, HotSegment& hottest) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            find_hottest(loop->body, times * static_cast<double>(loop->trips), hottest);
            continue;
        }
        for (const Segment& segment : std::get<Interval>(node).segments) {
            const double ffmas =
                count_of(segment.ops, OpClass::ffma) * times * (segment.thread_end - segment.thread_begin);
            if (ffmas > hottest.ffmas) {
                hottest = {&segment, ffmas};
            }
        }
    }
}

std::optional<double> generated_ports(const KernelProgram& program, const RegisterFile& file) {
    HotSegment hottest;
    find_hottest(program.body, 1, hottest);
    if (hottest.segment == nullptr) {
        return std::nullopt;
    }
    const auto statistics = port_statistics(hottest.segment->code.all(), file);
    return statistics ? std::optional(statistics->cycles_per_ffma) : std::nullopt;
}

void fill_registers(FidelityRow& row, const ArchListings& listings, const SassFunction& function,
                    const KernelProgram& program) {
    row.our_registers = program.resources.registers_per_thread;
    const auto entry =
        std::find_if(listings.resources.begin(), listings.resources.end(),
                     [&](const ResourceEntry& resource) { return resource.entry == function.name; });
    if (entry == listings.resources.end()) {
        throw InputError(InputErrorKind::invalid_input,
                         {{listings.name + ".resources.txt", 0, 0, function.name, "is not in the log"}});
    }
    row.registers = entry->registers;
    row.blocks_per_sm = blocks_per_sm(listings.arch, program, row.registers);
    row.our_blocks_per_sm = blocks_per_sm(listings.arch, program, row.our_registers);
}

void fill_generated(FidelityRow& row, const KernelProgram& program, const Target& target,
                    const RegisterFile& file) {
    const KernelProgram code = generate_code(program, target);
    row.generated_error = count_block(code).instructions / row.real.instructions - 1;
    row.our_port_cycles = generated_ports(code, file);
}

bool uses_shared_barriers(const std::vector<Node>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            return uses_shared_barriers(loop->body);
        }
        const auto& segments = std::get<Interval>(node).segments;
        return std::any_of(segments.begin(), segments.end(),
                           [](const Segment& segment) { return segment.shared_barrier_operations > 0; });
    });
}

// Shared memory up to the two 8-byte barriers that asynchronous copies put behind the tiles.
std::int64_t tile_bytes(const KernelProgram& program) {
    constexpr std::int64_t two_barriers = 16;
    return program.resources.static_shared_bytes - (uses_shared_barriers(program.body) ? two_barriers : 0);
}

FidelityRow compare_entry(const ArchListings& listings, const SassFunction& function,
                          const ListingEntry& entry, const KernelProgram& program,
                          const FidelityOptions& options) {
    FidelityRow row;
    row.arch = listings.name;
    row.family = entry.family;
    row.params = program.params;
    row.held_back = held_back(entry.family, entry.params);
    constexpr double warp_size = 32;
    row.warps = program.resources.threads / warp_size;
    const auto begin = std::chrono::steady_clock::now();
    const Dim3 middle{program.grid.x / 2, program.grid.y / 2, program.grid.z / 2};
    const EmulatedBlock block =
        count_block(function, listing_launch(entry, program), middle, tile_bytes(program));
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    row.real = block.counts;
    row.ours = count_block(program);
    row.instruction_error = row.ours.instructions / row.real.instructions - 1;
    compare_accesses(row);
    fill_registers(row, listings, function, program);
    const RegisterFile& file = listings.arch.sm.register_file;
    row.port_cycles = real_ports(function, block, file);
    if (options.generated) {
        fill_generated(row, program, target_of(listings.arch), file);
    }
    return row;
}

void add_rows(FidelityTable& table, const ArchListings& listings, const FidelityOptions& options) {
    for (const SassFunction& function : listings.module.functions) {
        const auto entry = listing_entry(function.name);
        const Family* family = entry ? find_family(entry->family) : nullptr;
        if (family == nullptr) {
            table.skipped.push_back(
                fmt::format("{} {}: no kernel of a family", listings.name, function.name));
            continue;
        }
        // compiles to nothing on older targets
        if (target_of(listings.arch).cc.number() < family->min_compute_capability) {
            continue;
        }
        const auto lowered =
            lower_tiles(*family, entry->params, shape_of(*family, options.size), target_of(listings.arch));
        if (!lowered.program) {
            table.skipped.push_back(
                fmt::format("{} {}: {}", listings.name, function.name, lowered.infeasible_reason));
            continue;
        }
        try {
            table.rows.push_back(compare_entry(listings, function, *entry, *lowered.program, options));
        } catch (const InputError& error) {
            table.skipped.push_back(fmt::format("{} {} {}: {}", listings.name, entry->family,
                                                lowered.program->params, error.what()));
        }
    }
}

}  // namespace

double FidelityRow::register_error() const {
    return registers > 0 ? static_cast<double>(our_registers) / registers - 1 : 0;
}

std::optional<double> FidelityRow::port_error() const {
    if (!port_cycles || !our_port_cycles || *port_cycles <= 0) {
        return std::nullopt;
    }
    return *our_port_cycles / *port_cycles - 1;
}

FidelityTable codegen_fidelity(const FidelityOptions& options) {
    FidelityTable table;
    for (const std::string& name : options.archs) {
        add_rows(table, load_listings(options, name), options);
    }
    return table;
}

}  // namespace gpumodel
