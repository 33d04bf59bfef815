// Whose blocks go first, against loops that several blocks of an H200's SM run at once
// (validate/microbench/block_order).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace block_order_test {

using namespace gpumodel;

namespace {

struct Timed {
    std::string loop;
    int blocks = 0, threads = 0;
    std::vector<double> measured;   // ends of blocks in order of start, of the last one's
    std::vector<double> simulated;  // the same
    [[nodiscard]] double difference() const {
        double sum = 0;
        for (std::size_t i = 0; i < measured.size(); ++i) {
            sum += std::abs(measured[i] - simulated[i]);
        }
        return sum / static_cast<double>(measured.size());
    }
};

class Ends : public SimListener {
public:
    void block_ended(std::int64_t cycle, int /*slot*/, std::int64_t block) override { ends[block] = cycle; }
    std::map<std::int64_t, std::int64_t> ends;  // by number: in order of start
};

// A tenth of the measured rounds: the ends' proportions are the same.
void run(const SassFunction& loop, int rounds, const ArchSpec& arch, Timed& row) {
    SassLaunch launch;
    launch.grid = {std::int64_t{arch.sm_count} * row.blocks, 1, 1};
    launch.block = {row.threads, 1, 1};
    launch.dynamic_shared_bytes = std::int64_t{226 / row.blocks - 1} * 1024;
    launch.arguments = parse_arguments("ptr,ptr,ptr," + std::to_string(rounds / 10) + ",0.5f");
    Ends heard;
    SimOptions options;
    options.exact = true;
    options.listener = &heard;
    std::ignore = simulate(program_from_sass(loop, launch), arch, options);
    std::int64_t last = 0;
    for (const auto& [block, end] : heard.ends) {
        last = std::max(last, end);
    }
    for (const auto& [block, end] : heard.ends) {
        row.simulated.push_back(static_cast<double>(end) / static_cast<double>(last));
    }
}

// Of at least 128 threads: a warp for each scheduler. `names` are those of the loops in the code.
std::vector<Timed> timed(const std::map<std::string, std::string>& names) {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/block_order/sm_90.sass.gz");
    std::vector<Timed> rows;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_block_order.csv").rows) {
        Timed t{row[0].text, std::stoi(row[1].text), std::stoi(row[2].text), {}, {}};
        if (t.blocks == 1 || t.threads < 128 || !names.contains(t.loop)) {
            continue;
        }
        std::istringstream ends(row[5].text);
        for (double end = 0; ends >> end;) {
            t.measured.push_back(end / 100);
        }
        const auto code = std::find_if(
            module.functions.begin(), module.functions.end(),
            [&](const SassFunction& f) { return f.name.find(names.at(t.loop)) != std::string::npos; });
        run(*code, std::stoi(row[3].text), arch, t);
        REQUIRE(t.simulated.size() == t.measured.size());
        rows.push_back(t);
    }
    return rows;
}

double mean_difference(const std::map<std::string, std::string>& names) {
    const auto rows = timed(names);
    REQUIRE(rows.size() > 5);
    double sum = 0;
    for (const auto& row : rows) {
        CAPTURE(row.loop, row.blocks, row.threads, row.measured, row.simulated);
        CHECK(row.difference() < 0.2);
        sum += row.difference();
    }
    return sum / static_cast<double>(rows.size());
}

}  // namespace

// 0.19 with the last block first where warps issue, and whoever waited longest where they queue.
TEST_CASE("blocks whose loads fill a queue end in the order of their start, as far apart as on the H200",
          "[issue]") {
    CHECK(mean_difference({{"lds32", "LoopE2"}, {"lds128", "LoopE3"}, {"ldg", "LoopE6"}}) < 0.03);
}

// 0.19 as above.
TEST_CASE("blocks that run a product's inner loop end in the order of their start", "[issue]") {
    CHECK(mean_difference({{"tile", "LoopE4"}, {"steps", "LoopE5"}}) < 0.03);
}

}  // namespace block_order_test
