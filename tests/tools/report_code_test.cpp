// The report's code, mix, memory and timeline sections against what simulate and predict say of the launch.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/html_document.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace report_code_test {

using Json = nlohmann::json;

namespace {

constexpr double digits = 1e-6;  // figures keep seven digits

const std::string listing = GPUMODEL_SOURCE_DIR "/validate/general/sm_90.sass.gz";
const std::string listed = "--arch h200_sxm --sass " + listing +
                           " --entry stencil5 --grid 32,64 --block 32,8 "
                           "--args ptr:4MiB,ptr:4MiB,1000,507";
const std::string generated = "--arch v100_sxm2 --kernel blocktile2d -m 256 -n 256 -k 512 --generated";

struct CodeRow {
    std::string text;
    double executed = 0, share = 0, cumulated = 0;
    std::string html;
};

// Rows of the code table by place.
std::map<std::string, CodeRow> code_rows(const std::string& page) {
    const auto table = page.find("<table class=\"sortable code\">");
    REQUIRE(table != std::string::npos);
    const auto body = page.substr(table, page.find("</table>", table) - table);
    static const std::regex row(
        "<tr class=\"[a-z]*\"><td data-v=\"[0-9]+\">([^<]*)</td><td class=\"code\">([^<]*)</td>"
        "<td class=\"n\" data-v=\"([^\"]*)\">[^<]*</td><td class=\"n[ a-z]*\" data-v=\"([^\"]*)\">[^<]*</td>"
        "<td class=\"n sum\" data-v=\"([^\"]*)\">[^\\n]*");
    std::map<std::string, CodeRow> rows;
    for (std::sregex_iterator at(body.begin(), body.end(), row), end; at != end; ++at) {
        const auto& m = *at;
        rows[m[1]] = {m[2], std::stod(m[3]), std::stod(m[4]), std::stod(m[5]), m[0]};
    }
    return rows;
}

std::string address_text(int address) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%04x", address);
    return text;
}

struct Counted {
    double issues = 0, cycles = 0;
};

}  // namespace

TEST_CASE("each line of a listing has the executions and cycles that simulate counts there",
          "[cli][report]") {
    const auto html = run_gpumodel("report " + listed);
    REQUIRE(html.exit_code == 0);
    CHECK(read_html(html.out).faults.empty());
    const auto rows = code_rows(html.out);
    const auto json = Json::parse(run_gpumodel("simulate --format json " + listed).out);
    std::map<std::string, Counted> expected;
    for (const auto& line : json.at("instructions")) {
        if (line.at("index").is_null()) {
            continue;
        }
        auto& at = expected[address_text(line.at("address").is_null() ? 0 : line.at("address").get<int>())];
        at.issues += line.at("issues").get<double>();
        at.cycles += line.at("warp_cycles").get<double>();
    }
    const double all = json.at("stalls").at("warp_cycles").get<double>();
    REQUIRE(expected.size() > 20);
    double last = 0;
    for (const auto& [place, row] : rows) {
        INFO(place << ' ' << row.text);
        const auto counted = expected.find(place);
        CHECK(row.executed == Approx(counted == expected.end() ? 0 : counted->second.issues).epsilon(digits));
        if (counted != expected.end()) {
            CHECK(row.share == Approx(100 * counted->second.cycles / all).epsilon(digits));
            last = std::max(last, row.cumulated);
        }
        expected.erase(place);
    }
    CHECK(expected.empty());
    CHECK(last == Approx(100));
}

TEST_CASE("the lines of a listing are those of its file, executed or not", "[cli][report]") {
    const auto rows = code_rows(run_gpumodel("report " + listed).out);
    const auto file = run_shell("zcat " + listing).out;
    const auto begin = file.find("stencil5");
    REQUIRE(begin != std::string::npos);
    const auto function = file.substr(begin, file.find("\t\tFunction", begin + 1) - begin);
    static const std::regex instruction(R"(/\*([0-9a-f]{4,5})\*/\s+([^;]*?)\s*;)");
    std::size_t found = 0;
    for (std::sregex_iterator at(function.begin(), function.end(), instruction), end; at != end; ++at) {
        const auto place = "0x" + (*at)[1].str();
        INFO(place);
        REQUIRE(rows.count(place) == 1);
        auto text = rows.at(place).text;
        for (const auto& [escape, character] : {std::pair{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}}) {
            for (auto i = text.find(escape); i != std::string::npos; i = text.find(escape)) {
                text.replace(i, std::string(escape).size(), character);
            }
        }
        CHECK(text == std::regex_replace((*at)[2].str(), std::regex(R"(\s+)"), " "));
        ++found;
    }
    CHECK(found == rows.size());
}

