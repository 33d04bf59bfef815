// gpumodel sweep: the points, their order and rows, what is rejected, --top, --set-sweep.
// (Resuming and shards: sweep_resume_test.cpp and merge_command_test.cpp.)
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string tiles =
    "sweep --arch v100_sxm2 --kernel warptile -p BM=64,128,256 -p BN=64:256:64 -p BK=8,16 ";

}  // namespace

TEST_CASE("a sweep's rows are those of predict --jobs, in the grid's order", "[sweep]") {
    // brute force over the same axes, the last one fastest; 192 is no multiple of WN = 64's lanes
    std::string jobs = "kernel,params,M,N,K\n";
    for (const auto* size : {"512,512,512", "1024,2048,768"}) {
        for (const int bm : {64, 128, 256}) {
            for (const int bn : {64, 128, 192, 256}) {
                for (const int bk : {8, 16}) {
                    jobs += "warptile,BM=" + std::to_string(bm) + ";BN=" + std::to_string(bn) +
                            ";BK=" + std::to_string(bk) + "," + size + "\n";
                }
            }
        }
    }
    const auto model = GENERATE(as<std::string>{}, "analytic", "both");
    const auto path = write_temporary("sweep_jobs.csv", jobs);
    const auto expected = run_gpumodel("predict --arch v100_sxm2 --generated --format csv --model " + model +
                                       " --jobs " + path);
    const auto sizes = "--sizes 512,1024x2048x768 --model " + model;
    CHECK(run_gpumodel(tiles + sizes + " --keep-invalid").out == expected.out);

    std::string valid;
    int infeasible = 0;
    for (const auto& line : lines_of(expected.out)) {
        const bool rejected = line.find(",infeasible,") != std::string::npos;
        infeasible += rejected ? 1 : 0;
        valid += rejected ? "" : line + "\n";
    }
    CHECK(infeasible > 0);
    CHECK(run_gpumodel(tiles + sizes).out == valid);
}

TEST_CASE("a derived parameter keeps the points that come to it", "[sweep]") {
    const std::string sweep =
        "sweep --arch v100_sxm2 --kernel vectorized -p BM=64,128 -p BN=64,128 -p TM=4,8 -p BK=4,8,16 ";
    const auto blocks = [](const std::string& rows, const std::string& threads) {
        std::string kept;
        for (const auto& line : lines_of(rows)) {
            const bool header = line.rfind("arch,", 0) == 0;
            kept += header || cells_of(line).at(12) == threads ? line + "\n" : "";
        }
        return kept;
    };
    const auto all = run_gpumodel(sweep + "--sizes 512").out;
    REQUIRE(lines_of(blocks(all, "256")).size() > 1);
    REQUIRE(lines_of(blocks(all, "128")).size() > 1);
    CHECK(run_gpumodel(sweep + "--sizes 512 -p THREADS=256").out == blocks(all, "256"));
    CHECK(run_gpumodel(sweep + "--sizes 512 -p THREADS=128,256,7").out != blocks(all, "256"));

    const auto none = run_gpumodel("sweep --arch v100_sxm2 --kernel vectorized --sizes 512 -p THREADS=96,64");
    CHECK(none.exit_code == 3);
    CHECK(none.err.find("1  THREADS of 96, 64 must equal BM*BN/(TM*TN)") != std::string::npos);
    const auto row =
        run_gpumodel("sweep --arch v100_sxm2 --kernel vectorized --sizes 512 -p THREADS=64 --keep-invalid");
    CHECK(row.out.find("infeasible,THREADS = 64 must equal BM*BN/(TM*TN) = 256") != std::string::npos);
    // An axis of the family that has it, what the other must come to.
    const auto both = run_gpumodel(
        "sweep --arch v100_sxm2 --kernel vectorized,warptile --sizes 512 -p THREADS=128,256 --format csv");
    CHECK(lines_of(both.out).size() == 3);
}

