// Completions and the manual page follow the definitions of the subcommands.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

struct Answer {
    std::string directive;
    std::vector<std::string> values;
};

// What follows the words; the last one is being typed.
Answer answer(const std::string& words, const std::string& environment = "") {
    const auto result = run_shell(environment + " {gpumodel} __complete " + words);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    auto lines = lines_of(result.out);
    REQUIRE_FALSE(lines.empty());
    Answer a{lines[0], {}};
    for (std::size_t i = 1; i < lines.size(); ++i) {
        a.values.push_back(lines[i].substr(0, lines[i].find('\t')));
    }
    return a;
}

using Values = std::vector<std::string>;

const std::string scratch = "/tmp/gpumodel_help_test_" + std::to_string(::getpid());

bool has(const Values& values, const std::string& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

bool installed(const std::string& program) {
    return run_shell("command -v " + program).exit_code == 0;
}

// What bash offers for a line; words as bash cuts them.
Values bash_offers(const std::string& line, const std::string& words, int current) {
    const auto result = run_shell(
        "export PATH=$(dirname {gpumodel}):$PATH; bash --norc -c 'source <(gpumodel completion bash); "
        "COMP_LINE=\"" +
        line + "\"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(" + words +
        "); COMP_CWORD=" + std::to_string(current) + "; _gpumodel; printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
    CHECK(result.exit_code == 0);
    return lines_of(result.out);
}

}  // namespace

TEST_CASE("subcommands and options complete", "[cli][help]") {
    CHECK(answer("predi").values == Values{"predict"});
    CHECK(answer("arch sh").values == Values{"show"});
    CHECK(answer("predict --re").values ==
          Values{"--registers", "--resources-from", "--recording", "--reproducible"});
    CHECK(answer("predict --arch k40 --ar").values == Values{"--args"});             // given once is enough
    CHECK(answer("predict --set a=1 --se").values == Values{"--set", "--section"});  // may be repeated
    CHECK(has(answer("''").values, "compare"));
    CHECK_FALSE(has(answer("''").values, "__complete"));
    CHECK(answer("nonsense --").values == Values{"--help", "--version"});
    CHECK(has(answer("validate --arch h200_sxm --meas").values, "--measurements"));  // in an option group
}

TEST_CASE("values complete by what the option takes", "[cli][help]") {
    CHECK(answer("predict --format ''").values == Values{"text", "json", "csv", "markdown"});
    CHECK(answer("predict --format=j").values == Values{"--format=json"});
    CHECK(answer("predict --l2 w").values == Values{"warm"});
    CHECK(answer("validate --split ''").values == Values{"calibration", "test", "all"});
    CHECK(answer("completion ''").values == Values{"bash", "zsh", "fish"});
    CHECK(answer("predict --kernel warp").values == Values{"warptile"});
    CHECK(answer("kernels show warp").values == Values{"warptile"});
    CHECK(answer("predict --arch v100_s").values == Values{"v100_sxm2", "v100_sxm2_32gb"});
    CHECK(answer("predict --arch v100_s").directive == "files");
    CHECK(has(answer("arch diff k40 ''").values, "sm_70"));
    CHECK(answer("predict --jobs ''").directive == "files");
    CHECK(answer("compare ''").directive == "files");
    CHECK(answer("predict -m ''").directive == "none");
    CHECK(answer("predict -m ''").values.empty());
}

TEST_CASE("parameters are those of the kernel, keys those of the architecture", "[cli][help]") {
    const auto params = answer("predict --kernel warptile -p W");
    CHECK(params.values == Values{"WM=", "WN=", "WNITER="});
    CHECK(params.directive == "nospace");
    CHECK(answer("predict --kernel naive -p W").values.empty());
    CHECK(answer("predict -p WNIT").values == Values{"WNITER="});
    CHECK(answer("predict --kernel warptile -p BM=").values == Values{"BM=128"});
    CHECK(answer("compare --kernel naive --vs-kernel warptile --vs-p WNI").values == Values{"WNITER="});
    CHECK(answer("predict --arch k40 --set sm.shared_memory.banks=").values ==
          Values{"sm.shared_memory.banks=32"});
    CHECK(answer("predict --arch k40 --set sm.shared_memory.banks").directive == "nospace");
    CHECK(answer("predict --arch nowhere --set sm.").values.empty());
}

TEST_CASE("specs of one's own are offered", "[cli][help]") {
    const auto path = scratch + ".specs";
    const auto setup =
        run_shell("mkdir -p " + path + "/products && printf 'name: my_own_gpu\\ninherits: k40\\n' > " + path +
                  "/products/my_own_gpu.yaml");
    REQUIRE(setup.exit_code == 0);
    CHECK(answer("predict --arch my_o", "GPUMODEL_ARCH_PATH=" + path).values == Values{"my_own_gpu"});
    CHECK(run_shell("rm -r " + path).exit_code == 0);
    CHECK(answer("predict --arch my_o").values.empty());
}

TEST_CASE("every value offered for a model is one", "[cli][help]") {
    const auto models = answer("predict --model ''").values;
    CHECK(models.size() == 3);
    for (const auto& model : models) {
        INFO(model);
        CHECK(run_gpumodel("predict --arch k40 --kernel smem -m 64 -n 64 -k 64 --format csv --model " + model)
                  .exit_code == 0);
    }
}

TEST_CASE("unfinished and strange lines have no answer, and no fault", "[cli][help]") {
    for (const auto* words : {"predict --arch", "predict --nothing x", "predict -- --", "predict '' ''",
                              "--help ''", "'a b' \"'\" '\\'", "--version --", "''  ''"}) {
        const auto result = run_shell(std::string("{gpumodel} __complete ") + words);
        INFO(words);
        CHECK(result.exit_code == 0);
        CHECK(result.err.empty());
        CHECK_FALSE(result.out.empty());
    }
    CHECK(run_gpumodel("__complete").out == "none\n");
    CHECK(run_gpumodel("completion tcsh").exit_code == 2);
}

TEST_CASE("bash completes words that it cuts at = itself", "[cli][help]") {
    CHECK(bash_offers("gpumodel predict --arch v100_s", "gpumodel predict --arch v100_s", 3) ==
          Values{"v100_sxm2", "v100_sxm2_32gb"});
    CHECK(bash_offers("gpumodel pred", "gpumodel pred", 1) == Values{"predict"});
    CHECK(bash_offers("gpumodel predict --format=js", "gpumodel predict --format = js", 4) == Values{"json"});
    CHECK(bash_offers("gpumodel predict --format=", "gpumodel predict --format =", 3) ==
          Values{"text", "json", "csv", "markdown"});
    CHECK(bash_offers("gpumodel predict --kernel warptile -p BM=",
                      "gpumodel predict --kernel warptile -p BM =", 6) == Values{"128"});
    CHECK(bash_offers("gpumodel predict --kernel warptile -p BM=64 -p WNI",
                      "gpumodel predict --kernel warptile -p BM = 64 -p WNI", 9) == Values{"WNITER="});
    CHECK(bash_offers("gpumodel predict --kernel ", "gpumodel predict --kernel \"\"", 3).size() > 20);
    CHECK(bash_offers("gpumodel trace info ./mi", "gpumodel trace info ./mi", 3).size() <= 1);
    CHECK(bash_offers("gpumodel sass jobs/m", "gpumodel sass jobs/m", 2) ==
          Values{"jobs/misspelt_column.csv", "jobs/mixed.csv"});
}

TEST_CASE("zsh and fish, where they are installed", "[cli][help]") {
    if (installed("zsh")) {
        const auto syntax = run_shell("{gpumodel} completion zsh | zsh -n");
        CHECK(syntax.exit_code == 0);
        const auto loads = run_shell(
            "zsh -f -c 'autoload -U compinit; compinit -D -u; source <({gpumodel} completion zsh); "
            "echo ${_comps[gpumodel]}'");
        CHECK(loads.out == "_gpumodel\n");
    }
    if (installed("fish")) {
        const std::string source = "source (\"{gpumodel}\" completion fish | psub); ";
        const auto offers = [&source](const std::string& line) {
            return lines_of(run_shell("PATH=$(dirname {gpumodel}):$PATH fish --no-config -c '" + source +
                                      "complete -C \"" + line + "\"'")
                                .out);
        };
        CHECK(offers("gpumodel predict --l2 ") == Values{"warm", "cold"});
        CHECK(offers("gpumodel predict --arch v100_s") == Values{"v100_sxm2\tTesla V100 SXM2"});
        CHECK(offers("gpumodel predict --format=js") == Values{"--format=json"});
    }
}

TEST_CASE("the manual page has every subcommand and option", "[cli][help]") {
    const auto page = run_gpumodel("man");
    REQUIRE(page.exit_code == 0);
    CHECK(page.out == run_gpumodel("man", "/").out);  // no time, no place
    for (const auto* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES"}) {
        CHECK(page.out.find(std::string(".SH ") + section + '\n') != std::string::npos);
    }
    CHECK(page.out.find("__complete") == std::string::npos);
    for (const auto& command : answer("''").values) {
        INFO(command);
        CHECK(page.out.find("\n.SS gpumodel " + command) != std::string::npos);
        for (const auto& option : answer(command + " --").values) {
            std::string name = "\\fB\\-\\-";
            for (const char c : option.substr(2)) {
                name += c == '-' ? "\\-" : std::string(1, c);
            }
            INFO(option);
            CHECK(page.out.find(name + "\\fR") != std::string::npos);
        }
    }
    CHECK(page.out.find(".EX\n  gpumodel predict \\-\\-arch sm_35 \\-\\-kernel warptile\n") !=
          std::string::npos);
}

TEST_CASE("the manual page is sound roff, where mandoc or groff is installed", "[cli][help]") {
    if (installed("mandoc")) {
        const auto lint = run_shell("{gpumodel} man | mandoc -T lint -W warning");
        for (const auto& line : lines_of(lint.out)) {  // a date would change the bytes
            CHECK(line.find("missing date") != std::string::npos);
        }
    }
    if (installed("groff")) {
        CHECK(run_shell("{gpumodel} man | groff -man -ww -z").err.empty());
    }
}

TEST_CASE("--out writes the scripts and the page", "[cli][help]") {
    const auto file = scratch + ".bash";
    const auto result =
        run_shell("{gpumodel} completion bash --out " + file + " && {gpumodel} completion bash | cmp - " +
                  file + " && bash -n " + file + " && rm " + file);
    CHECK(result.exit_code == 0);
    CHECK(result.out.empty());
}

TEST_CASE("the help of --arch says how GPUs and files are found", "[cli][help]") {
    auto help = run_gpumodel("predict --help").out;
    help.erase(std::unique(help.begin(), help.end(),
                           [](char a, char b) { return (a == ' ' || a == '\n') && (b == ' ' || b == '\n'); }),
               help.end());
    std::replace(help.begin(), help.end(), '\n', ' ');
    for (const std::string part : {"'RTX 4090'", "gpumodel arch list", "sm_35: its default product",
                                   "a YAML file (a path with / or .yaml)", "folders of GPUMODEL_ARCH_PATH"}) {
        CHECK_THAT(help, Catch::Contains(part));
    }
}
