// The user's settings: built in < architecture file < user's file < environment < command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

using Json = nlohmann::json;

CommandResult with_file(const std::string& file, const std::string& arguments,
                        const std::string& environment = "") {
    return run_shell("GPUMODEL_CONFIG=" + file + " " + environment + " {gpumodel} " + arguments);
}

// Key -> row of config show.
std::map<std::string, Json> shown(const std::string& file, const std::string& arguments = "",
                                  const std::string& environment = "") {
    const auto result = with_file(file, "config show --format json " + arguments, environment);
    REQUIRE(result.exit_code == 0);
    std::map<std::string, Json> rows;
    const auto document = Json::parse(result.out);
    for (const auto& row : document["settings"]) {
        rows[row["key"]] = row;
    }
    return rows;
}

std::string column(const std::string& csv, const std::string& name) {
    const auto lines = lines_of(csv);
    REQUIRE(lines.size() == 2);
    const auto header = cells_of(lines[0]);
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (header[i] == name) {
            return cells_of(lines[1])[i];
        }
    }
    FAIL("no column " << name);
    return "";
}

const std::string launch = "predict --kernel naive -m 64 -n 64 -k 64 --format csv";

}  // namespace

TEST_CASE("each level wins over the one before, and config show names it", "[cli][config]") {
    const TemporaryFile file("arch: k40\nl2: cold\n", "config.yaml");
    auto rows = shown("");
    CHECK(rows["l2"]["value"] == "warm");
    CHECK(rows["l2"]["from"] == "built in");
    rows = shown(file.path());
    CHECK(rows["l2"]["value"] == "cold");
    CHECK(rows["l2"]["from"] == file.path() + ":2");
    rows = shown(file.path(), "", "GPUMODEL_L2=warm");
    CHECK(rows["l2"]["from"] == "$GPUMODEL_L2");
    CHECK(rows["l2"]["value"] == "warm");
    rows = shown(file.path(), "--l2 cold", "GPUMODEL_L2=warm");
    CHECK(rows["l2"]["value"] == "cold");
    CHECK(rows["l2"]["from"] == "command line");
    CHECK(rows["arch"]["value"] == "k40");
}

TEST_CASE("a setting does what its option does", "[cli][config]") {
    const TemporaryFile file("arch: k40\nl2: cold\n", "config.yaml");
    const auto by_option = run_gpumodel(launch + " --arch k40 --l2 cold");
    REQUIRE(by_option.exit_code == 0);
    CHECK(with_file(file.path(), launch).out == by_option.out);
    CHECK(with_file(file.path(), launch + " --l2 warm").out == run_gpumodel(launch + " --arch k40").out);
    CHECK(with_file(file.path(), launch, "GPUMODEL_L2=warm").out == run_gpumodel(launch + " --arch k40").out);
    CHECK(with_file(file.path(), launch, "GPUMODEL_ARCH=v100_sxm2").out ==
          run_gpumodel(launch + " --arch v100_sxm2 --l2 cold").out);
    CHECK(with_file(file.path(), launch + " --arch v100_sxm2", "GPUMODEL_ARCH=k80").out ==
          run_gpumodel(launch + " --arch v100_sxm2 --l2 cold").out);
    CHECK(by_option.out != run_gpumodel(launch + " --arch k40").out);
    const auto format = run_shell("GPUMODEL_FORMAT=csv {gpumodel} arch list");
    CHECK(format.out == run_gpumodel("arch list --format csv").out);
}

