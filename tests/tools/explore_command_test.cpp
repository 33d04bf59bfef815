// The explore command: its page holds what predict prints, in columns that this file takes apart by itself.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "tests/support/csv_lines.h"
#include "tests/support/html_document.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"
#include "tools/views/explore_page/number_column.h"

using Json = nlohmann::json;

namespace {

std::string text_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// One character of four at a time, by the alphabet of RFC 4648.
std::string bytes_of(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        const auto digit = digits.find(c);
        if (digit == std::string::npos) {
            break;
        }
        bits = bits << 6U | static_cast<unsigned>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 255U);
        }
    }
    return bytes;
}

double double_at(const std::string& bytes, std::size_t index) {
    double value = 0;
    REQUIRE(8 * index + 8 <= bytes.size());
    std::memcpy(&value, bytes.data() + 8 * index, 8);
    return value;
}

double value_at(const Json& column, std::size_t row, std::size_t clock) {
    if (column.contains("c")) {
        return column["c"].is_null() ? std::nan("") : column["c"].get<double>();
    }
    const auto per = column["per"].get<std::size_t>();
    const auto place = per == 1 ? row : row * per + clock;
    if (column.contains("f")) {
        return double_at(bytes_of(column["f"]), place);
    }
    const auto width = column["w"].get<std::size_t>();
    const auto indices = bytes_of(column["i"]);
    REQUIRE(width * place + width <= indices.size());
    std::size_t index = 0;
    std::memcpy(&index, indices.data() + width * place, width);
    return double_at(bytes_of(column["u"]), index);
}

Json data_of(const std::string& html) {
    const std::string head = R"(<script type="application/json" id="data">)";
    const auto begin = html.find(head) + head.size();
    REQUIRE(begin > head.size());
    return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

std::string page_of(const std::string& arguments) {
    TemporaryFolder folder;
    const auto path = folder.file("page.html");
    const auto result = run_gpumodel("explore " + arguments + " --out " + path);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(result.out.empty());
    return text_of_file(path);
}

// Where one launch stands, and how a job of predict says it.
struct Place {
    std::size_t kernel = 0, gpu = 0, clock = 0;
    std::size_t launch = 0;
    std::string job;
};

class Page {
public:
    explicit Page(const std::string& html) : data(data_of(html)) {}

    std::size_t launches(std::size_t kernel) const {
        const auto& k = data["kernels"][kernel];
        std::size_t count = data["gpus"].size() * k["m"].size() * k["n"].size() * k["k"].size();
        for (const auto& axis : k["axes"]) {
            count *= axis["values"].size();
        }
        return count;
    }

    Place place(std::size_t kernel, std::size_t launch, std::size_t clock) const {
        const auto& k = data["kernels"][kernel];
        auto rest = launch;
        const auto digit = [&rest](std::size_t count) {
            const auto value = rest % count;
            rest /= count;
            return value;
        };
        std::string params;
        for (auto i = k["axes"].size(); i-- > 0;) {
            const auto& values = k["axes"][i]["values"];
            params += (params.empty() ? "" : ";") + k["axes"][i]["key"].get<std::string>() + "=" +
                      values[digit(values.size())].get<std::string>();
        }
        for (const auto& f : k["following"]) {
            params += (params.empty() ? "" : ";") + f["key"].get<std::string>() + "=" +
                      std::to_string(static_cast<int>(value_at(f["values"], launch, 0)));
        }
        std::string sizes;
        for (const char* side : {"k", "n", "m"}) {
            sizes = "," + std::to_string(k[side][digit(k[side].size())].get<int>()) + sizes;
        }
        return {kernel, digit(data["gpus"].size()), clock, launch,
                k["name"].get<std::string>() + "," + params + sizes};
    }

    // Of the columns; none for a launch that is refused.
    std::optional<std::size_t> row(const Place& at) {
        auto& known = rows_[at.kernel];
        if (known.empty()) {
            const auto& refused = data["kernels"][at.kernel]["refused"];
            const auto indices = refused.contains("i") ? bytes_of(refused["i"]) : std::string();
            std::size_t next = 0;
            for (std::size_t i = 0; i < launches(at.kernel); ++i) {
                known.push_back(value_at(refused, i, 0) == 0 ? std::optional(next++) : std::nullopt);
            }
        }
        return known.at(at.launch);
    }

    double once(const Place& at, const char* name) {
        return value_at(data["kernels"][at.kernel]["once"][name], *row(at), at.clock);
    }
    double time(const Place& at, const char* name) {
        return value_at(data["kernels"][at.kernel]["times"][name], *row(at), at.clock);
    }
    std::string refusal(const Place& at) const {
        const auto code = value_at(data["kernels"][at.kernel]["refused"], at.launch, 0);
        return data["reasons"][static_cast<std::size_t>(code) - 1];
    }

    Json data;

private:
    std::map<std::size_t, std::vector<std::optional<std::size_t>>> rows_;
};

void check_bounds(Page& page, const Place& at, const Json& p) {
    const auto& columns = page.data["kernels"][at.kernel]["bounds"];
    const auto mask = static_cast<std::uint64_t>(page.time(at, "bottlenecks"));
    std::map<std::string, double> bounds;
    std::set<std::string> bottlenecks;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double cycles = value_at(columns[i], *page.row(at), at.clock);
        const auto name = page.data["bound_kinds"][i]["name"].get<std::string>();
        if (cycles > 0) {
            bounds[name] = cycles;
        }
        if ((mask >> i & 1U) != 0) {
            bottlenecks.insert(name);
        }
    }
    CHECK(bounds.size() == p["bounds"].size());
    for (const auto& bound : p["bounds"]) {
        CHECK(bounds.at(bound["name"]) == bound["cycles"].get<double>());
    }
    CHECK(bottlenecks == p["bottleneck"].get<std::set<std::string>>());
}

