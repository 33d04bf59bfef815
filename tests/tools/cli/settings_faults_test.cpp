// Bad settings and bad manners: each ends with its place, its reason and exit code 2, whatever was asked for.
#include <catch2/catch.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace settings_faults_test {

namespace {

struct BadFile {
    std::string content;
    std::string fault;  // behind the path
};

struct BadLine {
    std::string line;   // with {gpumodel} in it
    std::string fault;  // within the first line
};

const std::string launch = "{gpumodel} predict --arch k40 --kernel naive -m 64 -n 64 -k 64 ";

}  // namespace

TEST_CASE("faults of the settings file have a line and a column", "[cli][config][bad]") {
    const std::vector<BadFile> files{
        {"arc: k40\n", ":1:1: arc: unknown key, allowed set, arch, "},
        {"arc: k40\n", "; nearest: arch\n"},
        {"arch: [k40]\n", ":1:7: arch: expected one value\n"},
        {"arch:\n", ": arch: expected one value\n"},
        {"arch: {a: b}\n", ":1:7: arch: expected one value\n"},
        {"arch: ''\n", ":1:7: arch: the value is empty\n"},
        {"arch: k41\n", ":1:7: arch: k41: unknown architecture; nearest: k40\n"},
        {"l2: cold\narch: ./nowhere.yaml\n", ":2:7: arch: ./nowhere.yaml: no such file\n"},
        {"format: xml\n", ":1:9: format: 'xml' is none of text, json, csv, markdown\n"},
        {"format: JSON\n", ":1:9: format: 'JSON' is none of text, json, csv, markdown\n"},
        {"l2: hot\n", ":1:5: l2: 'hot' is none of warm, cold\n"},
        {"l2: cold\nl2: warm\n", ":2:1: duplicate key 'l2'; first given in line 1\n"},
        {"threads: -1\n", ":1:10: threads: '-1' is no whole number from 0 to 1024\n"},
        {"threads: many\n", ":1:10: threads: 'many' is no whole number from 0 to 1024\n"},
        {"threads: 1e3\n", ":1:10: threads: '1e3' is no whole number from 0 to 1024\n"},
        {"threads: 1025\n", ":1:10: threads: '1025' is no whole number from 0 to 1024\n"},
        {"threads: 1.5\n", ":1:10: threads: '1.5' is no whole number from 0 to 1024\n"},
        {"color: yes\n", ":1:8: color: 'yes' is none of auto, always, never\n"},
        {"quiet: true\n", ":1:8: quiet: 'true' is none of no, yes\n"},
        {"stamp: 1\n", ":1:8: stamp: '1' is none of no, yes"},
        {"compile: maybe\n", ":1:10: compile: 'maybe' is none of auto, always, never\n"},
        {"- k40\n", ":1:1: expected keys and values, e.g. 'arch: h200_sxm'\n"},
        {"k40\n", ":1:1: expected keys and values, e.g. 'arch: h200_sxm'\n"},
        {"arch: k40\n  l2: warm\n", ":2:5: not valid YAML: "},
        {"arch: [\n", ": not valid YAML: "},
        {"arch: &a k40\n", ":1:7: anchors"},
        {"arch: *a\n", ":1:7: not valid YAML: "},
        {"arch: k40\n---\narch: k80\n", ": "},
        {"arch: \"k\x01\"\n", ":1:9: byte 0x01: this is not a text file\n"},
        {"\xff\xfe\n", ": the file is empty"},
        {"? [a]\n: b\n", ":1:3: a key must be a word\n"},
        {"a: " + std::string(50, '[') + "\n", ": "},
        {"set: k40\n", ":1:6: set: expected products, each with spec keys and values\n"},
        {"set:\n", ": set: expected products, each with spec keys and values\n"},
        {"set:\n  k40: 3\n", ":2:8: set.k40: expected spec keys and values"},
        {"set:\n  k40:\n    clock.sm: [1]\n", ":3:15: set.k40.clock.sm: expected one value\n"},
        {"set:\n  k40:\n    clock.sm:\n", ": set.k40.clock.sm: expected one value\n"},
        {"set:\n  k41:\n    clock.sm: 1 MHz\n", ":3:5: set.k41: unknown architecture; nearest: k40\n"},
        {"set:\n  sm_35:\n    clock.sm: 1 MHz\n", ":3:5: set.sm_35: means k40; write that name\n"},
        {"set:\n  Tesla K40:\n    clock.sm: 1 GHz\n", ":3:5: set.Tesla K40: means k40; write that name\n"},
        {"set:\n  k40:\n    sm_count: 3\n    sm_count: 4\n",
         ":4:5: duplicate key 'sm_count'; first given in line 3\n"},
    };
    for (const auto& bad : files) {
        const TemporaryFile file(bad.content, "config.yaml");
        INFO(bad.content);
        const auto result =
            run_shell("GPUMODEL_CONFIG=" + file.path() + " timeout 60 {gpumodel} config show");
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with(file.path() + ":"));
        CHECK(result.err.find(bad.fault) != std::string::npos);
        CHECK(lines_of(result.err).size() == 1);
        // every command that runs says so, but help is help
        CHECK(run_shell("GPUMODEL_CONFIG=" + file.path() + " " + launch).err == result.err);
        CHECK(run_shell("GPUMODEL_CONFIG=" + file.path() + " {gpumodel} config show --help").exit_code == 0);
    }
}