TEST_CASE("a spec value of the file stands between the architecture file and --set", "[cli][config]") {
    const TemporaryFile file("set:\n  k40:\n    clock.sm: 600 MHz\n", "config.yaml");
    const auto with_clock = [&](const std::string& set) {
        return run_gpumodel(launch + " --arch k40 " + set);
    };
    CHECK(with_file(file.path(), launch + " --arch k40").out == with_clock("--set 'clock.sm=600 MHz'").out);
    CHECK(with_file(file.path(), launch + " --arch sm_35").out == with_clock("--set 'clock.sm=600 MHz'").out);
    CHECK(with_file(file.path(), launch + " --arch k40 --set 'clock.sm=700 MHz'").out ==
          with_clock("--set 'clock.sm=700 MHz'").out);
    CHECK(with_file(file.path(), launch + " --arch v100_sxm2").out ==
          run_gpumodel(launch + " --arch v100_sxm2").out);  // of that product alone
    CHECK(column(with_clock("").out, "cycles") != "");
    const auto spec = with_file(file.path(), "arch show k40 --resolved");
    CHECK(spec.out.find(file.path() + ":3") != std::string::npos);
    CHECK(shown(file.path())["set.k40.clock.sm"]["value"] == "600 MHz");
}

TEST_CASE("json tells the settings that the command line does not show", "[cli][config]") {
    const TemporaryFile file("l2: cold\n", "config.yaml");
    const std::string json = "predict --arch k40 --kernel naive -m 64 -n 64 -k 64 --format json";
    const auto metadata = Json::parse(with_file(file.path(), json).out)["metadata"];
    const auto settings = metadata["settings"].get<std::vector<std::string>>();
    CHECK(std::find(settings.begin(), settings.end(), "l2=cold (" + file.path() + ":1)") != settings.end());
}

TEST_CASE("the file is looked for where XDG says", "[cli][config]") {
    const TemporaryFolder folder;
    const auto made =
        run_shell("mkdir -p " + folder.file("x/gpumodel") + " " + folder.file("h/.config/gpumodel") +
                  "; echo 'l2: cold' >" + folder.file("x/gpumodel/config.yaml") + "; echo 'threads: 3' >" +
                  folder.file("h/.config/gpumodel/config.yaml"));
    REQUIRE(made.exit_code == 0);
    const auto file = [&](const std::string& environment) {
        return Json::parse(run_shell("env -u GPUMODEL_CONFIG " + environment +
                                     " {gpumodel} config show --format json")
                               .out)["file"]
            .get<std::string>();
    };
    const auto xdg = "XDG_CONFIG_HOME=" + folder.file("x");
    const auto home = "HOME=" + folder.file("h");
    CHECK(file(home + " " + xdg) == folder.file("x/gpumodel/config.yaml"));
    CHECK(file("-u XDG_CONFIG_HOME " + home) == folder.file("h/.config/gpumodel/config.yaml"));
    CHECK(file("-u XDG_CONFIG_HOME " + home + " GPUMODEL_CONFIG=").empty());
    CHECK(run_shell("env -u GPUMODEL_CONFIG " + xdg + " {gpumodel} config show").out.find("cold") !=
          std::string::npos);
}

TEST_CASE("settings change no command that has none of them", "[cli][config]") {
    const TemporaryFile file("arch: k40\nformat: json\nl2: cold\nthreads: 2\n", "config.yaml");
    CHECK(with_file(file.path(), "man").out == run_gpumodel("man").out);
    CHECK(with_file(file.path(), "predict --help").out == run_gpumodel("predict --help").out);
    const TemporaryFolder folder;
    const auto result = folder.file("a.csv");
    REQUIRE(run_gpumodel(launch + " --arch k40 --out " + result).exit_code == 0);
    REQUIRE(run_shell("cp " + result + " " + folder.file("b.csv")).exit_code == 0);
    // two files are compared, not two launches on the arch that the file names
    const auto compared =
        with_file(file.path(), "compare --format text " + result + " " + folder.file("b.csv"));
    CHECK(compared.exit_code == 0);
    CHECK(compared.out == run_gpumodel("compare " + result + " " + folder.file("b.csv")).out);
    const auto picture =
        with_file(file.path(), "roofline --kernel naive -m 64 -n 64 -k 64 --out " + folder.file("r.svg"));
    CHECK(picture.exit_code == 0);
    CHECK(read_temporary(folder.file("r.svg")).find("<svg") != std::string::npos);
}