void check_prediction(Page& page, const Place& at, const Json& p) {
    CHECK(page.time(at, "seconds") * 1e6 == p["time_us"].get<double>());
    CHECK(page.time(at, "cycles") == p["cycles"].get<double>());
    CHECK(page.time(at, "achieved") == p["achieved_occupancy"].get<double>());
    CHECK(page.time(at, "launch_seconds") * 1e6 == p["time_terms"]["launch_overhead_us"].get<double>());
    if (p["gflops"].is_number()) {
        CHECK(page.once(at, "flops") / page.time(at, "seconds") / 1e9 ==
              Approx(p["gflops"].get<double>()).epsilon(1e-14));
    }
    const auto band = page.time(at, "band");
    CHECK((p["error_band_pct"].is_null() ? std::isnan(band) : band == p["error_band_pct"].get<double>()));
    CHECK(page.once(at, "waves") == p["waves"].get<double>());
    CHECK(page.once(at, "threads") == p["threads_per_block"].get<double>());
    CHECK(page.once(at, "registers") == p["registers_per_thread"].get<double>());
    CHECK(page.once(at, "shared_bytes") == p["shared_bytes_per_block"].get<double>());
    CHECK(page.once(at, "grid_x") == p["grid"][0].get<double>());
    CHECK(page.once(at, "grid_y") == p["grid"][1].get<double>());
    const auto& occupancy = page.data["occupancies"][static_cast<std::size_t>(page.once(at, "occupancy"))];
    CHECK(occupancy[0] == p["occupancy"]["blocks_per_sm"]);
    CHECK(occupancy[1] == p["occupancy"]["active_warps"]);
    CHECK(occupancy[4] == p["occupancy"]["limit_registers_blocks"]);
    CHECK(occupancy[9] == p["occupancy"]["shared_allocated_bytes"]);
    const auto program = page.data["programs"][static_cast<std::size_t>(page.once(at, "program"))];
    CHECK(program.get<std::string>().rfind(p["program_source"].get<std::string>(), 0) == 0);
    check_bounds(page, at, p);
}

// Of two generations, three families (one whose THREADS follow, one with conflicts, one of fixed depth),
// shapes that break rules, a spec value of one's own and a clock of one's own.
const std::string study =
    "--arch k40,h200_sxm --set l2.size=2MiB --kernel warptile,blocktile2d,aat_coalesced -m 512,1000 -n 512 "
    "-k 32,512 -p BM=64,128 -p BN=64,128 -p BK=8,16 -p TM=4,8 -p WM=32,64 --clock '100%,900 MHz'";

}  // namespace