TEST_CASE("the summary counts every point once, by rule", "[sweep]") {
    const auto result = run_gpumodel(tiles + "--sizes 512,1024");
    REQUIRE(result.exit_code == 0);
    std::map<std::string, int> rules;
    for (const auto& line : lines_of(run_gpumodel(tiles + "--sizes 512,1024 --keep-invalid").out)) {
        const auto cells = cells_of(line);
        if (cells.at(7) == "infeasible") {
            auto rule = cells.at(8);
            for (auto at = rule.find(" = "); at != std::string::npos; at = rule.find(" = ")) {
                rule.erase(at, rule.find_first_not_of("0123456789", at + 3) - at);
            }
            ++rules[rule];
        }
    }
    int rejected = 0;
    for (const auto& [rule, count] : rules) {
        INFO(rule);
        rejected += count;
        CHECK(result.err.find("  " + std::to_string(count) + "  " + rule + "\n") != std::string::npos);
    }
    const auto valid = lines_of(result.out).size() - 1;
    CHECK(valid + static_cast<std::size_t>(rejected) == 48);
    CHECK(result.err.rfind("gpumodel: 48 points, " + std::to_string(valid) + " valid, " +
                               std::to_string(rejected) + " rejected:\n",
                           0) == 0);
    CHECK(lines_of(result.err).size() == 1 + rules.size());
}

TEST_CASE("resources that no SM has are rules without the point's numbers", "[sweep]") {
    // 255 registers for 256 and for 512 threads are 65,280 and 130,560 > 65,536 of the V100 (programming
    // guide)
    const auto result =
        run_gpumodel("sweep --arch v100_sxm2 --kernel naive --registers 255 --sizes 1024,2048");
    CHECK(result.exit_code == 3);
    CHECK(lines_of(result.out).size() == 1);
    CHECK(result.err ==
          "gpumodel: 2 points, 0 valid, 2 rejected:\n"
          "            2  N registers per block asked (N per thread, rounded), 65536 allowed\n");
}

TEST_CASE("the bytes do not depend on the number of threads", "[sweep]") {
    for (const auto* format : {"csv", "json --top 3", "text", "csv --top 2"}) {
        INFO(format);
        const auto of = [&](const std::string& threads) {
            auto out =
                run_gpumodel(tiles + "--sizes 512,1024 --threads " + threads + " --format " + format).out;
            const auto command = out.find("\"command_line\"");
            return command == std::string::npos
                       ? out
                       : out.substr(0, command) + out.substr(out.find('\n', command));
        };
        const auto one = of("1");
        CHECK(one.size() > 100);
        CHECK(of("4") == one);
        CHECK(of("3") == one);
    }
}

TEST_CASE("--top is the head of the sorted full output, per size and spec", "[sweep]") {
    const std::string arguments =
        "sweep --arch v100_sxm2 --kernel warptile,vectorized -p BM=64,128 -p BN=64,128 -p BK=8,16 -p TM=4,8 "
        "--sizes 512,1024,2048 --set-sweep sm_count=40:80:40 --set-sweep clock.sm='1.2 GHz,1.5 GHz' ";
    const auto all = lines_of(run_gpumodel(arguments).out);
    std::map<std::string, std::vector<std::pair<double, std::size_t>>> groups;  // in order of time, then row
    std::vector<std::string> order;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const auto cells = cells_of(all[i]);
        const auto group = cells.at(3) + " " + cells.at(cells.size() - 2) + " " + cells.back();
        if (groups[group].empty()) {
            order.push_back(group);
        }
        groups[group].emplace_back(std::stod(cells.at(9)), i);
    }
    CHECK(order.size() == 12);
    std::string expected = all[0] + "\n";
    // spec values are outermost: groups of one spec follow each other in the order of the sizes
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        const auto spec = [&](const std::string& g) {
            const auto cells = cells_of(all[groups[g].front().second]);
            return std::pair(cells.at(cells.size() - 2).size(), cells.at(cells.size() - 2) + cells.back());
        };
        return spec(a) < spec(b);
    });
    for (const auto& group : order) {
        auto rows = groups[group];
        std::stable_sort(rows.begin(), rows.end());
        for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 3); ++i) {
            expected += all[rows[i].second] + "\n";
        }
    }
    CHECK(run_gpumodel(arguments + "--top 3").out == expected);
}

