// gpumodel-fit: makes the compiler's tables (traces/kernel/compiler/*.csv) from what is committed: listings
// of our kernels (validate/listings) and ptxas' register counts (tests/traces/kernel/ptxas_registers.csv). No
// GPU and no CUDA toolkit is needed. validate/README.md says how to go on from there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "traces/kernel/compiler/registers.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/fit/overhead_fit.h"
#include "validate/fit/register_fit.h"
#include "validate/fit/table_text.h"

namespace {

using namespace gpumodel;

struct Job {
    bool registers = false, overhead = false;
    bool check = false;
    std::string root = ".";
};

constexpr int threshold_exceeded = 4;

constexpr const char* usage =
    "usage: gpumodel-fit registers|overhead|all [--check] [SOURCE_TREE]\n"
    "  registers  registers.csv\n"
    "  overhead   overhead.csv and overhead_shares.csv\n"
    "  --check    writes nothing; exit code 4 where a file would change\n";

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot be read"}});
    }
    return text.str();
}

bool write(const Job& job, const std::string& table, const std::string& text) {
    const std::string path = job.root + "/traces/kernel/compiler/" + table;
    const bool same = text_of(path) == text;
    fmt::print("{}: {}\n", path, same ? "as it was" : job.check ? "would change" : "written");
    if (!same && !job.check) {
        std::ofstream(path) << text;
    }
    return same;
}

// Of the samples held back, by generation.
void print_register_errors(const CompilerTables& tables, const std::vector<RegisterSample>& samples) {
    struct Score {
        double error = 0, blocks_right = 0;
        int count = 0;
    };
    std::map<std::string, Score> scores;
    for (const RegisterSample& sample : samples) {
        const auto& rows = tables.registers.at(static_cast<std::size_t>(sample.code.shape));
        const auto row = std::find_if(rows.begin(), rows.end(), [&sample](const RegisterWeights& weights) {
            return weights.cc == sample.target.cc.number();
        });
        if (!sample.held_back || row == rows.end()) {
            continue;
        }
        const int registers = estimate_registers(*row, sample.code, sample.target);
        Score& score = scores[sample.arch];
        score.error += std::abs(registers - sample.registers) / static_cast<double>(sample.registers);
        score.blocks_right += blocks_by_registers(registers, sample.code.threads) ==
                                      blocks_by_registers(sample.registers, sample.code.threads)
                                  ? 1
                                  : 0;
        ++score.count;
    }
    for (const auto& [arch, score] : scores) {
        fmt::print("{}: registers of the {} held back {:.1f} %, blocks per SM right {:.0f} %\n", arch,
                   score.count, 100 * score.error / score.count, 100 * score.blocks_right / score.count);
    }
}

bool fit_registers(const Job& job, CompilerTables& tables) {
    const auto samples = read_register_samples(job.root + "/tests/traces/kernel/ptxas_registers.csv");
    for (std::size_t shape = 0; shape < code_shape_count; ++shape) {
        tables.registers[shape] = gpumodel::fit_registers(static_cast<CodeShape>(shape), samples);
    }
    print_register_errors(tables, samples);
    return write(job, "registers.csv", registers_csv(tables));
}

struct ListingFile {
    CodeGeneration generation = CodeGeneration::volta;
    int cc = 0;
    const char* name = "";
};
constexpr ListingFile listings[] = {
    {CodeGeneration::kepler, 35, "sm_35"},      {CodeGeneration::kepler, 35, "few/sm_35"},
    {CodeGeneration::volta, 70, "sm_70"},       {CodeGeneration::volta, 70, "few/sm_70"},
    {CodeGeneration::ampere, 80, "sm_80"},      {CodeGeneration::ampere, 80, "few/sm_80"},
    {CodeGeneration::ampere, 86, "sm_86"},      {CodeGeneration::ampere, 86, "few/sm_86"},
    {CodeGeneration::hopper, 90, "sm_90"},      {CodeGeneration::hopper, 90, "few/sm_90"},
    {CodeGeneration::blackwell, 100, "sm_100"}, {CodeGeneration::blackwell, 100, "few/sm_100"},
    {CodeGeneration::blackwell, 120, "sm_120"}, {CodeGeneration::blackwell, 120, "few/sm_120"}};

// All listings of a generation, every instance of a file once.
std::vector<OverheadSample> samples_of(const Job& job, CodeGeneration generation) {
    std::vector<OverheadSample> all;
    std::set<std::string> seen;
    for (const ListingFile& listing : listings) {
        if (listing.generation != generation) {
            continue;
        }
        const std::string path = fmt::format("{}/validate/listings/{}.sass.xz", job.root, listing.name);
        Target target;
        target.cc = {.major = listing.cc / 10, .minor = listing.cc % 10};
        for (OverheadSample& sample : overhead_samples(read_sass_file(path), target)) {
            if (seen.insert(fmt::format("{} {}", listing.cc, sample.instance)).second) {
                all.push_back(std::move(sample));
            }
        }
    }
    return all;
}

std::vector<OverheadSample> held_back_part(std::vector<OverheadSample> samples) {
    std::erase_if(samples, [](const OverheadSample& sample) { return !sample.held_back; });
    return samples;
}

bool fit_overhead(const Job& job, CompilerTables& tables) {
    for (std::size_t i = 0; i < code_generation_count; ++i) {
        const auto generation = static_cast<CodeGeneration>(i);
        const auto samples = samples_of(job, generation);
        const auto held = held_back_part(samples);
        const double before = instruction_error(tables, generation, held);
        gpumodel::fit_overhead(tables, generation, samples);
        fmt::print("{}: {} instances, instructions of the {} held back {:.2f} %, before {:.2f} %\n",
                   code_generation_names[i], samples.size(), held.size(),
                   100 * instruction_error(tables, generation, held), 100 * before);
    }
    const bool rules = write(job, "overhead.csv", overhead_csv(tables));
    const bool shares = write(job, "overhead_shares.csv", overhead_shares_csv(tables));
    return rules && shares;
}

int run(const std::vector<std::string>& arguments) {
    Job job;
    for (const std::string& argument : arguments) {
        if (argument == "--check") {
            job.check = true;
        } else if (argument == "registers" || argument == "overhead" || argument == "all") {
            job.registers = job.registers || argument != "overhead";
            job.overhead = job.overhead || argument != "registers";
        } else if (!argument.starts_with('-')) {
            job.root = argument;
        } else {
            job = {};
            break;
        }
    }
    if (!job.registers && !job.overhead) {
        fmt::print(stderr, "{}", usage);
        return static_cast<int>(InputErrorKind::usage);
    }
    CompilerTables tables = compiler_tables();
    const bool registers = !job.registers || fit_registers(job, tables);
    const bool overhead = !job.overhead || fit_overhead(job, tables);
    return !job.check || (registers && overhead) ? 0 : threshold_exceeded;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const InputError& error) {
        for (const Diagnostic& fault : error.diagnostics()) {
            fmt::print(stderr, "{}\n", to_string(fault));
        }
        return static_cast<int>(error.kind());
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
