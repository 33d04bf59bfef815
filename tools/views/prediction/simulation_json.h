// Pieces of json that every view of a simulated launch shows alike. Units are in the keys.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/prediction.h"

namespace gpumodel {

// null for 0: a launch of someone's own kernel has no M, N, K.
[[nodiscard]] nlohmann::ordered_json dimension_json(std::int64_t value);

// Warp cycles by reason, of those that occur.
[[nodiscard]] nlohmann::ordered_json stall_cycles_json(const std::array<double, stall_reason_count>& cycles);

// ranked_stalls() with shares and cycles per issue.
[[nodiscard]] nlohmann::ordered_json ranked_stalls_json(const SimulationReport& run);

// Where the instruction stands, its issues and warp cycles; without the reasons.
[[nodiscard]] nlohmann::ordered_json instruction_json(const InstructionReport& line);

[[nodiscard]] nlohmann::ordered_json extrapolation_json(const SimulationReport& run);

}  // namespace gpumodel
