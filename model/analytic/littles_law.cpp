#include "model/analytic/littles_law.h"

#include <cmath>

namespace gpumodel {

int warps_to_hide_load(double latency_cycles, double issue_cycles, double instructions_per_load) {
    return static_cast<int>(std::floor(latency_cycles / (issue_cycles * instructions_per_load))) + 1;
}

int warps_to_hide_dependency(double latency_cycles, double issue_cycles, double ilp) {
    return static_cast<int>(std::ceil(latency_cycles / (issue_cycles * ilp)));
}

double bytes_in_flight(double latency_seconds, double bytes_per_second) {
    return latency_seconds * bytes_per_second;
}

double operations_in_flight(double latency_cycles, double lanes_per_cycle) {
    return latency_cycles * lanes_per_cycle;
}

}  // namespace gpumodel
