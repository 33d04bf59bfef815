// Markdown, colour, notes and where results go: other clothes of the same result.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace manners_test {

namespace {

const std::string launch = "predict --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256";

std::string without_escapes(const std::string& text) {
    return std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), "");
}

// Run on a terminal of its own; what it shows there, standard error too.
std::string on_terminal(const std::string& environment, const std::string& arguments) {
    const auto result = run_shell("env -u NO_COLOR TERM=xterm " + environment + " script -qec '{gpumodel} " +
                                  arguments + "' /dev/null");
    CHECK(result.exit_code == 0);
    return result.out;
}

bool is_colored(const std::string& text) {
    return text.find("\033[1m") != std::string::npos;
}

// The words of a report, whatever stands between them.
std::vector<std::string> words_of(std::string text) {
    for (const char c : std::string("|*`#")) {
        std::replace(text.begin(), text.end(), c, ' ');
    }
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string unescaped(std::string text) {
    text = std::regex_replace(text, std::regex("&lt;"), "<");
    return std::regex_replace(text, std::regex("\\\\([|*`\\\\])"), "$1");
}

// Unescaped bars of a line.
std::size_t bars_in(const std::string& line) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1U : 0U;
    }
    return bars;
}

}  // namespace

TEST_CASE("markdown says what the text says, word for word", "[cli][markdown]") {
    for (const std::string& command : std::vector<std::string>{
             launch, "occupancy --arch sm_70 --threads 256 --registers 65 --shared 8192",
             std::string("memory --arch sm_70 --space shared --stride 33 --width 4"),
             std::string("metrics list"), std::string("arch list"), std::string("kernels show smem"),
             "roofline --arch k40 --kernel naive -m 256 -n 256 -k 256",
             "tune --arch k40 --kernel smem -m 256 -n 256 -k 256",
             "simulate --arch k40 --kernel naive -m 64 -n 64 -k 64"}) {
        INFO(command);
        const auto text = run_gpumodel(command);
        const auto markdown = run_gpumodel(command + " --format markdown");
        REQUIRE(markdown.exit_code == 0);
        auto expected = words_of(text.out);
        std::vector<std::string> found;
        for (const auto& word : words_of(unescaped(markdown.out))) {
            if (word != "---" && word != "-" && word != "text") {  // rules, bullets, fences
                found.push_back(word);
            }
        }
        std::erase_if(expected, [](const std::string& word) { return word == "-" || word == "text"; });
        CHECK(found == expected);
    }
}

TEST_CASE("a markdown table has as many cells in every row", "[cli][markdown]") {
    const auto lines = lines_of(run_gpumodel(launch + " --format markdown").out);
    REQUIRE(lines.size() > 40);
    CHECK(lines.front().starts_with("## smem on Tesla V100"));
    std::size_t tables = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].starts_with("|")) {
            INFO(lines[i]);
            const bool begins = !lines[i - 1].starts_with("|");
            tables += begins ? 1 : 0;
            CHECK((begins ? lines[i - 1].empty() : bars_in(lines[i]) == bars_in(lines[i - 1])));
        }
    }
    CHECK(tables > 6);
}

TEST_CASE("rows of many launches are one markdown table of the csv's cells", "[cli][markdown]") {
    const auto csv =
        lines_of(run_gpumodel("predict --arch k40 --jobs jobs/mixed.csv --model analytic --format csv").out);
    const auto table = lines_of(
        run_gpumodel("predict --arch k40 --jobs jobs/mixed.csv --model analytic --format markdown").out);
    REQUIRE(table.size() == csv.size() + 1);
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const auto cells = cells_of(csv[i]);
        const auto& row = table[i == 0 ? 0 : i + 1];
        INFO(row);
        CHECK(bars_in(row) == 29);  // the contract's columns
        CHECK(row.starts_with("| " + cells[0] + " | " + cells[1] + " | " + cells[2] + " |"));
    }
}