TEST_CASE("simulations that cannot be among the fastest any more are stopped, and the fastest are the same",
          "[sweep]") {
    const std::string arguments =
        "sweep --arch v100_sxm2 --kernel warptile -p BM=64,128 -p BN=64,128 -p BK=8,16 -p WM=32,64 -p "
        "WN=32,64 -p WNITER=1,2 -p TM=4,8 -p THREADS=64,128,256 --sizes 1024x1024x256 --model simulate ";
    auto all = lines_of(run_gpumodel(arguments).out);
    REQUIRE(all.size() > 70);
    std::stable_sort(all.begin() + 1, all.end(), [](const std::string& a, const std::string& b) {
        return std::stod(cells_of(a).at(9)) < std::stod(cells_of(b).at(9));
    });
    std::string expected;
    for (std::size_t i = 0; i < 65; ++i) {  // with the header
        expected += all[i] + "\n";
    }
    const auto best = run_gpumodel(arguments + "--top 64 --threads 3");
    CHECK(best.out == expected);
    CHECK(best.err.find(" simulations were stopped when they could not be among the 64 fastest") !=
          std::string::npos);
    const auto again = run_gpumodel(arguments + "--top 64 --threads 1");
    CHECK(again.out == best.out);
    CHECK(again.err == best.err);
}

TEST_CASE("swept spec values predict what --set predicts, and stand behind the counters", "[sweep]") {
    const auto result = run_gpumodel(
        "sweep --arch k40 --kernel smem,vectorized --sizes 1024 --model both --set-sweep "
        "sm.shared_memory.banks=16,32 --set-sweep 'dram.bandwidth=200:280:80 GB/s'");
    REQUIRE(result.exit_code == 0);
    const auto lines = lines_of(result.out);
    std::size_t next = 1;
    for (const auto* banks : {"16", "32"}) {
        for (const auto* bandwidth : {"200 GB/s", "280 GB/s"}) {
            for (const auto* kernel : {"smem", "vectorized"}) {
                const auto set =
                    run_gpumodel(std::string("predict --arch k40 --model both --format csv --kernel ") +
                                 kernel + " -m 1024 -n 1024 -k 1024 --set sm.shared_memory.banks=" + banks +
                                 " --set 'dram.bandwidth=" + bandwidth + "'");
                const auto rows = lines_of(set.out);
                REQUIRE(rows.size() == 3);
                CHECK(lines.at(0) == rows[0] + ",sm.shared_memory.banks,dram.bandwidth");
                for (const std::size_t model : {1U, 2U}) {
                    CHECK(lines.at(next++) == rows[model] + "," + banks + "," + bandwidth);
                }
            }
        }
    }
    CHECK(lines.size() == next);
}

TEST_CASE("spec values that contradict each other are rejected points, not the end", "[sweep]") {
    const auto result = run_gpumodel(
        "sweep --arch v100_sxm2 --kernel smem --sizes 512 --set-sweep sm.max_warps=32,64 --set-sweep "
        "sm.max_threads=1024,2048");
    CHECK(result.exit_code == 0);
    const auto lines = lines_of(result.out);
    REQUIRE(lines.size() == 3);  // header, 32 warps of 1024 threads, 64 warps of 2048
    CHECK(lines[1].substr(lines[1].size() - 8) == ",32,1024");
    CHECK(lines[2].substr(lines[2].size() - 8) == ",64,2048");
    CHECK(result.err.find("4 points, 2 valid, 2 rejected") != std::string::npos);
}

TEST_CASE("json is one document with the counts at its end", "[sweep]") {
    const auto json = nlohmann::json::parse(
        run_gpumodel(tiles + "--sizes 512 --set-sweep sm_count=40,80 --format json").out);
    CHECK(json.at("schema_version") == 1);
    CHECK(json.at("metadata").at("spec_hash").get<std::string>().size() >= 8);
    const auto csv = lines_of(run_gpumodel(tiles + "--sizes 512 --set-sweep sm_count=40,80").out);
    REQUIRE(json.at("predictions").size() == csv.size() - 1);
    CHECK(json.at("points") == 48);
    CHECK(json.at("valid") == csv.size() - 1);
    std::size_t rejected = 0;
    for (const auto& [rule, count] : json.at("rejected").items()) {
        rejected += count.get<std::size_t>();
    }
    CHECK(rejected == 48 - (csv.size() - 1));
    for (std::size_t i = 1; i < csv.size(); ++i) {
        const auto cells = cells_of(csv[i]);
        const auto& item = json.at("predictions").at(i - 1);
        CHECK(item.at("overrides").at("sm_count") == cells.back());
        CHECK(std::stod(cells.at(9)) == Approx(item.at("time_us").get<double>()).epsilon(1e-5));
    }
}

