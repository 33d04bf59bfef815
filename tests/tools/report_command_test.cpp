// The report command: its pages hold what predict and the csv say, load nothing and escape everything.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/html_document.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace report_command_test {

using Json = nlohmann::json;

namespace {

// generated: few enough sites for all of them to be on the page, and a band
const std::string launch = "--arch h200_sxm --kernel blocktile2d -m 512 -n 512 -k 256 --generated";

const std::string header =
    "arch,kernel,params,M,N,K,model,status,reason,time_us,gflops,cycles,threads_per_block,registers_per_"
    "thread,"
    "shared_bytes_per_block,blocks_per_sm,occupancy_limiter,theoretical_occupancy,achieved_occupancy,waves,"
    "bottleneck,error_band_pct\n";

// The columns between gflops and bottleneck stay empty.
std::string csv_line(const std::string& kernel, const std::string& params, const std::string& size,
                     const std::string& model, const std::string& time, const std::string& gflops,
                     const std::string& bottleneck = "FMA pipe", const std::string& band = "10") {
    return "k40," + kernel + "," + params + "," + size + "," + size + "," + size + "," + model + "," +
           (time.empty() ? "infeasible,BM too large" : "ok,") + "," + time + "," + gflops + ",,,,,,,,,," +
           bottleneck + "," + band + "\n";
}

void check_page(const std::string& html) {
    const auto page = read_html(html);
    for (const auto& fault : page.faults) {
        FAIL_CHECK(fault);
    }
    CHECK(external_resources(html).empty());
    CHECK(page.elements.at("main") == 1);
    CHECK(page.elements.at("h1") == 1);
}

double value(const HtmlDocument& page, const std::string& id) {
    INFO(id);
    REQUIRE(page.data.count(id) == 1);
    return std::stod(page.data.at(id));
}

}  // namespace

TEST_CASE("the page of a launch holds the figures of predict", "[cli][report]") {
    const auto html = run_gpumodel("report " + launch);
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    const auto page = read_html(html.out);
    const auto json = Json::parse(run_gpumodel("predict --format json " + launch).out).at("predictions");
    const auto& p = json.at(0);
    // seven digits from 1 on, seven decimals below (base/number_text.h)
    const auto same = [](double figure) { return Approx(figure).epsilon(1e-6).margin(5.1e-8); };
    for (const char* key :
         {"time_us", "gflops", "peak_pct", "cycles", "theoretical_occupancy", "achieved_occupancy", "waves",
          "error_band_pct", "effective_bandwidth_gbytes_per_s"}) {
        CHECK(value(page, key) == same(p.at(key).get<double>()));
    }
    CHECK(value(page, "launch_overhead_us") ==
          same(p.at("time_terms").at("launch_overhead_us").get<double>()));
    for (const auto& model : json) {
        const auto name = model.at("model").get<std::string>();
        CHECK(value(page, name + "_time_us") == same(model.at("time_us").get<double>()));
        CHECK(value(page, name + "_cycles") == same(model.at("cycles").get<double>()));
    }
    for (const auto& [name, counter] : p.at("counters").items()) {
        CHECK(value(page, name) == same(counter.get<double>()));
    }
    const auto has_cell = [&](const std::string& text) {
        return std::find(page.cells.begin(), page.cells.end(), text) != page.cells.end();
    };
    for (const auto& bound : p.at("bounds")) {
        CHECK(has_cell(bound.at("name")));
    }
    for (const auto& site : p.at("sites")) {
        CHECK(has_cell(site.at("name")));
    }
    double share = 0;
    for (const auto& [id, text] : page.data) {
        share += id.rfind("stall_", 0) == 0 ? std::stod(text) : 0;
    }
    CHECK(share == Approx(100));
    CHECK(html.out.find(p.at("bottleneck_words").get<std::string>()) != std::string::npos);
}

TEST_CASE("every section of a launch is there, each with its drawing", "[cli][report]") {
    const auto page = read_html(run_gpumodel("report --explain " + launch).out);
    for (const char* id : {"summary", "bounds", "time", "roofline", "stalls", "what-if", "occupancy",
                           "memory", "instructions", "counters", "accuracy", "estimates"}) {
        INFO(id);
        CHECK(page.ids.count(id) == 1);
    }
    // bounds, rounds, stalls, what-ifs, three cliffs, bytes, two of sites, and at least one picture of banks
    CHECK(page.elements.at("svg") >= 11);
    CHECK(page.elements.at("title") >= page.elements.at("svg"));
}

TEST_CASE("one model alone leaves out what only the other knows", "[cli][report]") {
    const auto html = run_gpumodel("report --model analytic " + launch);
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    const auto page = read_html(html.out);
    CHECK(page.ids.count("stalls") == 0);
    CHECK(page.ids.count("time") == 1);
    CHECK(page.data.count("simulate_time_us") == 0);
}

