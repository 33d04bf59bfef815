#include "validate/measure/device_info.cuh"
#include "validate/measure/suites.cuh"
#include "validate/microbench/l2/l2.cuh"
#include "validate/microbench/memory/memory.cuh"

namespace gpumodel::measure {
namespace {

class CsvRecorder : public microbench::Recorder {
public:
    CsvRecorder(CsvOutput& out, const Progress& progress) : out_(out), progress_(progress) {}

    bool wanted(const std::string& benchmark, const std::string& params) override {
        const bool missing = !out_.has(benchmark + "," + params);
        if (missing) {
            progress_.show(benchmark + " " + params);
        }
        return missing;
    }

    void add(const microbench::Row& row, std::vector<double> samples) override {
        std::sort(samples.begin(), samples.end());
        char figures[128];
        std::snprintf(figures, sizeof figures, "%.6g,%.6g,%.6g,%zu", samples[samples.size() / 2],
                      samples.front(), samples.back(), samples.size());
        out_.write(row.benchmark + "," + row.params + "," + row.metric + "," + figures);
        std::string text = row.benchmark + " " + row.params + ": " + figures + " " + row.metric;
        if (!row.keys.empty()) {
            text += " -> " + row.keys;
        }
        progress_.line(text);
    }

private:
    CsvOutput& out_;
    const Progress& progress_;
};

// For a profiler: rows by name alone.
class NameRecorder : public microbench::Recorder {
public:
    bool wanted(const std::string&, const std::string&) override { return true; }
    void add(const microbench::Row& row, std::vector<double>) override {
        std::printf("%s,%s\n", row.benchmark.c_str(), row.params.c_str());
    }
    [[nodiscard]] bool once() const override { return true; }
};

constexpr const char* columns = "benchmark,params,metric,median,min,max,samples";

using Benchmark = void (*)(const microbench::Device&, microbench::Recorder&);

// In this order, into one file.
void record(std::initializer_list<Benchmark> benchmarks, const microbench::Device& device,
            const std::string& suite, const std::string& path, const Progress& progress) {
    CsvOutput out(path, describe(device, suite), columns, 2);
    CsvRecorder recorder(out, progress);
    for (const auto benchmark : benchmarks) {
        benchmark(device, recorder);
    }
}

}  // namespace

void run_l2(const microbench::Device& device, const std::string& path, bool once, const Progress& progress) {
    if (once) {
        NameRecorder names;
        microbench::l2_residence(device, names);
        microbench::l2_tile_walk(device, names);
        return;
    }
    record({microbench::l2_halves, microbench::l2_half_latency, microbench::l2_half_bandwidth,
            microbench::l1_requests, microbench::l2_residence, microbench::l2_tile_walk},
           device, "l2", path, progress);
}

void run_memory(const microbench::Device& device, const std::string& path, bool once,
                const Progress& progress) {
    if (once) {
        NameRecorder names;
        microbench::memory_launches(device, names);
        return;
    }
    CsvOutput out(path, describe(device, "memory"), columns, 2);
    CsvRecorder recorder(out, progress);
    microbench::memory_launches(device, recorder);
}

void run_microbenchmarks(const microbench::Device& device, const std::string& path,
                         const Progress& progress) {
    record({microbench::clocks, microbench::pipes, microbench::register_banks, microbench::shared_memory,
            microbench::barriers, microbench::block_scheduling, microbench::launch_overhead,
            microbench::l2_bandwidth, microbench::dram_bandwidth, microbench::global_latency},
           device, "microbench", path, progress);
}

}  // namespace gpumodel::measure
