// Programs folded from the committed listings, against what the same kernels are known to do: the families'
// access functions, Nsight Compute's counters of an H200, and the emulator itself, block by block.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "tests/support/listing_files.h"
#include "tests/support/listing_launch.h"
#include "tests/traces/fold/expand.h"
#include "traces/codegen/generate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

namespace {

using Values = std::map<std::string, double>;

Values predicted(const KernelProgram& program, const ArchSpec& arch) {
    const auto prediction = predict_analytic(program, arch);
    REQUIRE(prediction.status == Status::ok);
    Values values;
    for (const auto& counter : prediction.counters) {
        values[std::string(counter.name)] = counter.value;
    }
    return values;
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> list;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) {
        list.push_back(cell);
    }
    return list;
}

// Rows of h200_sxm_counters.csv by "family params".
std::map<std::string, Values> measured_counters() {
    std::ifstream in(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_counters.csv");
    std::string line;
    std::getline(in, line);
    const auto names = cells(line);
    std::map<std::string, Values> rows;
    while (std::getline(in, line)) {
        const auto row = cells(line);
        for (std::size_t i = 5; i < row.size(); ++i) {
            rows[row[0] + " " + row[1]][names[i]] = std::stod(row[i]);
        }
    }
    return rows;
}

// Resources of both programs do not matter to what is compared, but must fit the SM.
KernelProgram fold_listing(const SassFunction& function, const ListingLaunch& listed) {
    auto program = program_from_sass(function, listed.launch);
    program.resources = listed.tile_level.resources;
    return program;
}

const std::vector<std::string> access_counters{"smsp__inst_executed_op_global_st.sum",
                                               "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                               "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                               "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"};

// What the profiler counts exactly, and what it counts beside the bank rule: shared wavefronts also contain
// collisions with other traffic of the pipe (validate/data/README.md), so they are a lower bound.
const std::vector<std::string> exact_counters{"smsp__inst_executed.sum",
                                              "smsp__inst_executed_op_global_ld.sum",
                                              "smsp__inst_executed_op_global_st.sum",
                                              "smsp__inst_executed_op_shared_ld.sum",
                                              "smsp__inst_executed_op_shared_st.sum",
                                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                              "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
const std::vector<std::string> wavefront_counters{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};

}  // namespace

TEST_CASE("folded listings access memory as the families' access functions say", "[oracle][fold]") {
    for (const auto& name :
         {"sm_35", "sm_50", "sm_61", "sm_70", "sm_75", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
        const auto arch = load_arch(name);
        int compared = 0;
        int index = 0;
        for (const auto& function : listing(name).functions) {
            const auto listed = listing_launch(function.name, arch, 512);
            if (!listed || index++ % 2 != 0) {
                continue;
            }
            INFO(name << " " << listed->family << " " << listed->params);
            const auto folded = predicted(fold_listing(function, *listed), arch);
            const auto family = predicted(generate_code(listed->tile_level, target_of(arch)), arch);
            // before sm_90 the barriers that asynchronous copies arrive at are words read and written by
            // ordinary instructions, which the family does not list
            const bool barrier_words = listed->family == "doublebuffer_async" && arch.cc.major < 9;
            for (const auto& counter : access_counters) {
                INFO(counter);
                if (barrier_words && counter.find("shared") != std::string::npos) {
                    CHECK(folded.at(counter) >= family.at(counter));
                    continue;
                }
                CHECK(folded.at(counter) == Approx(family.at(counter)).epsilon(1e-9));
            }
            ++compared;
        }
        CHECK(compared >= 18);
    }
}

TEST_CASE("folded sm_90 listings count what an H200 counts", "[published][fold]") {
    const auto arch = load_arch("h200_sxm");
    const auto rows = measured_counters();
    int compared = 0;
    for (const auto& function : listing("sm_90").functions) {
        const auto listed = listing_launch(function.name, arch, 1024);
        REQUIRE(listed.has_value());
        const auto row = rows.find(listed->family + " " + listed->params);
        if (row == rows.end()) {
            continue;
        }
        INFO(listed->family << " " << listed->params);
        const auto folded = predicted(fold_listing(function, *listed), arch);
        for (const auto& counter : exact_counters) {
            INFO(counter);
            CHECK(folded.at(counter) == Approx(row->second.at(counter)).epsilon(0.005));
        }
        for (const auto& counter : wavefront_counters) {
            INFO(counter);
            CHECK(folded.at(counter) <= row->second.at(counter) * 1.0005);
        }
        ++compared;
    }
    CHECK(compared >= 30);
}

TEST_CASE("folded listings expand to what the emulator executes", "[oracle][fold]") {
    for (const auto& name : {"sm_35", "sm_50", "sm_70", "sm_90", "sm_120"}) {
        const auto arch = load_arch(name);
        int index = 0;
        for (const auto& function : listing(name).functions) {
            const auto listed = listing_launch(function.name, arch, 256);
            if (!listed || index++ % 4 != 0) {
                continue;
            }
            INFO(name << " " << listed->family << " " << listed->params);
            const auto source = make_sass_source(function, listed->launch);
            const auto context = launch_context(function, listed->launch);
            const auto program = fold_program(*source, context);
            const auto& grid = context.grid;
            CHECK(difference(program, *source, context, {0, 0, 0}) == "");
            CHECK(difference(program, *source, context, {grid.x - 1, grid.y - 1, 0}) == "");
            CHECK(difference(program, *source, context, {grid.x / 3, grid.y / 2, 0}) == "");
        }
    }
}

TEST_CASE("a problem that no tile divides folds into interior and edges", "[oracle][fold]") {
    const auto arch = load_arch("sm_70");
    for (const auto& function : listing("sm_70").functions) {
        const auto family = kernel_name(function.name).family;
        if (family != "naive" && family != "coalesced") {
            continue;
        }
        auto listed = listing_launch(function.name, arch, 96);
        REQUIRE(listed.has_value());
        listed->launch.grid = {5, 4, 1};
        listed->launch.arguments = parse_arguments("145,107,19,0.5f,ptr,ptr,0.25f,ptr");
        const auto source = make_sass_source(function, listed->launch);
        const auto context = launch_context(function, listed->launch);
        const auto program = fold_program(*source, context);
        INFO(family);
        CHECK(difference_in_all_blocks(program, *source, context) == "");
        CHECK(program.variants.size() == 4);
        // 2 M N K, beside the scaling of the M N results by alpha and beta
        const double products = 2.0 * 145 * 107 * 19;
        CHECK(program.flops >= products);
        CHECK(program.flops <= products + 8.0 * 145 * 107);
    }
}

TEST_CASE("the largest problem of the design becomes a small program", "[unit][fold]") {
    const auto arch = load_arch("sm_70");
    for (const auto& function : listing("sm_70").functions) {
        if (kernel_name(function.name).family != "warptile") {
            continue;
        }
        const auto listed = listing_launch(function.name, arch, 4096);
        REQUIRE(listed.has_value());
        const auto program = program_from_sass(function, listed->launch);
        CHECK(program.variants.empty());
        std::size_t instructions = 0;
        std::int64_t trips = 0;
        const std::function<void(const std::vector<Node>&)> walk = [&](const std::vector<Node>& nodes) {
            for (const auto& node : nodes) {
                if (const auto* loop = std::get_if<Loop>(&node)) {
                    trips = std::max(trips, loop->trips);
                    walk(loop->body);
                    continue;
                }
                for (const auto& segment : std::get<Interval>(node).segments) {
                    instructions += segment.code.size();
                }
            }
        };
        walk(program.body);
        INFO(listed->params);
        CHECK(trips == 4096 / kernel_name(function.name).at("BK"));
        CHECK(instructions <= function.instructions.size());
        break;
    }
}