TEST_CASE("random points of the page are what predict prints", "[cli][explore]") {
    Page page(page_of(study));
    std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same points each time
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Place>> chosen;  // by GPU and clock
    for (std::size_t kernel = 0; kernel < 3; ++kernel) {
        for (int i = 0; i < 120; ++i) {
            const auto at = page.place(kernel, random() % page.launches(kernel), random() % 2);
            chosen[{at.gpu, at.clock}].push_back(at);
        }
    }
    int predicted = 0;
    int refused = 0;
    for (const auto& [where, places] : chosen) {
        std::string jobs = "kernel,params,M,N,K\n";
        for (const auto& at : places) {
            jobs += at.job + "\n";
        }
        TemporaryFile file(jobs);
        const auto& gpu = page.data["gpus"][where.first];
        const auto set = gpu["clocks"][where.second]["set"].get<std::string>();
        CHECK(set == (where.second == 0 ? "" : "clock.sm=900 MHz"));
        const auto result =
            run_gpumodel("predict --model analytic --generated --format json --set l2.size=2MiB --arch " +
                         gpu["arch"].get<std::string>() + (set.empty() ? "" : " --set '" + set + "'") +
                         " --jobs " + file.path());
        const auto predictions = Json::parse(result.out).at("predictions");
        REQUIRE(predictions.size() == places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            INFO(gpu["arch"] << " " << set << " " << places[i].job);
            const auto& p = predictions[i];
            const bool ok = p["status"] == "ok";
            REQUIRE(page.row(places[i]).has_value() == ok);
            if (ok) {
                check_prediction(page, places[i], p);
                ++predicted;
            } else {
                CHECK(page.refusal(places[i]) ==
                      p["status"].get<std::string>() + ": " + p["reason"].get<std::string>());
                ++refused;
            }
        }
    }
    CHECK(predicted > 40);
    CHECK(refused > 40);
}

TEST_CASE("cliffs of the page are those of occupancy", "[cli][explore]") {
    Page page(
        page_of("--arch k40 --kernel warptile -m 512 -n 512 -k 512 -p BM=64,128 -p BN=128 -p BK=8 -p WM=64 "
                "-p WN=32,64 -p WNITER=2 -p TM=4 -p TN=4 --clock 100%"));
    int checked = 0;
    for (std::size_t i = 0; i < page.launches(0); ++i) {
        const auto at = page.place(0, i, 0);
        if (!page.row(at)) {
            continue;
        }
        const auto asked = [&](const char* name) {
            return std::to_string(static_cast<int>(page.once(at, name)));
        };
        const std::map<std::string, std::pair<std::size_t, std::string>> axes{
            {"registers", {14, " --threads " + asked("threads") + " --shared " + asked("shared_bytes")}},
            {"threads", {15, " --registers " + asked("registers") + " --shared " + asked("shared_bytes")}},
            {"shared", {16, " --threads " + asked("threads") + " --registers " + asked("registers")}}};
        for (const auto& [axis, how] : axes) {
            INFO(at.job << " " << axis);
            const auto lines =
                lines_of(run_gpumodel("occupancy --arch k40 --format csv --sweep " + axis + how.second).out);
            const auto& o = page.data["occupancies"][static_cast<std::size_t>(page.once(at, "occupancy"))];
            const auto& cliff = page.data["cliffs"][o[how.first].get<std::size_t>()];
            REQUIRE(cliff.size() == 2 * (lines.size() - 1));
            for (std::size_t step = 0; step + 1 < lines.size(); ++step) {
                const auto cells = cells_of(lines[step + 1]);
                CHECK(std::to_string(cliff[2 * step].get<int>()) == cells[2]);
                CHECK(std::to_string(cliff[2 * step + 1].get<int>()) == cells[4]);
            }
            ++checked;
        }
    }
    CHECK(checked >= 6);
}

// Passes by definition: phase by phase the bank with most words. The guide's transposed column is one bank.
TEST_CASE("pictures of banks hold the passes that predict counts", "[cli][explore]") {
    Page page(page_of("--arch v100_sxm2 --kernel aat_coalesced -m 64 -n 64 -k 32 --clock 100%"));
    const auto at = page.place(0, 0, 0);
    REQUIRE(page.row(at));
    int worst = 0;
    for (const auto& item : page.data["picture_sets"][static_cast<std::size_t>(page.once(at, "pictures"))]) {
        const auto& picture = page.data["pictures"][item["picture"].get<std::size_t>()];
        const auto& words = picture["words"];
        std::map<int, std::map<int, int>> used;
        for (std::size_t i = 0; i < words.size(); i += 3) {
            ++used[words[i].get<int>()][words[i + 1].get<int>()];
        }
        int passes = 0;
        for (const auto& [phase, banks] : used) {
            passes += std::max_element(banks.begin(), banks.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                      })->second;
        }
        CHECK(passes == picture["wavefronts"]);
        worst = std::max(worst, passes);
    }
    CHECK(worst == 32);
    const auto sites =
        Json::parse(run_gpumodel("predict --arch v100_sxm2 --kernel aat_coalesced -m 64 -n 64 -k 32 "
                                 "--model analytic --generated --format json")
                        .out)["predictions"][0]["sites"];
    int degree = 0;
    for (const auto& site : sites) {
        degree = std::max(degree, site.value("conflict_degree", 0));
    }
    CHECK(degree == worst);
}

