// Packed programs: what comes out is what the listing said, and damage never passes.
#include "traces/provide/program_file.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"
#include "tests/support/listing_files.h"
#include "tests/support/temporary_folder.h"
#include "traces/provide/data_folder.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/program_provider.h"
#include "traces/provide/shipped_programs.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

std::string file_of(const std::string& arch) {
    std::vector<PackedKernel> kernels;
    for (auto& function : functions_of(::listing_text(arch), arch)) {
        kernels.push_back({std::move(function), 32, 4096, 8, {}});
    }
    return program_file(kernels, "CUDA 1.0", 1);
}

std::string written(const TemporaryFolder& folder, const std::string& bytes) {
    auto path = folder.file("x.programs");
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

std::string message_of(const std::string& path, const std::string& entry) {
    try {
        const ProgramFileReader reader(path);
        (void)reader.load(entry.empty() ? reader.names().front() : entry);
    } catch (const InputError& error) {
        return to_string(error.diagnostics().front());
    }
    return "";
}

bool same(const SassInstruction& a, const SassInstruction& b) {
    return a.address == b.address && a.mnemonic() == b.mnemonic() && a.encoding == b.encoding &&
           a.operands.size() == b.operands.size() && a.guard.predicate == b.guard.predicate &&
           a.guard.negated == b.guard.negated && a.control.stall == b.control.stall &&
           a.control.wait_mask == b.control.wait_mask && a.control.reuse == b.control.reuse &&
           a.control.write_barrier == b.control.write_barrier &&
           a.control.read_barrier == b.control.read_barrier && a.control.gives_way == b.control.gives_way &&
           a.control.dual_issue == b.control.dual_issue && a.control.kepler_code == b.control.kepler_code;
}

}  // namespace

TEST_CASE("packed programs read as the listing they were made of", "[provide]") {
    const auto arch = GENERATE(std::string("sm_35"), std::string("sm_70"), std::string("sm_90"));
    const TemporaryFolder folder;
    const ProgramFileReader reader(written(folder, file_of(arch)));
    const auto& module = listing(arch);
    REQUIRE(reader.names().size() == module.functions.size());
    for (const auto& function : module.functions) {
        INFO(function.name);
        const auto kernel = reader.load(function.name);
        CHECK(kernel.function.arch == arch);
        CHECK(kernel.registers_per_thread == 32);
        CHECK(kernel.static_shared_bytes == 4096);
        CHECK(kernel.local_bytes == 8);
        CHECK(kernel.made_by == "CUDA 1.0");
        REQUIRE(kernel.function.instructions.size() == function.instructions.size());
        std::size_t different = 0;
        for (std::size_t i = 0; i < function.instructions.size(); ++i) {
            different += same(function.instructions[i], kernel.function.instructions[i]) ? 0U : 1U;
        }
        CHECK(different == 0);
    }
}

TEST_CASE("damaged program files are refused wherever the damage is", "[provide]") {
    const TemporaryFolder folder;
    const auto good = file_of("sm_70");
    const auto entry = ProgramFileReader(written(folder, good)).names().front();
    CHECK(message_of(written(folder, good), entry).empty());
    const auto body = good.find('\n') + 1;
    const auto digit = good.find("\"registers\":32") + 13;  // a number that would still be one
    for (const auto at : {std::size_t{0}, std::size_t{20}, digit, body, body + (good.size() - body) / 4}) {
        INFO(at);
        auto bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x01);
        CHECK_THAT(message_of(written(folder, bad), entry), Catch::Contains("is damaged"));
    }
    CHECK_THAT(message_of(written(folder, good.substr(0, good.size() - 1)), entry),
               Catch::Contains("its end is missing"));
    CHECK_THAT(message_of(written(folder, ""), ""), Catch::Contains("is damaged"));
    CHECK_THAT(message_of(folder.file("none"), ""), Catch::Contains("cannot read"));
}

// The same instructions, so the same counters.
TEST_CASE("shipped programs are the listings' code", "[provide]") {
    const ShippedPrograms shipped;
    for (const auto& arch : listing_archs) {
        if (arch == "sm_50" || arch == "sm_61") {
            continue;  // not shipped
        }
        // what searches ask for may be another compiler's than the listing
        const auto& warptile = *find_family("warptile");
        const auto usual = shipped.find({warptile, resolve_params(warptile, {}), arch});
        REQUIRE(usual);
        std::size_t found = 0, different = 0;
        for (const auto& function : listing(arch).functions) {
            const auto entry = listing_entry(function.name);
            const auto kernel =
                entry ? shipped.find({*find_family(entry->family), entry->params, arch}) : nullptr;
            if (!kernel || kernel->made_by != usual->made_by) {
                continue;
            }
            INFO(arch << ' ' << function.name);
            ++found;
            REQUIRE(kernel->function.instructions.size() == function.instructions.size());
            for (std::size_t i = 0; i < function.instructions.size(); ++i) {
                different += same(function.instructions[i], kernel->function.instructions[i]) ? 0U : 1U;
            }
        }
        CHECK(found > 20);
        CHECK(different == 0);
    }
}