TEST_CASE("colour is for terminals, and the flag beats the variables", "[cli][color]") {
    const auto brief = launch + " --brief";
    const auto plain = run_gpumodel(brief).out;
    CHECK_FALSE(is_colored(plain));
    const auto colored = run_gpumodel(brief + " --color always");
    CHECK(is_colored(colored.out));
    CHECK(without_escapes(colored.out) == plain);

    CHECK(is_colored(on_terminal("", brief)));
    CHECK_FALSE(is_colored(on_terminal("NO_COLOR=1", brief)));
    CHECK(is_colored(on_terminal("NO_COLOR=", brief)));  // empty: as if it were not there
    CHECK_FALSE(is_colored(on_terminal("TERM=dumb", brief)));
    CHECK_FALSE(is_colored(on_terminal("", brief + " --color never")));
    CHECK(is_colored(on_terminal("NO_COLOR=1 TERM=dumb", brief + " --color always")));
    CHECK_FALSE(is_colored(on_terminal("GPUMODEL_COLOR=never", brief)));
    CHECK(is_colored(on_terminal("GPUMODEL_COLOR=never", brief + " --color always")));
}

TEST_CASE("with --out the text stays on a terminal, and only there", "[cli]") {
    const TemporaryFolder folder;
    const auto shown = run_gpumodel(launch + " --brief").out;
    const auto data = run_gpumodel(launch + " --format csv").out;
    for (const auto& asked :
         std::vector<std::string>{launch + " --brief", "occupancy --arch k40 --threads 256 --registers 32"}) {
        const auto alone = run_gpumodel(asked).out;
        const auto beside = folder.file("beside.json");
        auto text = on_terminal("NO_COLOR=1", asked + " --format json --out " + beside);
        text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
        CHECK(text == alone);
        CHECK(nlohmann::json::parse(read_temporary(beside)).is_object());
    }
    const auto file = folder.file("plain.txt");
    CHECK(is_colored(on_terminal("", launch + " --brief --out " + file)));
    CHECK(read_temporary(file) == shown);
    const auto rows = folder.file("rows.csv");
    CHECK(run_gpumodel(launch + " --format csv --out " + rows).out.empty());
    CHECK(read_temporary(rows) == data);
}

TEST_CASE("what programs read is never coloured", "[cli][color]") {
    const TemporaryFolder folder;
    for (const std::string& command : std::vector<std::string>{
             launch + " --format csv", launch + " --format json", launch + " --format markdown",
             std::string("arch list --format csv"), launch + " --out " + folder.file("out.txt"),
             "roofline --arch k40 --kernel naive -m 64 -n 64 -k 64 --format svg"}) {
        INFO(command);
        const auto shown = run_gpumodel(command + " --color always");
        CHECK(shown.exit_code == 0);
        CHECK(shown.out.find('\033') == std::string::npos);
    }
    CHECK(read_temporary(folder.file("out.txt")).find('\033') == std::string::npos);
}

TEST_CASE("faults are marked where they are coloured", "[cli][color]") {
    const auto plain = run_gpumodel("predict --arch k40 --kernel naive -m 0");
    const auto colored = run_gpumodel("predict --arch k40 --kernel naive -m 0 --color always");
    CHECK(colored.exit_code == 2);
    CHECK(colored.err.starts_with("\033[1m-m\033[0m: "));
    CHECK(without_escapes(colored.err) == plain.err);
}

TEST_CASE("--quiet leaves faults alone", "[cli][quiet]") {
    const std::string noisy = "sweep --arch k40 --kernel smem -p BS=8,16 --format csv";
    const auto loud = run_gpumodel(noisy);
    const auto quiet = run_gpumodel(noisy + " --quiet");
    CHECK_FALSE(loud.err.empty());
    CHECK(quiet.err.empty());
    CHECK(quiet.out == loud.out);
    CHECK(run_shell("GPUMODEL_QUIET=yes {gpumodel} " + noisy).err.empty());
    CHECK(run_shell("GPUMODEL_ARCH_PATH=/nowhere {gpumodel} " + noisy + " --quiet").err.empty());
    const auto fault = run_gpumodel("predict --arch k40 --kernel naive -m 0 --quiet");
    CHECK(fault.err == run_gpumodel("predict --arch k40 --kernel naive -m 0").err);
}

