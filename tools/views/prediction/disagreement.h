// How far the two models are apart, and which of them to believe.
#pragma once

#include <string>

#include "model/prediction.h"

namespace gpumodel {

// Beyond this the report says which model to distrust. Where they differ by less, either error alone explains
// it (README: about 9 % on average for the analytic model, 6 % for the simulator).
inline constexpr double notable_disagreement_pct = 20;

// Sets the first's model_disagreement_pct where both have a time.
void note_disagreement(Prediction& simulated, const Prediction& analytic);

// One sentence; "" below the threshold or where one model has no time.
// - Simulated time below a throughput bound, which no execution can beat: the simulator is wrong.
// - Else the analytic model is: it has one mean wait per block, where the simulator follows each warp.
[[nodiscard]] std::string disagreement_words(const Prediction& simulated);

}  // namespace gpumodel