TEST_CASE("without -p the default tile; --axes auto the values a tuner tries", "[sweep]") {
    const auto one = lines_of(run_gpumodel("sweep --arch k40 --kernel vectorized --sizes 1024,2048").out);
    CHECK(one.size() == 3);
    CHECK(one.at(1).find(",BM=128;BN=128;BK=8;TM=8;TN=8;UNROLL=auto,") != std::string::npos);
    const auto many = run_gpumodel("sweep --arch k40 --kernel vectorized --sizes 1024 --axes auto -p BM=128");
    CHECK(many.err.find("192 points") != std::string::npos);  // BN 4, BK 3, TM 4, TN 4 powers of two
    CHECK(many.out.find("BM=128;BN=128;BK=8;TM=8;TN=8") != std::string::npos);
    CHECK(many.out.find("BM=64") == std::string::npos);
    CHECK(run_gpumodel("sweep --arch k40 --kernel vectorized -p UNROLL=auto,2 --sizes 1024")
              .out.find("UNROLL=2") != std::string::npos);
}

TEST_CASE("an interrupted sweep keeps whole rows and exits with 130", "[sweep]") {
    const std::string arguments =
        "sweep --arch v100_sxm2 --kernel warptile --axes auto --threads 1 --sizes 4096";
    const auto all = run_gpumodel(arguments).out;
    const auto file = temporary_path("interrupted.csv");
    // bash's jobs are started with SIGINT ignored; env puts it back
    const auto result = run_shell("env --default-signal=INT {gpumodel} " + arguments + " --out " + file +
                                  " & pid=$!; "
                                  "until [ -s " +
                                  file + " ]; do sleep 0.01; done; kill -INT $pid; wait $pid");
    CHECK(result.exit_code == 130);
    CHECK(result.err.find("interrupted after ") != std::string::npos);
    const auto part = read_temporary(file);
    CHECK(part.size() < all.size());
    CHECK(part.back() == '\n');
    CHECK(all.rfind(part, 0) == 0);
}

