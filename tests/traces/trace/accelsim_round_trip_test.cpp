// Program -> Accel-Sim trace -> program: the same instructions are executed and the same bytes accessed.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"
#include "tests/support/temporary_folder.h"
#include "traces/codegen/make_program.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/accelsim/accelsim_writer.h"
#include "traces/trace/warp_walk.h"

using namespace gpumodel;

namespace {

// One executed memory instruction: class, bytes, then each active lane's address.
using Accesses = std::map<std::string, int>;

struct Executed {
    std::map<OpClass, std::int64_t> by_class;
    Accesses accesses;
};

void add_access(Executed& sum, const Instruction& item, MemorySpace space, const std::string& array,
                std::uint32_t active, const std::array<std::int64_t, 32>& address) {
    std::string key = std::string(to_string(space)) + " " + array + " " + std::to_string(item.access_bytes) +
                      std::string(to_string(item.access_kind));
    for (std::size_t lane = 0; lane < 32; ++lane) {
        key += (active >> lane & 1) != 0 ? " " + std::to_string(address[lane]) : " -";
    }
    ++sum.accesses[key];
}

// The number of an array is not known where no lane is active.
std::string number_of(const KernelProgram& program, const std::string& name, std::uint32_t active) {
    const auto found = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const auto& array) { return array.name == name; });
    return active == 0 ? "0" : std::to_string(found - program.arrays.begin());
}

// Of one block, by walking the structure.
Executed executed(const KernelProgram& program, const Dim3& block) {
    Executed sum;
    const auto warps = static_cast<int>((program.block.count() + 31) / 32);
    for (int warp = 0; warp < warps; ++warp) {
        walk_warp(body_of(program, block), block, warp, [&](const IssuedInstruction& issued) {
            const auto& item = issued.segment->code[issued.index];
            ++sum.by_class[item.op];
            if (item.access_bytes > 0 && item.site >= 0) {
                std::array<std::int64_t, 32> address{};
                const auto active = active_lanes(issued, warp, address);
                const auto& site = issued.segment->sites[static_cast<std::size_t>(item.site)];
                const auto space = site.thread_private ? MemorySpace::local : site.space;
                add_access(sum, item, space,
                           space == MemorySpace::global ? number_of(program, site.array, active) : "", active,
                           address);
            }
            return true;
        });
    }
    return sum;
}

class Collector : public WarpSink {
public:
    explicit Collector(const BlockSource& source) : code_(source.code().instructions) {}
    void straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) override {
        for (int i = begin; i < end; ++i) {
            ++sum.by_class[code_[static_cast<std::size_t>(i)].op];
        }
    }
    void access(int /*warp*/, const AccessEvent& event) override {
        const bool global = event.space == MemorySpace::global;
        add_access(sum, code_[static_cast<std::size_t>(event.instruction)], event.space,
                   global ? std::to_string(event.active == 0 ? 0 : event.array) : "", event.active,
                   event.address);
    }
    Executed sum;

private:
    const std::vector<Instruction>& code_;
};

Executed executed(AccelSimTrace& trace, const Dim3& block) {
    Collector collector(trace);
    trace.run_block(block, collector);
    return collector.sum;
}

std::unique_ptr<AccelSimTrace> reopen(const std::filesystem::path& list_path) {
    const auto list = read_accelsim_list(list_path.string());
    return open_accelsim(list.kernels.at(0), list.allocations);
}

std::string sample(const std::string& name) {
    return std::string(GPUMODEL_TEST_DATA) + "/accelsim/" + name + "/kernelslist.g";
}

}  // namespace

TEST_CASE("Accel-Sim: a sample folds, comes out and goes in again", "[accelsim]") {
    for (const auto* name : {"sm70_smem32_256", "sm35_smem32_256"}) {
        INFO(name);
        const auto file = program_from_accelsim(sample(name), std::nullopt);
        const TemporaryFolder folder;
        const auto written = write_accelsim(file, folder.file("kernelslist.g"));
        const auto before = reopen(sample(name));
        const auto after = reopen(folder.path() / "kernelslist.g");
        CHECK(written.warp_instructions == before->totals().warp_instructions);
        CHECK(after->totals().warp_instructions == before->totals().warp_instructions);
        CHECK(after->launch().grid == before->launch().grid);
        CHECK(after->launch().block == before->launch().block);
        CHECK(after->launch().resources.registers_per_thread ==
              before->launch().resources.registers_per_thread);
        for (const Dim3 block : {Dim3{0, 0, 0}, Dim3{3, 5, 0}, Dim3{7, 7, 0}}) {
            const auto a = executed(*before, block);
            const auto b = executed(*after, block);
            CHECK(a.by_class == b.by_class);
            CHECK(a.accesses == b.accesses);
            CHECK(a.accesses == executed(file.program, block).accesses);
        }
    }
}

