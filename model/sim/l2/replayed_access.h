// What L2 did for one access's sampled lines.
#pragma once

namespace gpumodel::sim {

// Sectors read, and of those ...
struct ReplayedAccess {
    double read = 0;
    double waited = 0;   // that wait for DRAM
    double fetched = 0;  // that DRAM brought, once for all blocks
    double cost = 0;     // the time of those, in sectors of whole lines
    double far = 0;      // that only the other half has
    double crossed = 0;  // that passed between the halves

    void operator+=(const ReplayedAccess& other) {
        read += other.read;
        waited += other.waited;
        fetched += other.fetched;
        cost += other.cost;
        far += other.far;
        crossed += other.crossed;
    }
    [[nodiscard]] ReplayedAccess times(double factor) const {
        return {read * factor, waited * factor, fetched * factor,
                cost * factor, far * factor,    crossed * factor};
    }
};

}  // namespace gpumodel::sim
