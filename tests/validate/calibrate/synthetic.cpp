#include "synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace gpumodel::synthetic {
namespace {

using Params = std::map<std::string, std::string>;

void add_pipe_rows(std::vector<MicrobenchmarkRow>& rows) {
    for (const auto op : op_class_names) {
        rows.push_back(row("pipe_latency", {{"OP", std::string(op)}}));
        for (const auto* warps : {"1", "4", "16", "32"}) {
            rows.push_back(row("pipe_throughput", {{"OP", std::string(op)}, {"WARPS", warps}}));
        }
    }
    for (const auto& [reads, same] : {std::pair{"2", "1"}, {"2", "2"}, {"3", "2"}, {"3", "3"}}) {
        rows.push_back(row("register_banks", {{"READS", reads}, {"SAME_BANK", same}}));
    }
    for (const auto* warps : {"1", "2", "4", "8", "16", "32"}) {
        rows.push_back(row("barrier", {{"WARPS", warps}}));
    }
}

void add_shared_rows(std::vector<MicrobenchmarkRow>& rows) {
    for (const auto* bits : {"32", "64", "128"}) {
        for (const auto* degree : {"0", "1", "2", "4", "8"}) {
            rows.push_back(row("shared_latency", {{"BITS", bits}, {"DEGREE", degree}}));
            for (const auto* op : {"ld", "st"}) {
                for (const auto* warps : {"1", "4", "16", "32"}) {
                    rows.push_back(row("shared_throughput",
                                       {{"OP", op}, {"BITS", bits}, {"DEGREE", degree}, {"WARPS", warps}}));
                }
            }
        }
    }
}

void add_global_rows(std::vector<MicrobenchmarkRow>& rows, const ArchSpec& truth) {
    for (std::int64_t bytes = 4096; bytes <= (std::int64_t{1} << 32); bytes *= 4) {
        rows.push_back(row("global_latency", {{"BYTES", std::to_string(bytes)}}));
    }
    for (const auto* in_flight : {"32768", "65536", "131072"}) {
        for (const int sms : {1, 2, truth.sm_count}) {
            rows.push_back(
                row("l2_bandwidth",
                    {{"SMS", std::to_string(sms)}, {"THREADS", "1024"}, {"BYTES_IN_FLIGHT", in_flight}}));
        }
        for (const auto* mode : {"read", "write", "copy"}) {
            rows.push_back(row("dram_bandwidth", {{"MODE", mode}, {"BYTES_IN_FLIGHT", in_flight}}));
        }
    }
}

void add_launch_rows(std::vector<MicrobenchmarkRow>& rows, const ArchSpec& truth) {
    for (const auto* blocks : {"16384", "65536"}) {
        rows.push_back(row("block_launch", {{"BLOCKS", blocks}}));
    }
    for (const auto* threads : {"32", "256", "1024"}) {
        rows.push_back(row("block_turnover", {{"THREADS", threads}}));
    }
    for (const int grid : {1, truth.sm_count, 4 * truth.sm_count}) {
        rows.push_back(row("launch_overhead", {{"GRID", std::to_string(grid)}}));
    }
    for (const auto* load : {"idle", "ffma"}) {
        rows.push_back(row("clock", {{"LOAD", load}}));
    }
}

}  // namespace

MicrobenchmarkRow row(const std::string& benchmark, Params params, double median) {
    MicrobenchmarkRow r;
    r.benchmark = benchmark;
    r.params = std::move(params);
    r.metric = find_benchmark(benchmark)->metric;
    r.median = r.min = r.max = median;
    r.samples = 9;
    return r;
}

double predicted(const MicrobenchmarkRow& r, const ArchSpec& arch) {
    const auto model = find_benchmark(r.benchmark)->model({r, arch, std::span(&r, 1)});
    return model.value ? model.value(arch) : 0;
}

MicrobenchmarkFile measured_on(const ArchSpec& truth, const ArchSpec& base, double noise, unsigned seed) {
    MicrobenchmarkFile file;
    file.path = "synthetic.csv";
    file.metadata = {{"gpu", "Synthetic"}, {"date", "2026-01-01"}};
    add_pipe_rows(file.rows);
    add_shared_rows(file.rows);
    add_global_rows(file.rows, truth);
    add_launch_rows(file.rows, truth);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, noise);
    const std::vector<MicrobenchmarkRow> same = file.rows;  // equal medians: every row is on the plateau
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        auto& r = file.rows[i];
        const auto model = find_benchmark(r.benchmark)->model({same[i], base, same});
        const double value = model.value ? model.value(truth) : 1;
        r.line = static_cast<int>(i) + 4;
        r.median = value * (1 + std::clamp(normal(random), -3 * noise, 3 * noise));
        r.min = r.median * (1 - 2 * noise);
        r.max = r.median * (1 + 2 * noise);
    }
    return file;
}

std::string csv_of(const MicrobenchmarkFile& file) {
    std::string text;
    for (const auto& [key, value] : file.metadata) {
        text += fmt::format("# {}: {}\n", key, value);
    }
    text += "benchmark,params,metric,median,min,max,samples\n";
    for (const auto& r : file.rows) {
        std::string params;
        for (const auto& [key, value] : r.params) {
            params += fmt::format("{}{}={}", params.empty() ? "" : ";", key, value);
        }
        text += fmt::format("{},{},{},{},{},{},{}\n", r.benchmark, params, r.metric, r.median, r.min, r.max,
                            r.samples);
    }
    return text;
}

const CalibratedKey& key_named(const Calibration& calibration, const std::string& key) {
    for (const auto& item : calibration.keys) {
        if (item.field->key == key) {
            return item;
        }
    }
    throw std::out_of_range(key);
}

}  // namespace gpumodel::synthetic