TEST_CASE("accesses bear their sectors and bank passes per execution", "[cli][report]") {
    const auto rows = code_rows(run_gpumodel("report " + listed).out);
    const auto json =
        Json::parse(run_gpumodel("predict --format json " + listed).out).at("predictions").at(0);
    std::size_t checked = 0;
    for (const auto& site : json.at("sites")) {
        const auto name = site.at("name").get<std::string>();
        const auto place = name.substr(name.find('@') + 1);
        INFO(name);
        REQUIRE(rows.count(place) == 1);
        char cell[64];
        const double instructions = site.at("instructions").get<double>();
        std::snprintf(cell, sizeof cell, ">%.2f of %.2f<", site.at("sectors").get<double>() / instructions,
                      site.at("ideal_sectors").get<double>() / instructions);
        CHECK(rows.at(place).html.find(cell) != std::string::npos);
        ++checked;
    }
    CHECK(checked >= 6);  // five loads and a store
}

TEST_CASE("generated code has a line per instruction that issued, with its registers", "[cli][report]") {
    const auto html = run_gpumodel("report " + generated);
    REQUIRE(html.exit_code == 0);
    const auto rows = code_rows(html.out);
    REQUIRE_FALSE(rows.empty());
    double share = 0;
    bool ffma = false;
    static const std::regex operands("FFMA R[0-9]+(.reuse)?, R[0-9]+.*");
    for (const auto& [place, row] : rows) {
        share += row.share;
        ffma = ffma || std::regex_match(row.text, operands);
    }
    CHECK(share == Approx(100));
    CHECK(ffma);
}

TEST_CASE("pipes and instruction mix are those of simulate", "[cli][report]") {
    for (const auto& launch : {listed, generated}) {
        const auto page = read_html(run_gpumodel("report " + launch).out);
        const auto json = Json::parse(run_gpumodel("simulate --format json " + launch).out).at("sm");
        for (const auto& [pipe, use] : json.at("pipes").items()) {
            INFO(pipe);
            CHECK(std::stod(page.data.at("pipe_" + pipe + "_pct")) ==
                  Approx(use.at("utilisation_pct").get<double>()).epsilon(digits));
            CHECK(std::stod(page.data.at("pipe_" + pipe + "_instructions")) ==
                  Approx(use.at("instructions").get<double>()).epsilon(digits));
        }
        CHECK(std::stod(page.data.at("data_pipe_pct")) ==
              Approx(json.at("data_pipe_pct").get<double>()).epsilon(digits));
        CHECK(page.ids.count("mix") == 1);
    }
}

