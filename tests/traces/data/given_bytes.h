// Contents of device memory for a launch, out of a vector.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "traces/emulate/data/given_data.h"

namespace gpumodel::data_tests {

using Bytes = std::vector<std::uint8_t>;

class GivenBytes : public GivenData {
public:
    explicit GivenBytes(Bytes bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] std::int64_t bytes() const override { return static_cast<std::int64_t>(bytes_.size()); }
    [[nodiscard]] std::uint64_t read(std::int64_t offset, int count) const override {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + offset, static_cast<std::size_t>(count));
        return value;
    }

private:
    Bytes bytes_;
};

}  // namespace gpumodel::data_tests
