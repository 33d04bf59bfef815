// A load's rate, the board's power (NVML, every 5 ms) and the SMs' clock (a thread beside it notes %clock64
// and %globaltimer every 50 us; the driver's reading does not show what power and matrix products take), from
// half a second of rest on.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <functional>
#include <string>

namespace gpumodel::measure {

// Ends of the spans over which clocks are means, in ms after the first launch; the last one's end is the
// load's.
inline constexpr std::array<double, 12> clock_spans_ms{0.3, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000};

struct PowerReading {
    double launches_per_second_first = 0;  // some 80 ms
    double launches_per_second = 0;        // second half
    double watts = 0;                      // second half
    double watts_first = 0;                // most of the first 100 ms
    double watts_highest = 0;
    std::array<double, clock_spans_ms.size() - 1> mhz{};
    double mhz_second_half = 0;
};

class PowerMeter {
public:
    // Loads last so long. Throws std::runtime_error without NVML or where it has no power.
    explicit PowerMeter(double seconds);
    ~PowerMeter();
    PowerMeter(const PowerMeter&) = delete;
    PowerMeter& operator=(const PowerMeter&) = delete;

    // `launch` puts one launch on the stream; `after` something between two of them.
    [[nodiscard]] PowerReading run(cudaStream_t stream, const std::function<void()>& launch,
                                   const std::function<void()>& after = {}) const;
    [[nodiscard]] double limit_watts() const;

private:
    [[nodiscard]] double watts() const;

    double seconds_;
    cudaStream_t beside_ = nullptr;
    unsigned long long* samples_ = nullptr;
    int* started_ = nullptr;
    void* board_ = nullptr;
};

// ",watts_second_half,watts_highest_first_100ms,watts_highest,mhz_1ms,...": names of power_cells, without the
// rates.
[[nodiscard]] std::string power_columns();
[[nodiscard]] std::string power_cells(const PowerReading& reading);

}  // namespace gpumodel::measure