TEST_CASE("-v says what was read, on standard error only", "[cli][verbose]") {
    const auto told = run_gpumodel(launch + " -v");
    CHECK(told.out == run_gpumodel(launch).out);
    CHECK(told.err.find("gpumodel: version ") == 0);
    CHECK(told.err.find("/v100_sxm2.yaml, hash ") != std::string::npos);
    const auto json = nlohmann::json::parse(run_gpumodel(launch + " --format json").out);
    CHECK(told.err.find(json["metadata"]["spec_hash"].get<std::string>()) != std::string::npos);
    CHECK(run_gpumodel(launch + " -v -v").exit_code == 0);
    CHECK(run_gpumodel("memory --arch sm_70 --space shared --stride 33 -v").err.empty());  // draws banks
}

TEST_CASE("--version -v names revision, compiler and build", "[cli][verbose]") {
    CHECK(lines_of(run_gpumodel("--version").out).size() == 1);
    const auto lines = lines_of(run_gpumodel("--version -v").out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == lines_of(run_gpumodel("--version").out)[0]);
    const auto metadata = nlohmann::json::parse(run_gpumodel(launch + " --format json").out)["metadata"];
    CHECK(lines[1] == "revision  " + metadata.value("git_revision", "unknown"));
    CHECK(lines[2] == "compiler  " + metadata["compiler"].get<std::string>());
    CHECK(lines[3] == "build     " + metadata["build_type"].get<std::string>());
}

TEST_CASE("json has the host and the time on request alone", "[cli][stamp]") {
    const auto metadata = [](const std::string& options, const std::string& environment = "") {
        return nlohmann::json::parse(
                   run_shell(environment + " {gpumodel} " + launch + " --format json" + options).out)
            .at("metadata");
    };
    const auto plain = metadata("");
    CHECK_FALSE(plain.contains("host"));
    CHECK_FALSE(plain.contains("utc_time"));
    const auto stamped = metadata(" --stamp");
    CHECK(stamped["host"] == lines_of(run_shell("uname -n").out)[0]);
    CHECK(std::regex_match(stamped["utc_time"].get<std::string>(),
                           std::regex("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")));
    CHECK(metadata("", "GPUMODEL_STAMP=yes").contains("host"));
    CHECK_FALSE(metadata(" --reproducible", "GPUMODEL_STAMP=yes").contains("host"));
    CHECK(run_gpumodel(launch + " --format json").out == run_gpumodel(launch + " --format json").out);
}

TEST_CASE("--out - is standard output", "[cli]") {
    const TemporaryFolder folder;
    const auto plain = run_gpumodel(launch);
    for (const std::string out : {" --out -", " --out=-"}) {
        const auto dashed = run_shell("{gpumodel} " + launch + out, folder.path().string());
        CHECK(dashed.exit_code == 0);
        CHECK(dashed.out == plain.out);
    }
    CHECK(run_shell("{gpumodel} report --arch k40 --kernel naive -m 64 -n 64 -k 64 --out - | head -c 15",
                    folder.path().string())
              .out == "<!DOCTYPE html>");
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("one long simulation says so on a terminal, not to a pipe, and not with --quiet", "[cli][slow]") {
    const std::string slow =
        "predict --arch v100_sxm2 --kernel naive -m 1024 -n 1024 -k 1024 --exact --brief";
    const std::string shorter =
        "predict --arch v100_sxm2 --kernel naive -m 640 -n 640 -k 640 --exact --brief";
    const auto shown = on_terminal("", slow);
    CHECK(shown.find("simulating every trip and block (--exact), 1 s") != std::string::npos);
    // how far it is, which grows, and how long the rest will take
    static const std::regex part("\\(--exact\\), \\d+ s, (\\d+) %, about \\d+ (s|min) left");
    std::vector<int> parts;
    for (std::sregex_iterator at(shown.begin(), shown.end(), part), end; at != end; ++at) {
        parts.push_back(std::stoi((*at)[1]));
    }
    CHECK_FALSE(parts.empty());
    CHECK(std::all_of(parts.begin(), parts.end(), [](int percent) { return percent <= 100; }));
    const auto explained = on_terminal("", shorter + " --explain");
    CHECK(std::regex_search(explained, part));
    CHECK(on_terminal("", shorter + " --quiet").find("simulating every") == std::string::npos);
    CHECK(run_gpumodel(shorter).err.empty());
}

}  // namespace manners_test
