// gpumodel roofline: formats, the picture's well-formedness, faults of the command line.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"
#include "tools/views/roofline/label_heights.h"

namespace {

const std::string three =
    "roofline --arch v100_sxm2 --kernel naive --kernel smem --kernel warptile -m 512 -n 512 -k 512 "
    "--model analytic ";

// What is wrong with an XML document as far as nesting, quoting and bare characters go; "" = nothing.
std::string xml_fault(const std::string& xml) {
    std::vector<std::string> open;
    bool any = false;
    std::size_t at = 0;
    while (at < xml.size()) {
        const auto begin = xml.find('<', at);
        const auto text = xml.substr(at, std::min(begin, xml.size()) - at);
        for (auto amp = text.find('&'); amp != std::string::npos; amp = text.find('&', amp + 1)) {
            if (text.find(';', amp) == std::string::npos) {
                return "bare & in " + text;
            }
        }
        if (begin == std::string::npos) {
            break;
        }
        const auto end = xml.find('>', begin);
        if (end == std::string::npos) {
            return "tag is not closed";
        }
        const auto tag = xml.substr(begin + 1, end - begin - 1);
        at = end + 1;
        if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || tag.find('<') != std::string::npos) {
            return "quotes of <" + tag + ">";
        }
        const auto name = tag.substr(0, tag.find_first_of(" \n/", 1));
        if (tag.front() == '/') {
            if (open.empty() || open.back() != tag.substr(1)) {
                return "</" + tag.substr(1) + "> closes nothing";
            }
            open.pop_back();
        } else if (tag.back() != '/') {
            if (open.empty() && any) {
                return "a second root";
            }
            open.push_back(name);
            any = true;
        }
    }
    return open.empty() && any ? "" : "not all closed";
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++n;
    }
    return n;
}

}  // namespace

TEST_CASE("the picture is one well-formed SVG with every kernel and roof", "[cli][roofline]") {
    const auto result = run_gpumodel(three + "--format svg");
    REQUIRE(result.exit_code == 0);
    const auto& svg = result.out;
    CHECK(xml_fault(svg) == "");
    CHECK(xml_fault(svg + "<b>") != "");
    CHECK(svg.rfind("<svg", 0) == 0);
    CHECK(svg.find("xmlns=\"http://www.w3.org/2000/svg\"") != std::string::npos);
    CHECK(svg.find("prefers-color-scheme:dark") != std::string::npos);
    for (const auto* needed : {"naive 512^3", "smem 512^3", "warptile 512^3", "FP32 with FMA",
                               "FP32 without FMA", "L2  2.693 TB/s", "DRAM  898 GB/s"}) {
        INFO(needed);
        CHECK(svg.find(needed) != std::string::npos);
    }
    CHECK(count(svg, "<title>") > 15);  // tips of roofs and points
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf\"") == std::string::npos);
}

TEST_CASE("--out X.svg means the picture", "[cli][roofline]") {
    const TemporaryFolder folder;
    const auto file = folder.file("roofline.svg");
    const auto result = run_shell("{gpumodel} " + three + "--out " + file + " && cat " + file);
    CHECK(result.exit_code == 0);
    CHECK(xml_fault(result.out) == "");
}

TEST_CASE("labels of kernels do not overlap", "[roofline]") {
    using gpumodel::cli::label_heights;
    const auto heights = label_heights({100, 101, 102, 300, 395, 396}, 20, 0, 400);
    REQUIRE(heights.size() == 6);
    for (std::size_t i = 1; i < heights.size(); ++i) {
        CHECK(heights[i] - heights[i - 1] >= 20 - 1e-9);
    }
    CHECK(heights[1] == Approx(101));  // around their mean
    CHECK(heights[3] == Approx(300));  // alone: where it belongs
    CHECK(heights[5] == Approx(390));  // inside
    CHECK(label_heights({}, 20, 0, 400).empty());
}

TEST_CASE("text states each ceiling's formula and every kernel's nearest roof", "[cli][roofline]") {
    const auto result = run_gpumodel(three);
    REQUIRE(result.exit_code == 0);
    CHECK(result.err.empty());
    for (const auto* needed :
         {"roofline of Tesla V100 SXM2", "2 * sm.ops.ffma.throughput * sm_count * clock.sm", "489.6 Ginst/s",
          "dram.bandwidth", "nearest roof: ", "% of it reached", "shared memory", "ridge FLOP/B"}) {
        INFO(needed);
        CHECK(result.out.find(needed) != std::string::npos);
    }
    CHECK(count(result.out, "nearest roof: ") == 3);
}

TEST_CASE("json and csv carry the same points", "[cli][roofline]") {
    const auto json = nlohmann::json::parse(run_gpumodel(three + "--format json").out);
    CHECK(json.at("schema_version") == 1);
    CHECK(json.at("fp32").at("ceiling_flops_per_second").get<double>() == Approx(15.667e12).epsilon(1e-3));
    REQUIRE(json.at("kernels").size() == 3);
    std::map<std::string, double> bytes;
    for (const auto& kernel : json.at("kernels")) {
        for (const auto& point : kernel.at("points")) {
            bytes[kernel.at("kernel").get<std::string>() + point.at("level").get<std::string>()] =
                point.at("bytes").get<double>();
        }
    }
    const auto csv = run_gpumodel(three + "--format csv");
    std::string line;
    std::size_t points = 0;
    std::istringstream in(csv.out);
    std::getline(in, line);
    const auto width = count(line, ",");
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        std::string cell;
        for (std::istringstream row(line); std::getline(row, cell, ',');) {
            cells.push_back(cell);
        }
        INFO(line);
        CHECK(count(line, ",") == width);
        if (cells.at(1) == "point") {
            ++points;
            CHECK(std::stod(cells.at(12)) == Approx(bytes.at(cells.at(2) + cells.at(8))).epsilon(1e-6));
        }
    }
    CHECK(points == bytes.size());
}

TEST_CASE("a job file's rows become kernels, bad ones are named", "[cli][roofline]") {
    const auto json = nlohmann::json::parse(
        run_gpumodel("roofline --arch v100_sxm2 --jobs jobs/mixed.csv --model analytic --format json").out);
    CHECK(json.at("kernels").size() == 2);
    CHECK(json.at("left_out").size() == 6);
}

TEST_CASE("the roofline does not depend on the number of threads", "[cli][roofline]") {
    CHECK(run_gpumodel(three + "--format svg --threads 1").out ==
          run_gpumodel(three + "--format svg --threads 4").out);
}

TEST_CASE("faults of a roofline's command line", "[cli][roofline][bad]") {
    const auto none = run_gpumodel("roofline --arch k40 --format pdf --model best");
    CHECK(none.exit_code == 2);
    CHECK(none.err.find("--kernel: give one of") != std::string::npos);
    CHECK(none.err.find("--format: 'pdf' is none of text, json, csv, svg") != std::string::npos);
    CHECK(none.err.find("--model: 'best' is none of simulate, analytic") != std::string::npos);
    const auto params = run_gpumodel("roofline --arch k40 --kernel smem --kernel naive -p BS=16");
    CHECK(params.exit_code == 2);
    CHECK(params.err.find("--jobs") != std::string::npos);
    const auto names = run_gpumodel("roofline --arch k40 --kernel smm --kernel naiv");
    CHECK(names.exit_code == 2);
    CHECK(names.err.find("nearest: smem") != std::string::npos);
    CHECK(names.err.find("nearest: naive") != std::string::npos);
    CHECK(run_gpumodel("roofline --arch k40 --kernel warptile -m 100 --model analytic").exit_code == 3);
}
