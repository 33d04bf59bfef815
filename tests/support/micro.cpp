#include "micro.h"

#include <catch2/catch.hpp>
#include <utility>

#include "arch_specs/loader.h"

namespace gpumodel::micro {

RegisterUse reg(int index, int slot, bool reuse, int width) {
    RegisterUse use;
    use.kind = RegisterKind::vector;
    use.index = static_cast<std::int16_t>(index);
    use.slot = static_cast<std::int8_t>(slot);
    use.reuse = reuse;
    use.width = static_cast<std::uint8_t>(width);
    return use;
}

Instruction arithmetic(OpClass op, int result, std::vector<int> sources) {
    Instruction in;
    in.op = op;
    if (result >= 0) {
        in.results[in.result_count++] = reg(result);
    }
    for (const int source : sources) {
        const int slot = in.source_count;
        in.sources[in.source_count++] = reg(source, slot);
    }
    return in;
}

Instruction ffma(int result, int a, int b, int c, unsigned reuse) {
    auto in = arithmetic(OpClass::ffma, result, {a, b, c});
    for (std::size_t slot = 0; slot < 3; ++slot) {
        in.sources[slot].reuse = ((reuse >> slot) & 1U) != 0;
    }
    return in;
}

Instruction branch() {
    return arithmetic(OpClass::branch, -1, {});
}

Instruction barrier() {
    return arithmetic(OpClass::barrier, -1, {});
}

Instruction with_stall(Instruction instruction, int stall) {
    instruction.control.known = true;
    instruction.control.stall = static_cast<std::uint8_t>(stall);
    return instruction;
}

Instruction dual(Instruction instruction) {
    instruction.control.known = true;
    instruction.control.dual_issue = true;
    return instruction;
}

Instruction load(MemorySpace space, int result, int address, int words, int site) {
    Instruction in;
    in.op = space == MemorySpace::shared ? OpClass::shared_load : OpClass::global_load;
    in.results[in.result_count++] = reg(result, -1, false, words);
    in.sources[in.source_count++] = reg(address);
    in.access_bytes = static_cast<std::uint8_t>(4 * words);
    in.space = space;
    in.site = site;
    return in;
}

Instruction store(MemorySpace space, int data, int address, int words, int site) {
    Instruction in;
    in.op = space == MemorySpace::shared ? OpClass::shared_store : OpClass::global_store;
    in.sources[in.source_count++] = reg(address);
    in.sources[in.source_count++] = reg(data, -1, false, words);
    in.access_bytes = static_cast<std::uint8_t>(4 * words);
    in.access_kind = AccessKind::store;
    in.space = space;
    in.site = site;
    return in;
}

AccessSite site(MemorySpace space, AccessKind kind, int words,
                std::function<std::int64_t(const Coord&)> address) {
    AccessSite s;
    s.name = "access";
    s.array = space == MemorySpace::shared ? "shared" : (kind == AccessKind::store ? "out" : "in");
    s.space = space;
    s.kind = kind;
    s.words = words;
    s.vector_words = words;
    s.address = [address = std::move(address)](const Coord& at, int) { return address(at); };
    return s;
}

namespace {

Segment segment_of(std::vector<Instruction> code, int warps, std::vector<AccessSite> sites) {
    Segment segment;
    segment.name = "micro";
    segment.thread_end = 32 * warps;
    for (const auto& instruction : code) {
        ++segment.ops[static_cast<std::size_t>(instruction.op)];
    }
    segment.code = std::move(code);
    segment.sites = std::move(sites);
    return segment;
}

KernelProgram program_of(std::vector<Node> body, int warps) {
    KernelProgram program;
    program.kernel = "micro";
    program.block.x = 32 * warps;
    program.resources.threads = 32 * warps;
    program.resources.registers_per_thread = 32;
    program.arrays = {{"in", std::int64_t{1} << 20, true, false},
                      {"out", std::int64_t{1} << 20, false, true}};
    program.body = std::move(body);
    return program;
}

bool ends_with_barrier(const std::vector<Instruction>& code) {
    return !code.empty() && code.back().op == OpClass::barrier;
}

}  // namespace

KernelProgram straight(std::vector<Instruction> code, int warps, std::vector<AccessSite> sites) {
    Interval interval;
    interval.barrier_after = ends_with_barrier(code);
    interval.segments.push_back(segment_of(std::move(code), warps, std::move(sites)));
    return program_of({interval}, warps);
}

KernelProgram looped(std::vector<Instruction> code, std::int64_t trips, int warps,
                     std::vector<AccessSite> sites) {
    Interval interval;
    interval.segments.push_back(segment_of(std::move(code), warps, std::move(sites)));
    Loop loop;
    loop.name = "trips";
    loop.trips = trips;
    loop.body.emplace_back(std::move(interval));
    return program_of({loop}, warps);
}

KernelProgram with_grid(KernelProgram program, std::int64_t blocks) {
    program.grid.x = blocks;
    return program;
}

ArchSpec arch(const std::string& name, const std::vector<std::string>& overrides) {
    auto spec = shipped_arch(name, overrides);
    spec.sm.instruction_cache = {};
    return spec;
}

ArchSpec shipped_arch(const std::string& name, const std::vector<std::string>& overrides) {
    std::vector<Override> list;
    for (const auto& text : overrides) {
        const auto at = text.find('=');
        list.push_back({text.substr(0, at), text.substr(at + 1)});
    }
    return load_arch(name, list, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
}

Run run(const KernelProgram& program, const ArchSpec& spec) {
    IssueRecorder recorder;
    SimOptions options;
    options.exact = true;
    options.listener = &recorder;
    options.max_cycles = 1 << 24;
    auto result = simulate(program, spec, options);
    INFO(result.reason);
    REQUIRE(result.status == SimStatus::ok);
    return {std::move(result), std::move(recorder.issues)};
}

double cycles(const KernelProgram& program, const ArchSpec& spec) {
    return run(program, spec).cycles;
}

std::int64_t issued_at(const KernelProgram& program, const ArchSpec& spec, int index, int warp,
                       int occurrence) {
    const auto result = run(program, spec);
    for (const auto& event : result.issues) {
        if (event.code.index == index && event.warp.warp == warp && occurrence-- == 0) {
            return event.cycle;
        }
    }
    FAIL("instruction " << index << " never issued");
    return -1;
}

double cycles_per_instruction(const std::vector<Instruction>& body, int warps, const ArchSpec& spec,
                              const std::vector<AccessSite>& sites) {
    const auto repeated = [&](int times) {
        std::vector<Instruction> code;
        for (int i = 0; i < times; ++i) {
            code.insert(code.end(), body.begin(), body.end());
        }
        return cycles(straight(code, warps, sites), spec);
    };
    constexpr int times = 64;
    return (repeated(2 * times) - repeated(times)) / (times * static_cast<double>(body.size()));
}

}  // namespace gpumodel::micro