TEST_CASE("all faults of the settings come at once", "[cli][config][bad]") {
    const TemporaryFile file("format: xml\nl2: hot\nfoo: 1\n", "config.yaml");
    const auto result = run_shell("GPUMODEL_CONFIG=" + file.path() +
                                  " GPUMODEL_THREADS=x GPUMODEL_COLOR=red {gpumodel} arch list");
    CHECK(result.exit_code == 2);
    CHECK(lines_of(result.err).size() == 5);
}

TEST_CASE("spec values of the settings file that are none are its faults", "[cli][config][bad]") {
    const TemporaryFile file("set:\n  k40:\n    clok.sm: 1 MHz\n    sm_count: -3\n", "config.yaml");
    const auto result = run_shell("GPUMODEL_CONFIG=" + file.path() + " " + launch);
    CHECK(result.exit_code == 2);
    const auto lines = lines_of(result.err);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == file.path() + ":3:5: clok.sm: unknown key; nearest: clock.sm");
    CHECK(lines[1] == file.path() + ":4:5: sm_count: '-3' is out of range; allowed: 1 to 1024");
}

TEST_CASE("a settings file that cannot be read is named", "[cli][config][bad]") {
    const TemporaryFile large(std::string(2 << 20, 'a'), "config.yaml");
    for (const std::string& path : {std::string("/nowhere.yaml"), std::string("/"), std::string("/dev/zero"),
                                    std::string("/proc/self/mem"), large.path()}) {
        const auto result = run_shell("GPUMODEL_CONFIG=" + path + " timeout 60 {gpumodel} arch list");
        INFO(path);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with(path + ": GPUMODEL_CONFIG: "));
        CHECK(lines_of(result.err).size() == 1);
    }
}

TEST_CASE("bad variables and bad manners", "[cli][bad]") {
    const TemporaryFolder folder;
    const std::vector<BadLine> lines{
        {"GPUMODEL_FORMAT=xml " + launch, "GPUMODEL_FORMAT: 'xml' is none of text, json, csv, markdown"},
        {"GPUMODEL_L2=Warm " + launch, "GPUMODEL_L2: 'Warm' is none of warm, cold; nearest: warm"},
        {"GPUMODEL_THREADS=x " + launch, "GPUMODEL_THREADS: 'x' is no whole number from 0 to 1024"},
        {"GPUMODEL_THREADS=-1 " + launch, "GPUMODEL_THREADS: '-1' is no whole number"},
        {"GPUMODEL_COLOR=on " + launch, "GPUMODEL_COLOR: 'on' is none of auto, always, never"},
        {"GPUMODEL_QUIET=1 " + launch, "GPUMODEL_QUIET: '1' is none of no, yes"},
        {"GPUMODEL_STAMP=always " + launch, "GPUMODEL_STAMP: 'always' is none of no, yes"},
        {"GPUMODEL_COMPILE=x " + launch, "GPUMODEL_COMPILE: 'x' is none of auto, always, never"},
        {"GPUMODEL_ARCH=k4 {gpumodel} predict --kernel naive", "GPUMODEL_ARCH: k4: unknown architecture"},
        {launch + "--color", "--color: 1 required"},
        {launch + "--color=", "--color: 1 required"},
        {launch + "--color sometimes", "--color: 'sometimes' is none of auto, always, never"},
        {launch + "--color auto --color never", "--color: At Most 1"},
        {launch + "--quiet=maybe", "quiet was given a disallowed flag override"},
        {launch + "--verbose=a", "verbose was given a disallowed flag override"},
        {launch + "--stamp=3", "stamp was given a disallowed flag override"},
        {launch + "--reproducible=no", "reproducible was given a disallowed flag override"},
        {launch + "-vx", "unknown argument '-x'"},
        {launch + "--format md", "--format: 'md' is none of text, json, csv, markdown"},
        {launch + "--format markdown --section occ --brief", "--section: is for one launch as text"},
        {launch + "--long", "--long: is for --format csv"},
        {launch + "--long=1 --format csv", "long was given a disallowed flag override"},
        {launch + "--param-columns", "--param-columns: is for --format csv"},
        {launch + "--long --format json", "--long: is for --format csv"},
        {launch + "--long --format markdown", "--long: is for --format csv"},
        {launch + "--out", "--out: 1 required"},
        {launch + "--out - --out x.csv", "--out: At Most 1"},
        {launch + "--out x.png --format markdown", "x.png: --out: .png is not written by gpumodel"},
        {"{gpumodel} sweep --arch k40 --kernel smem --format csv --long --resume --out x.csv",
         "--long: is for --format csv, without --resume and --shard"},
        {"{gpumodel} sweep --arch k40 --kernel smem --format csv --param-columns --shard 1/2",
         "--param-columns: is for --format csv, without --resume and --shard"},
        {"{gpumodel} sweep --arch k40 --kernel smem --format text --long", "--long: is for --format csv"},
        {"{gpumodel} trace gen --arch k40 --kernel naive --out -", "-: the ending says no trace format"},
        {"{gpumodel} calibrate --arch k40 --measurements x --out -", "--out: '-' does not end in .yaml"},
        {"{gpumodel} config", "a subcommand is required: "},
        {"{gpumodel} config sho", ""},
        {"{gpumodel} config show extra", "unknown argument 'extra'"},
        {"{gpumodel} config show --l2 hot", "--l2: 'hot' is none of warm, cold"},
        {"{gpumodel} config show --model both", "unknown argument '--model'"},
        {"{gpumodel} --quiet predict", "gpumodel: "},
    };
    for (const auto& bad : lines) {
        INFO(bad.line);
        const auto result = run_shell(bad.line, folder.path().string());
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find(bad.fault) != std::string::npos);
        CHECK(result.err.find("internal error") == std::string::npos);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

}  // namespace settings_faults_test
