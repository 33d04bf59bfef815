#include "validate/measure/device_info.cuh"
#include "validate/measure/suites.cuh"

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

}  // namespace

void run_microbenchmarks(const microbench::Device& device, const std::string& path,
                         const Progress& progress) {
    CsvOutput out(path, describe(device, "microbench"), "benchmark,params,metric,median,min,max,samples", 2);
    CsvRecorder recorder(out, progress);
    microbench::clocks(device, recorder);
    microbench::pipes(device, recorder);
    microbench::register_banks(device, recorder);
    microbench::shared_memory(device, recorder);
    microbench::barriers(device, recorder);
    microbench::block_scheduling(device, recorder);
    microbench::launch_overhead(device, recorder);
    microbench::l2_bandwidth(device, recorder);
    microbench::dram_bandwidth(device, recorder);
    microbench::global_latency(device, recorder);
}

}  // namespace gpumodel::measure