TEST_CASE("bad sweeps, all faults at once", "[sweep][bad]") {
    const std::string tile = "sweep --arch v100_sxm2 --kernel warptile ";
    struct Bad {
        std::string arguments;
        std::string error;
    };
    const std::vector<Bad> cases{
        {"sweep --arch v100_sxm3 --kernel warptil,naive,naive -p BMM=64 -p BM=64,64 -p BK=32:8 -p TM=8:4:2:1 "
         "-p TN= "
         "--sizes 0,4096x2 --set-sweep sm.shared_memory.bank=2 --set-sweep sm.max_warps=x --model foo --top "
         "0 "
         "--shard 3/2 --threads -1 --registers 0",
         "--kernel: warptil: unknown kernel family; see 'gpumodel kernels list'; nearest: warptile\n"
         "--kernel: naive: given twice\n"
         "-p: BM: 64 stands twice\n"
         "-p: BK: '32:8': no value lies in this range\n"
         "-p: TM: '8:4:2:1' is no range; expected FIRST:LAST:STEP\n"
         "-p: TN: '' lacks a value\n"
         "-p: BMM: naive has no such parameter; nearest: BM\n"
         "-p: BK: naive has no such parameter; nearest: BM\n"
         "-p: TM: naive has no such parameter; nearest: BM\n"
         "-p: TN: naive has no such parameter; nearest: BN\n"
         "--sizes: 0 is out of range; allowed 1 to 1048576\n"
         "--sizes: '4096x2' is no shape; expected SIZE or MxNxK\n"
         "--set-sweep: sm.shared_memory.bank: unknown key; nearest: sm.shared_memory.banks\n"
         "--set-sweep: sm.max_warps: 'x' is not a number\n"
         "--model: 'foo' is no model, allowed analytic, simulate, both\n"
         "--registers: 0 is out of range; allowed 1 to 512\n"
         "--top: 0 is out of range; allowed 1 to 1000000\n"
         "--threads: -1 is out of range; allowed 0 to 1024\n"
         "--shard: '3/2' is no shard; expected i/n, with i from 1 to n\n"
         "v100_sxm3: unknown architecture; nearest: v100_sxm2\n"},
        {tile + "-p BM=64 -p BM=128", "-p: BM: given twice\n"},
        {tile + "-p BM=64,2048", "-p: BM: is 2048; allowed: 1 to 1024\n"},
        {tile + "-p BM=64:128:0", "-p: BM: '64:128:0': the step must be at least 1\n"},
        {tile + "-p BM=1:99999999", "-p: BM: more than 1000000 values\n"},
        {tile + "-p WNN=64", "-p: WNN: warptile has no such parameter; nearest: WN\n"},
        {tile + "-p BM=1:1024 -p BN=1:1024 -p BK=1:256 -p WM=1:1024",
         "-p: 274,877,906,944 points; a sweep has at most 1,000,000,000\n"},
        {tile + "-p BM=1:1024 -p BN=1:1024 -p BK=1:256 -p WM=1:1024 -p WN=1:1024 -p THREADS=1:1024 -p "
                "UNROLL=0:1024",
         "-p: more than 9,223,372,036,854,775,807 points; a sweep has at most 1,000,000,000\n"},
        {tile + "--sizes 512,512x512x512", "--sizes: 512x512x512 stands twice\n"},
        {tile + "--axes all", "--axes: 'all' is not allowed; allowed auto\n"},
        {tile + "--set-sweep sm_count=10,20 --set-sweep device.sm_count=30 --set sm_count=40",
         "--set-sweep: device.sm_count: given twice\n--set-sweep: sm_count: given with --set too\n"},
        {tile + "--set-sweep sm_count=0,2",
         "--set-sweep: sm_count: '0' is out of range; allowed: 1 to 1024\n"},
        {tile + "--set-sweep 'dram.bandwidth=700 GB/s,0.7 TB/s'",
         "--set-sweep: dram.bandwidth: '0.7 TB/s' stands twice\n"},
        {tile + "--set-sweep sm.shared_memory=1",
         "--set-sweep: sm.shared_memory: this is a section; give the key of a value\n"},
        {tile + "--set-sweep sm_count=80:40:10",
         "--set-sweep: sm_count: '80:40:10' is no range; expected FIRST:LAST:STEP, rising, with its unit "
         "behind and "
         "at most 1000000 values\n"},
        {tile + "--resume", "--resume: needs --out FILE, and csv without --top\n"},
        {tile + "--shard 1/2 --format json --keep-invalid --top 3 --exact",
         "--exact: is for the simulator, not for --model analytic\n"
         "--keep-invalid: is for all rows, not for --top or text\n"
         "--shard: is for csv without --top: rank the merged rows\n"},
        {"sweep --arch k40 --kernel warptile,ab_shared",
         "--sizes: is required: these families' default sizes differ\n"},
        {tile + "--out /nonexistent/x", "/nonexistent/x: --out: cannot write this file\n"},
    };
    for (const auto& bad : cases) {
        INFO(bad.arguments);
        const auto result = run_gpumodel(bad.arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.err == bad.error);
        CHECK(result.out.empty());
    }
}

TEST_CASE("the examples of the help are true", "[sweep]") {
    const auto help = run_gpumodel("sweep --help").out;
    int examples = 0;
    for (const auto& line : lines_of(help)) {
        if (line.rfind("  gpumodel sweep ", 0) == 0) {
            ++examples;
            INFO(line);
            const auto result = run_shell("cd $(mktemp -d) && {gpumodel}" + line.substr(10) +
                                          "; code=$?; rm -rf $PWD; exit $code");
            CHECK(result.exit_code == 0);
            CHECK(result.err.find(" valid") + result.out.find(" valid") != 2 * std::string::npos);
        }
    }
    CHECK(examples == 3);
}