TEST_CASE("Accel-Sim: generated programs go out and come in", "[accelsim]") {
    int checked = 0;
    for (const auto* arch : {"sm_35", "sm_70", "sm_86"}) {
        const auto target = target_of(load_arch(arch));
        for (const auto& family : generated_families()) {
            const auto made = make_program(family, resolve_params(family, {}), {128, 128, 32}, target);
            if (!made.program) {
                continue;
            }
            INFO(arch << " " << family.name);
            const auto& program = *made.program;
            const TemporaryFolder folder;
            const auto written = write_accelsim({arch, "", program}, folder.file("kernelslist.g"));
            const auto trace = reopen(folder.path() / "kernelslist.g");
            CHECK(trace->totals().warp_instructions == written.warp_instructions);
            const auto& grid = program.grid;
            for (const Dim3 block : {Dim3{0, 0, 0}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}}) {
                auto before = executed(program, block);
                auto after = executed(*trace, block);
                CHECK(before.accesses == after.accesses);
                // an EXIT is added to warps that have none
                const auto added = after.by_class[OpClass::branch] - before.by_class[OpClass::branch];
                CHECK((added == 0 || added == (program.block.count() + 31) / 32));
                before.by_class[OpClass::branch] = after.by_class[OpClass::branch];
                CHECK(before.by_class == after.by_class);
            }
            ++checked;
        }
    }
    CHECK(checked >= 30);
}

TEST_CASE("Accel-Sim: what cannot be written", "[accelsim]") {
    KernelProgram program;
    program.block = {32, 1, 1};
    CHECK_THROWS_AS(write_accelsim({"sm_70", "", program}, "x.traceg"), InputError);  // no instructions
    Segment segment;
    segment.thread_end = 32;
    segment.code.edit().resize(1);
    static_cast<void>(program.mnemonics.intern("MOV"));
    program.body.emplace_back(Loop{"k", 1, 1, {Interval{{segment}, false, false}}});
    CHECK_THROWS_AS(write_accelsim({"", "", program}, "x.traceg"), InputError);       // no architecture
    CHECK_THROWS_AS(write_accelsim({"sm_30", "", program}, "x.traceg"), InputError);  // no opcode table
    std::get<Loop>(program.body[0]).trips = 100'000'000'000;
    CHECK_THROWS_AS(write_accelsim({"sm_70", "", program}, "x.traceg"), InputError);  // too long
    CHECK_THROWS_AS(write_accelsim({"sm_70", "", program}, "/nonexistent/x.traceg"), InputError);
}

TEST_CASE("Accel-Sim: an EXIT ends each lane exactly once", "[accelsim]") {
    // lanes 0-15 exit early, the others run on and have no EXIT of their own
    KernelProgram program;
    program.block = {32, 1, 1};
    const auto instruction = [&](const char* name, OpClass op) {
        Instruction item;
        item.op = op;
        item.mnemonic = program.mnemonics.intern(name);
        return item;
    };
    const auto range = [](int begin, int end) {
        Segment segment;
        segment.thread_begin = begin;
        segment.thread_end = end;
        return segment;
    };
    auto all = range(0, 32);
    all.code = {instruction("EXIT", OpClass::branch), instruction("MOV", OpClass::mov)};
    auto low = range(0, 16);
    low.code = {instruction("EXIT", OpClass::branch)};
    auto high = range(16, 32);
    high.code = {instruction("MOV", OpClass::mov)};
    program.body.emplace_back(Interval{{all, low, high}, false, false});
    const TemporaryFolder folder;
    const auto path = (folder.path() / "k.traceg").string();
    const auto written = write_accelsim({"sm_70", "", program}, path);
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text.find("insts = 5\n"
                    "0000 00000000 0 EXIT 0 0 0 \n"
                    "0010 ffffffff 0 MOV 0 0 0 \n"
                    "0020 0000ffff 0 EXIT 0 0 0 \n"
                    "0030 ffff0000 0 MOV 0 0 0 \n"
                    "0040 ffff0000 0 EXIT 0 0 0 \n") != std::string::npos);
    CHECK(written.warp_instructions == 5);
}