TEST_CASE("what has never been measured says so instead of a number", "[cli][report]") {
    const auto html = run_gpumodel("report --arch gtx_680 --kernel smem -m 256 -n 256 -k 256");
    REQUIRE(html.exit_code == 0);
    CHECK(read_html(html.out).data.count("error_band_pct") == 0);
    CHECK(html.out.find("not measured") != std::string::npos);
}

TEST_CASE("a launch that does not fit is a page with the reason", "[cli][report]") {
    const auto html = run_gpumodel("report --arch k40 --kernel warptile -p BM=64 -p BK=24");
    CHECK(html.exit_code == 3);
    check_page(html.out);
    CHECK(read_html(html.out).ids.count("bounds") == 0);
    CHECK(html.out.find("infeasible") != std::string::npos);
}

TEST_CASE("listings make pages too", "[cli][report]") {
    const auto html =
        run_gpumodel("report --arch h200_sxm --sass " GPUMODEL_SOURCE_DIR
                     "/validate/general/sm_90.sass.gz --entry stencil5 --grid 32,64 --block 32,8 "
                     "--args ptr:4MiB,ptr:4MiB,1000,507");
    INFO(html.err);
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    CHECK(html.out.find(">LDG.E") != std::string::npos);
    CHECK(html.out.find("stencil5(") != std::string::npos);  // its C++ name
}

// Lanes 32 words apart meet one of 32 banks: 32 passes, of which the picture draws twelve.
TEST_CASE("a column of a tile 32 words wide is drawn as 32 passes over one bank", "[cli][report]") {
    const auto html =
        run_gpumodel("report --arch v100_sxm2 --kernel aat_coalesced -m 64 -n 64 -k 32 --model analytic");
    REQUIRE(html.exit_code == 0);
    CHECK(html.out.find("32 bits per lane: 32 passes, 1 without conflicts") != std::string::npos);
    CHECK(html.out.find("and 20 more passes") != std::string::npos);
    CHECK(html.out.find("bank 0, wavefront 12: lane 11<") != std::string::npos);
}

TEST_CASE("same launch, same bytes", "[cli][report]") {
    CHECK(run_gpumodel("report " + launch).out == run_gpumodel("report " + launch).out);
}

TEST_CASE("cells of the heat map are the best of the csv", "[cli][report]") {
    std::string csv = header;
    std::map<std::pair<std::string, std::string>, double> best;
    double least = 1e30;
    unsigned random = 1;
    for (const std::string bm : {"32", "64", "128", "256"}) {
        for (const std::string bn : {"16", "8", "128"}) {
            for (int i = 0; i < 20; ++i) {
                random = random * 1664525U + 1013904223U;
                const double time = 10 + static_cast<double>(random >> 16U) / 7;
                const auto text = std::to_string(time);
                csv += csv_line("smem", "BM=" + bm + ";BN=" + bn + ";BK=" + std::to_string(i), "512",
                                "simulate", text, "1");
                const auto cell = best.try_emplace({bm, bn}, std::stod(text)).first;
                cell->second = std::min(cell->second, std::stod(text));
                least = std::min(least, std::stod(text));
            }
        }
    }
    TemporaryFile file(csv);
    const auto html = run_gpumodel("report --x BM --y BN --sweep " + file.path());
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    const auto page = read_html(html.out);
    // the table below the map: rows of it from the top, numbers in ascending order
    std::size_t next = 0;
    REQUIRE(page.cell_values.size() == best.size());
    for (const char* bn : {"8", "16", "128"}) {
        for (const char* bm : {"32", "64", "128", "256"}) {
            INFO(bm << " x " << bn);
            CHECK(std::stod(page.cell_values[next++]) == Approx(best.at({bm, bn})).epsilon(1e-6));
        }
    }
    CHECK(value(page, "best_time_us") == Approx(least).epsilon(1e-6));
}

TEST_CASE("a sweep counts its rows, rejections and bottlenecks", "[cli][report]") {
    TemporaryFile file(header + csv_line("smem", "BM=8", "512", "simulate", "20", "100") +
                       csv_line("smem", "BM=16", "512", "simulate", "10", "200", "DRAM") +
                       csv_line("smem", "BM=16", "512", "analytic", "11", "190") +
                       csv_line("smem", "BM=32", "512", "simulate", "", "", "", ""));
    const auto html = run_gpumodel("report --sweep " + file.path());
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    const auto page = read_html(html.out);
    CHECK(value(page, "rows") == 4);
    CHECK(value(page, "rejected_rows") == 1);
    CHECK(value(page, "best_time_us") == 10);
    CHECK(html.out.find("BM too large") != std::string::npos);
    CHECK(html.out.find("1 configurations lie so close") != std::string::npos);  // only the best within 10 %
    for (const char* id : {"summary", "heat-map", "top", "times", "bottlenecks", "rejected", "accuracy"}) {
        INFO(id);
        CHECK(page.ids.count(id) == 1);
    }
}

