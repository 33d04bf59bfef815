// Header of an Accel-Sim trace: lines `-key = value` up to the first that begins with '#'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/sass/sass_module.h"
#include "traces/trace/accelsim/accelsim_line.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct AccelSimHeader {
    std::string kernel;
    Dim3 grid, block;
    std::int64_t shared_bytes = 0;
    int registers = 0;
    int binary_version = 0;
    std::int64_t shared_base = 0, local_base = 0;
    int tracer_version = 5;
    AccelSimLayout layout;

    [[nodiscard]] std::string arch() const { return "sm_" + std::to_string(binary_version); }
};

class AccelSimHeaderReader {
public:
    explicit AccelSimHeaderReader(std::string file) : file_(std::move(file)) {}
    // One line that begins with '-'.
    void line(std::string_view text, int number, std::vector<Diagnostic>& faults);
    // After the last: what is missing or does not fit together. `number`: line of the end.
    [[nodiscard]] AccelSimHeader finish(int number, std::vector<Diagnostic>& faults);

private:
    void fault(int column, const std::string& key, const std::string& message);
    void set(const std::string& key, std::string_view value, int column);
    std::int64_t number(std::string_view text, int base, const std::string& key, int column, std::int64_t low,
                        std::int64_t high);
    Dim3 dimensions(std::string_view text, const std::string& key, int column, const Dim3& high);

    std::string file_;
    AccelSimHeader header_;
    std::vector<std::string> seen_;
    std::vector<Diagnostic>* faults_ = nullptr;
    int line_ = 0;
};

// Generations whose opcodes the table knows; empty for others.
[[nodiscard]] std::optional<SassIsa> accelsim_isa(int binary_version);

}  // namespace gpumodel