TEST_CASE("the page is sound, loads nothing and says what it rests on", "[cli][explore]") {
    const auto html = page_of(study);
    const auto page = read_html(html);
    for (const auto& fault : page.faults) {
        FAIL_CHECK(fault);
    }
    CHECK(external_resources(html).empty());
    CHECK(page.elements.at("main") == 1);
    CHECK(page.elements.at("noscript") == 1);
    for (const char* id : {"form", "summary_view", "bounds_view", "best_view", "map_view", "occupancy_view",
                           "banks_view", "accuracy", "data"}) {
        INFO(id);
        CHECK(page.ids.count(id) == 1);
    }
    const auto has = [&](const std::string& words) { return html.find(words) != std::string::npos; };
    CHECK(has("analytic model"));
    CHECK(has("nothing between them is interpolated"));
    CHECK(has("not measured"));  // sm_35
    for (const auto& script : {"const Format = ", "const Data = ", "const Charts = "}) {
        CHECK(has(script));
    }
}

TEST_CASE("same bytes at any number of threads, wherever they go", "[cli][explore]") {
    const auto one = page_of(study + " --threads 1");
    CHECK(one == page_of(study + " --threads 5"));
    CHECK(one == page_of(study));
    CHECK(one == run_gpumodel("explore " + study + " --threads 3").out);
}

TEST_CASE("text of a spec is escaped in the page's data", "[cli][explore]") {
    TemporaryFolder folder;
    std::ofstream(folder.file("mine.yaml"))
        << "schema_version: 1\nname: mine\ninherits: k40\nmarketing_name: "
           "\"</script><script>alert(1)</script><!--\"\n";
    const auto html = page_of("--arch " + folder.file("mine.yaml") +
                              " --kernel smem -m 64 -n 64 -k 64 -p BS=16 --clock 100%");
    CHECK(html.find("alert(1)</script>") == std::string::npos);
    CHECK(Page(html).data["gpus"][0]["title"] == "</script><script>alert(1)</script><!--");
    CHECK(read_html(html).faults.empty());
}

TEST_CASE("explore alone makes a page below 3 MB", "[cli][explore][slow]") {
    const auto html = page_of("");
    CHECK(html.size() < 3'000'000);
    const auto data = data_of(html);
    CHECK(data["gpus"].size() >= 3);
    CHECK(data["clocks"].size() >= 2);
    CHECK(data["kernels"][0]["name"] == "warptile");
    CHECK(data["kernels"][0]["following"][0]["key"] == "THREADS");
}

TEST_CASE("a page without any valid launch names the rules", "[cli][explore]") {
    TemporaryFolder folder;
    const auto result = run_gpumodel("explore --arch k40 -m 100 -n 100 -k 100 -p BM=64 --clock 100% --out " +
                                     folder.file("none.html"));
    CHECK(result.exit_code == 3);
    CHECK(result.err.find(" 0 of them predicted") != std::string::npos);
    const auto data = data_of(text_of_file(folder.file("none.html")));
    CHECK_FALSE(data["reasons"].empty());
}

TEST_CASE("columns come back bit by bit", "[unit][explore]") {
    using gpumodel::cli::page::base64;
    using gpumodel::cli::page::number_column;
    CHECK(base64("") == "");  // the examples of RFC 4648
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foobar") == "Zm9vYmFy");
    std::mt19937 random(3);  // NOLINT(cert-msc51-cpp)
    for (const unsigned kinds : {1U, 2U, 200U, 300U, 70'000U}) {
        for (const std::size_t each : {1U, 3U}) {
            for (const bool alike : {false, true}) {
                std::vector<double> values;
                for (std::size_t i = 0; i < 30'000; ++i) {
                    const double fresh = std::ldexp(static_cast<double>(random() % kinds) - 7, -5);
                    values.push_back(alike && i % each != 0 ? values.back() : fresh);
                }
                const Json column = Json::parse(number_column(values, each).dump());
                INFO(kinds << " kinds, " << each << " each" << (alike ? ", alike" : ""));
                if (alike) {
                    CHECK(column["per"] == 1);
                }
                for (int check = 0; check < 20; ++check) {
                    const std::size_t i = random() % values.size();
                    CHECK(value_at(column, i / each, i % each) == values[alike ? i - i % each : i]);
                }
            }
        }
    }
    CHECK(number_column({}, 2).contains("c"));
    CHECK(number_column({std::nan(""), std::nan("")}, 1)["c"].is_null());
}
