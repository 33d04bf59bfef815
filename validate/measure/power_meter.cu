#include <dlfcn.h>
#include <nvml.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "validate/measure/cuda_status.cuh"
#include "validate/measure/power_meter.cuh"

#if !defined(NVML_FI_DEV_POWER_INSTANT)
#define NVML_FI_DEV_POWER_INSTANT 186
#endif

namespace gpumodel::measure {
namespace {

constexpr int samples_per_second = 20000;

__global__ void watch(unsigned long long* out, int samples, volatile int* started) {
    for (int i = 0; i < samples; ++i) {
        unsigned long long t, c, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(c)::"memory");
        out[2 * i] = t;
        out[2 * i + 1] = c;
        if (i == 0) {
            *started = 1;
        }
        do {
            __nanosleep(2000);
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 50000);
    }
}

// The driver's library, opened when it is needed: the toolkit may be installed without a driver.
struct Nvml {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    template <class F>
    F* function(const char* name) const {
        auto* found = library ? reinterpret_cast<F*>(dlsym(library, name)) : nullptr;
        if (!found) {
            throw std::runtime_error(std::string("no NVML here: ") + name);
        }
        return found;
    }
};
const Nvml& nvml() {
    static const Nvml loaded;
    return loaded;
}

double mhz_between(const std::vector<unsigned long long>& s, double from_ms, double to_ms) {
    const auto last = static_cast<int>(s.size()) / 2 - 1;
    const auto at = [&](double ms) { return std::min(last, int(ms * samples_per_second / 1000)); };
    const int from = std::min(last - 1, at(from_ms)), to = at(to_ms);
    return 1e3 * double(s[2 * to + 1] - s[2 * from + 1]) / double(s[2 * to] - s[2 * from]);
}

double milliseconds_of(cudaStream_t stream, const std::function<void()>& launch) {
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    launch();
    require(cudaStreamSynchronize(stream), "launch");
    require(cudaEventRecord(begin, stream), "cudaEventRecord");
    launch();
    require(cudaEventRecord(end, stream), "cudaEventRecord");
    require(cudaStreamSynchronize(stream), "launch");
    float ms = 0;
    require(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

// Launches in batches of some 20 ms, two of them in the queue, an event behind each.
class Batches {
public:
    Batches(cudaStream_t stream, double launch_ms)
        : stream_(stream), size_(std::max(1, int(20 / launch_ms))) {}
    ~Batches() {
        for (auto& mark : marks_) {
            cudaEventDestroy(mark);
        }
    }
    Batches(const Batches&) = delete;
    Batches& operator=(const Batches&) = delete;

    void add(const std::function<void()>& launch, const std::function<void()>& after) {
        for (int i = 0; i < size_; ++i) {
            launch();
            if (after) {
                after();
            }
        }
        cudaEvent_t mark;
        require(cudaEventCreate(&mark), "cudaEventCreate");
        require(cudaEventRecord(mark, stream_), "cudaEventRecord");
        marks_.push_back(mark);
        if (marks_.size() > 2) {
            require(cudaEventSynchronize(marks_[marks_.size() - 3]), "launch");
        }
    }
    [[nodiscard]] std::size_t count() const { return marks_.size(); }
    [[nodiscard]] double launches_per_second(std::size_t from, std::size_t to) const {
        float ms = 0;
        require(cudaEventElapsedTime(&ms, marks_[from], marks_[to]), "cudaEventElapsedTime");
        return size_ * double(to - from) / (ms / 1e3);
    }

private:
    cudaStream_t stream_;
    int size_;
    std::vector<cudaEvent_t> marks_;
};

void note_watts(const std::vector<std::pair<double, double>>& power, double seconds, PowerReading& r) {
    int readings = 0;
    for (const auto& [t, w] : power) {
        if (t > seconds / 2) {
            r.watts += w;
            ++readings;
        }
        if (t < 0.1) {
            r.watts_first = std::max(r.watts_first, w);
        }
        r.watts_highest = std::max(r.watts_highest, w);
    }
    r.watts /= std::max(1, readings);
}

}  // namespace

PowerMeter::PowerMeter(double seconds) : seconds_(seconds) {
    nvmlDevice_t board{};
    if (nvml().function<nvmlReturn_t()>("nvmlInit_v2")() != NVML_SUCCESS ||
        nvml().function<nvmlReturn_t(unsigned, nvmlDevice_t*)>("nvmlDeviceGetHandleByIndex_v2")(0, &board) !=
            NVML_SUCCESS) {
        throw std::runtime_error("NVML does not answer");
    }
    board_ = board;
    require(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking), "cudaStreamCreate");
    require(cudaMalloc(&samples_, 16 * std::size_t(seconds_ * samples_per_second)), "cudaMalloc");
    require(cudaMallocHost(reinterpret_cast<void**>(&started_), sizeof(int)), "cudaMallocHost");
}

PowerMeter::~PowerMeter() {
    cudaStreamDestroy(beside_);
    cudaFree(samples_);
    cudaFreeHost(started_);
}

double PowerMeter::watts() const {
    static const auto fields =
        nvml().function<nvmlReturn_t(nvmlDevice_t, int, nvmlFieldValue_t*)>("nvmlDeviceGetFieldValues");
    static const auto usage =
        nvml().function<nvmlReturn_t(nvmlDevice_t, unsigned*)>("nvmlDeviceGetPowerUsage");
    auto* board = static_cast<nvmlDevice_t>(board_);
    nvmlFieldValue_t field{};
    field.fieldId = NVML_FI_DEV_POWER_INSTANT;
    if (fields(board, 1, &field) == NVML_SUCCESS && field.nvmlReturn == NVML_SUCCESS) {
        return field.value.uiVal / 1e3;
    }
    unsigned milliwatts = 0;
    usage(board, &milliwatts);
    return milliwatts / 1e3;
}

double PowerMeter::limit_watts() const {
    unsigned milliwatts = 0;
    nvml().function<nvmlReturn_t(nvmlDevice_t, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit")(
        static_cast<nvmlDevice_t>(board_), &milliwatts);
    return milliwatts / 1e3;
}

PowerReading PowerMeter::run(cudaStream_t stream, const std::function<void()>& launch,
                             const std::function<void()>& after) const {
    Batches batches(stream, milliseconds_of(stream, launch));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    volatile int* started = started_;
    *started = 0;
    const int count = int(seconds_ * samples_per_second);
    watch<<<1, 1, 0, beside_>>>(samples_, count, started);
    while (*started == 0) {
    }
    std::atomic<bool> over{false};
    std::vector<std::pair<double, double>> power;
    const auto begin = std::chrono::steady_clock::now();
    const auto since = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::thread meter([&] {
        while (!over) {
            const double w = watts();
            power.emplace_back(since(), w);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    while (since() < seconds_) {
        batches.add(launch, after);
    }
    cudaStreamSynchronize(stream);
    over = true;
    meter.join();
    require(cudaDeviceSynchronize(), "load");
    std::vector<unsigned long long> s(2 * count);
    require(cudaMemcpy(s.data(), samples_, 16 * std::size_t(count), cudaMemcpyDeviceToHost), "cudaMemcpy");
    PowerReading r;
    const std::size_t n = batches.count();
    r.launches_per_second_first = batches.launches_per_second(0, std::min<std::size_t>(n - 1, 4));
    r.launches_per_second = batches.launches_per_second(n / 2, n - 1);
    note_watts(power, seconds_, r);
    for (std::size_t i = 0; i < r.mhz.size(); ++i) {
        r.mhz[i] = mhz_between(s, clock_spans_ms[i], clock_spans_ms[i + 1]);
    }
    r.mhz_second_half = mhz_between(s, 500 * seconds_, 1000 * seconds_);
    return r;
}

std::string power_columns() {
    std::string text = ",watts_second_half,watts_highest_first_100ms,watts_highest";
    for (std::size_t i = 1; i < clock_spans_ms.size(); ++i) {
        text += ",mhz_" + std::to_string(int(clock_spans_ms[i])) + "ms";
    }
    return text + ",mhz_second_half";
}

std::string power_cells(const PowerReading& r) {
    char text[64];
    std::snprintf(text, sizeof text, ",%.1f,%.1f,%.1f", r.watts, r.watts_first, r.watts_highest);
    std::string cells = text;
    for (const double mhz : r.mhz) {
        std::snprintf(text, sizeof text, ",%.0f", mhz);
        cells += text;
    }
    std::snprintf(text, sizeof text, ",%.0f", r.mhz_second_half);
    return cells + text;
}

}  // namespace gpumodel::measure