TEST_CASE("bytes between the memories and hit rates are those of the counters", "[cli][report]") {
    const auto html = run_gpumodel("report " + generated).out;
    const auto page = read_html(html);
    const auto c = Json::parse(run_gpumodel("predict --format json " + generated).out)
                       .at("predictions")
                       .at(0)
                       .at("counters");
    const auto counter = [&](const char* name) { return c.at(name).get<double>(); };
    const auto bytes = [&](const char* id) { return std::stod(page.data.at(id)); };
    CHECK(bytes("l1_read_bytes") ==
          Approx(32 * counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")).epsilon(digits));
    CHECK(bytes("l1_write_bytes") ==
          Approx(32 * counter("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")).epsilon(digits));
    // 32 banks of 4 bytes
    CHECK(bytes("shared_read_bytes") ==
          Approx(128 * counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")).epsilon(digits));
    CHECK(bytes("shared_write_bytes") ==
          Approx(128 * counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")).epsilon(digits));
    CHECK(bytes("l2_write_bytes") ==
          Approx(32 * counter("lts__t_sectors_srcunit_tex_op_write.sum")).epsilon(digits));
    CHECK(bytes("dram_read_bytes") == Approx(counter("dram__bytes_read.sum")).epsilon(digits));
    CHECK(bytes("dram_write_bytes") == Approx(counter("dram__bytes_write.sum")).epsilon(digits));
    char hits[64];
    std::snprintf(hits, sizeof hits, ">L1: %.1f %% hits<", counter("l1tex__t_sector_hit_rate.pct"));
    CHECK(html.find(hits) != std::string::npos);
    std::snprintf(hits, sizeof hits, ">L2: %.1f %% hits<", counter("lts__t_sector_hit_rate.pct"));
    CHECK(html.find(hits) != std::string::npos);
}

TEST_CASE("no bar of the bounds is longer than its track, the predicted time", "[cli][report]") {
    // most of the time is the launch itself, which the SM's cycles leave out
    const auto html = run_gpumodel("report " + listed).out;
    const auto begin = html.find("<section id=\"bounds\"");
    const auto section = html.substr(begin, html.find("</section>", begin) - begin);
    static const std::regex rect(
        "<rect class=\"([a-z0-9]+)\" x=\"[0-9.]+\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
    double track = 0;
    int bars = 0;
    for (std::sregex_iterator at(section.begin(), section.end(), rect), end; at != end; ++at) {
        if ((*at)[1] == "track") {
            track = std::stod((*at)[2]);
        } else {
            CHECK(std::stod((*at)[2]) <= track);
            ++bars;
        }
    }
    CHECK(bars > 5);
}

TEST_CASE("a launch with matrix products stands under the tensor roofs", "[cli][report]") {
    const auto html = run_gpumodel("report --arch h200_sxm --kernel mma_shared -m 512 -n 512 -k 512").out;
    const auto page = read_html(html);
    CHECK(page.data.count("tensor_busy_pct") == 1);
    // of the tensor pipes' peak, not of FP32's
    const auto p =
        Json::parse(run_gpumodel("predict --arch h200_sxm --kernel mma_shared -m 512 -n 512 -k 512 "
                                 "--format json")
                        .out)["predictions"][0];
    CHECK(std::stod(page.data.at("peak_pct")) ==
          Approx(100 * p["gflops"].get<double>() / p["peak_gflops"].get<double>()).epsilon(1e-6));
    CHECK(html.find("tensor FP16, FP32 sums: ") != std::string::npos);
    CHECK(html.find("tensor FP16, FP16 sums; tensor FP16, FP32 sums") != std::string::npos);
}

// Oracle: the slice of the first block on the trace of all events.
TEST_CASE("the timeline shows the middle of a block unless told from where", "[cli][simulate][report]") {
    const TemporaryFolder folder;
    const auto path = folder.file("events.json");
    const auto result =
        run_gpumodel("simulate " + generated + " --timeline --format json --timeline-out " + path);
    REQUIRE(result.exit_code == 0);
    const auto timeline = Json::parse(result.out).at("timeline");
    const auto trace = Json::parse(run_shell("cat " + path).out);
    std::int64_t end = 0;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "X" && event.at("pid") == 1 && event.at("cat") == "block" &&
            event.at("ts") == 0) {
            end = std::max(end, event.at("ts").get<std::int64_t>() + event.at("dur").get<std::int64_t>());
        }
    }
    REQUIRE(end > 200);
    const auto from = timeline.at("from_cycle").get<std::int64_t>();
    CHECK(std::abs(from - (end - 100) / 2) <= 1);
    std::string cells;
    for (const auto& row : timeline.at("rows")) {
        cells += row.at("cells").get<std::string>();
    }
    CHECK(cells.find('F') != std::string::npos);  // products, not the prologue's index arithmetic
    const auto html = run_gpumodel("report " + generated).out;
    CHECK(html.find("Cycles " + std::to_string(from) + " to " + std::to_string(from + 99) + " of ") !=
          std::string::npos);
    CHECK(read_html(html).ids.count("timeline") == 1);
}

}  // namespace report_code_test