TEST_CASE("several sizes are ranked by GFLOP/s", "[cli][report]") {
    TemporaryFile file(header + csv_line("smem", "BM=8", "256", "simulate", "1", "100") +
                       csv_line("smem", "BM=16", "256", "simulate", "2", "50") +
                       csv_line("smem", "BM=8", "1024", "simulate", "40", "300") +
                       csv_line("smem", "BM=16", "1024", "simulate", "30", "400"));
    const auto html = run_gpumodel("report --sweep " + file.path());
    REQUIRE(html.exit_code == 0);
    const auto page = read_html(html.out);
    CHECK(value(page, "best_gflops") == 400);
    CHECK(value(page, "best_time_us") == 30);
    CHECK(page.cell_values == std::vector<std::string>{"100", "50", "300", "400"});
    CHECK(html.out.find("M = N = K") != std::string::npos);
}

TEST_CASE("text of a csv is escaped, whatever its bytes", "[cli][report]") {
    const std::string evil = "\"<script>alert('1')</script>&amp;\xff\x80\"\"\"";
    TemporaryFile file(header + csv_line(evil, "BM=8;<b>=1", "512", "simulate", "20", "100", "<i>\xc3") +
                       csv_line(evil, "BM=16;<b>=2", "512", "simulate", "10", "200"));
    const auto html = run_gpumodel("report --sweep " + file.path());
    REQUIRE(html.exit_code == 0);
    check_page(html.out);
    CHECK(html.out.find("<script>alert") == std::string::npos);
    CHECK(html.out.find("&lt;script&gt;alert") != std::string::npos);
    CHECK(html.out.find('\xff') == std::string::npos);
}

TEST_CASE("sweeps of nothing, one row and no valid row are pages", "[cli][report]") {
    for (const auto& rows : {std::string(), csv_line("smem", "", "512", "simulate", "20", "100"),
                             csv_line("smem", "BM=8", "512", "simulate", "", "", "", "")}) {
        TemporaryFile file(header + rows);
        const auto html = run_gpumodel("report --sweep " + file.path());
        CHECK(html.exit_code == 0);
        check_page(html.out);
    }
}

TEST_CASE("report refuses bad input, all faults at once", "[cli][report][bad]") {
    struct Bad {
        std::string arguments;
        std::string error;
    };
    TemporaryFile file(header + csv_line("smem", "BM=8", "512", "simulate", "fast", "100") + "k40,smem\n" +
                       csv_line("smem", "BM=8", "512", "simulate", "-1", "nan"));
    const auto& path = file.path();
    const std::vector<Bad> cases{
        {"--arch k40",
         "--kernel: give one of --kernel NAME, --sass FILE, --cu FILE, --trace FILE and --sweep FILE\n"},
        {"--kernel smem", "--arch: is required but with --sweep\n"},
        {"--kernel smem --model analytic --exact --x BM",
         "--x: and --y are for --sweep\n"
         "--model: analytic excludes --exact and --max-cycles, which are for the simulator\n"
         "--arch: is required but with --sweep\n"},
        {"--sweep " + path + " --kernel smem --arch k40 --explain",
         "--sweep: excludes --kernel, --sass, --trace, sizes and -p: its rows say them\n"
         "--sweep: excludes --arch and --set: its rows were predicted with theirs\n"
         "--sweep: excludes --explain, --exact, --max-cycles and --l2: nothing is simulated\n"},
        {"--sweep absent.csv", "absent.csv: --sweep: cannot read this file\n"},
        {"--sweep " + path, path + ":2:40: time_us: 'fast' is not a number of at least 0\n" + path +
                                ":3:1: 2 fields, the header has 22\n" + path +
                                ":4:40: time_us: '-1' is not a number of at least 0\n" + path +
                                ":4:43: gflops: 'nan' is not a number of at least 0\n"},
        {"--sweep jobs/mixed.csv --x BM", ""},
        {"--arch k40 --kernel smem --out /nonexistent/x.html",
         "/nonexistent/x.html: --out: cannot write this file\n"},
    };
    for (const auto& bad : cases) {
        INFO(bad.arguments);
        const auto result = run_gpumodel("report " + bad.arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        if (!bad.error.empty()) {
            CHECK(result.err == bad.error);
        }
    }
}

TEST_CASE("the heat map's parameters must occur in the csv", "[cli][report][bad]") {
    TemporaryFile file(header + csv_line("smem", "BM=8;BN=4", "512", "simulate", "20", "100"));
    const auto result = run_gpumodel("report --x BQ --y BN --sweep " + file.path());
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("--x: BQ: no row has this parameter; nearest: B") == 0);
    const auto same = run_gpumodel("report --x BM --y BM --sweep " + file.path());
    CHECK(same.err == "--y: BM: is the same as --x\n");
}

}  // namespace report_command_test