TEST_CASE("shipped code of an earlier minor revision serves a later one", "[provide]") {
    CHECK(code_generations("sm_87") ==
          std::vector<std::string>{"sm_87", "sm_86", "sm_85", "sm_84", "sm_83", "sm_82", "sm_81", "sm_80"});
    CHECK(code_generations("sm_100") == std::vector<std::string>{"sm_100"});
    CHECK(code_generations("none") == std::vector<std::string>{"none"});
    const ShippedPrograms shipped;
    const auto& family = *find_family("warptile");
    const auto params = resolve_params(family, {});
    const std::map<std::string, std::string> served{{"sm_37", "sm_35"},   {"sm_72", "sm_70"},
                                                    {"sm_87", "sm_86"},   {"sm_103", "sm_100"},
                                                    {"sm_121", "sm_120"}, {"sm_110", ""}};
    for (const auto& [generation, by] : served) {
        INFO(generation);
        const auto kernel = shipped.find({family, params, generation});
        CHECK((kernel ? kernel->function.arch : "") == by);
        CHECK(shipped.instances(family, generation).empty() == by.empty());
    }
}

// The first run of a kernel compiles it and has what cuobjdump -elf says with the listing; later ones read
// the cache, which keeps the listing alone.
TEST_CASE("a program is the same whether its listing says the resources or not", "[provide]") {
    const auto arch = load_arch("v100_sxm2");
    const auto target = target_of(arch);
    const auto& family = *find_family("smem");
    const ShippedPrograms shipped;
    const auto params = resolve_params(family, {});
    const auto lowered = lower_tiles(family, params, {512, 512, 512}, target);
    REQUIRE(lowered.program);
    const auto found = shipped.find({family, params, "sm_70"});
    REQUIRE(found);
    auto kernel = *found;
    REQUIRE(kernel.static_shared_bytes == 8192);
    kernel.function.resources = std::nullopt;
    const auto cached = program_with_code(*lowered.program, family, params, kernel);
    kernel.function.resources = SassResources{31, 8192, 0, {}};
    const auto fresh = program_with_code(*lowered.program, family, params, kernel);
    CHECK(cached.notes == fresh.notes);
    CHECK(cached.estimates == fresh.estimates);
    for (const auto& program : {cached, fresh}) {
        CHECK(program.resources.static_shared_bytes == 8192);
        for (const auto& note : program.notes) {
            CHECK(note.find("static shared memory") == std::string::npos);
        }
    }
    kernel.static_shared_bytes = 4096;  // less than the blocks access
    CHECK_THROWS_AS(program_with_code(*lowered.program, family, params, kernel), InputError);
}

// Those that are only there for searches (FAMILY.best.programs) all load, and every twentieth of a file
// executes.
TEST_CASE("every shipped program loads and is the instance that its name says, a part of them executed",
          "[provide]") {
    constexpr std::size_t executed_of_best = 20, executed_of_all = 4;  // one in so many
    const auto folder = data_folder(DataFolder::programs);
    REQUIRE(folder);
    const auto source = std::make_shared<ShippedPrograms>(*folder);
    const auto& shipped = *source;
    const ProgramProvider provider({source});
    std::size_t programs = 0;
    for (const auto& generation : std::filesystem::directory_iterator(*folder)) {
        if (!generation.is_directory()) {
            continue;
        }
        const auto arch = load_arch(generation.path().filename().string());
        for (const auto& file : std::filesystem::directory_iterator(generation)) {
            const ProgramFileReader reader(file.path().string());
            const auto name_of_file = file.path().stem().string();
            const auto part = file.path().stem().extension().string();  // .best, .types, .clusters, none
            const bool best = part == ".best";
            std::size_t number = 0;
            for (const auto& name : reader.names()) {
                INFO(file.path() << ' ' << name);
                const auto entry = listing_entry(name);
                REQUIRE(entry);
                const auto& family = *find_family(entry->family);
                CHECK(name_of_file == entry->family + part);
                const auto found = shipped.find({family, entry->params, arch.generation});
                REQUIRE(found);
                CHECK(found->function.name == name);
                CHECK(found->registers_per_thread > 0);
                ++programs;
                if (number++ % (best ? executed_of_best : executed_of_all) > 0) {
                    continue;
                }
                const ProblemShape shape{256, 256, family.depth == ProblemDepth::any ? 64 : 32};
                const auto made = provider.make(family, entry->params, shape, target_of(arch));
                if (made.program) {  // sizes that the tile does not divide have none
                    CHECK(made.program->source == ProgramSource::shipped);
                    CHECK(made.program->resources.registers_per_thread == found->registers_per_thread);
                }
            }
        }
    }
    CHECK(programs > 0);
}

TEST_CASE("what searches ask for is shipped beside what is shipped anyhow", "[provide]") {
    const auto folder = data_folder(DataFolder::programs);
    REQUIRE(folder);
    const TemporaryFolder copy;
    const auto best = copy.file("sm_70/warptile.best.programs");
    std::filesystem::create_directories(copy.file("sm_70"));
    std::filesystem::copy_file(*folder + "/sm_70/warptile.best.programs", best);
    const auto& family = *find_family("warptile");
    const ShippedPrograms alone(copy.file("")), both(*folder);
    const auto only_best = alone.instances(family, "sm_70");
    CHECK(only_best.size() == ProgramFileReader(best).names().size());
    CHECK(both.instances(family, "sm_70").size() ==
          only_best.size() + ProgramFileReader(*folder + "/sm_70/warptile.programs").names().size());
    CHECK(alone.instances(family, "sm_72").size() == only_best.size());
    CHECK(alone.find({family, only_best.back(), "sm_72"}) != nullptr);
    CHECK(alone.find({family, resolve_params(family, {}), "sm_70"}) == nullptr);  // in the other file
    CHECK(both.find({family, resolve_params(family, {}), "sm_70"}) != nullptr);
}
