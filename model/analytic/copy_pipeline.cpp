#include "model/analytic/copy_pipeline.h"

namespace gpumodel {

double pipeline_cycles(const std::vector<SectionPart>& parts, const Copies& copies) {
    double waits = 0, waiting = 0, held = 0;
    for (const auto& part : parts) {
        if (part.waits) {
            waits += part.times;
            waiting += part.times * part.cycles;
            held = std::max(held, part.held);
        }
    }
    if (waits <= 0 || copies.times <= 0) {
        return 0;
    }
    const double period = copies.period(held);
    const double ring = (copies.ahead + 1) * period;
    double rest = 0, meanwhile = 0;
    for (const auto& part : parts) {
        if (!part.waits) {
            rest += part.times * part.cycles;
            // behind its last time there is nothing left to copy
            meanwhile += std::max(0.0, part.times - 1) * std::min(part.cycles, ring);
        }
    }
    const double copied = period * std::min(waits, copies.times);
    const double first = copies.latency + copies.mean_transfer();
    return first + std::max(waiting, copied - meanwhile) + rest;
}

}  // namespace gpumodel
