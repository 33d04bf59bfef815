// gpumodel occupancy: its results as text, json and csv.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/csv_table.h"
#include "model/launch/occupancy.h"

namespace gpumodel::cli {

// One launch.
[[nodiscard]] std::string occupancy_text(const ArchSpec& arch, const OccupancyRequest& request);
[[nodiscard]] std::string occupancy_json(const ArchSpec& arch, const OccupancyRequest& request);
[[nodiscard]] std::string occupancy_csv(const ArchSpec& arch, const OccupancyRequest& request);

// A sweep over one resource; `axis` is the option's word: registers, shared or threads.
struct OccupancySweep {
    OccupancyAxis axis = OccupancyAxis::registers;
    std::string name;
    std::vector<OccupancyStep> steps;
};
[[nodiscard]] std::string sweep_text(const ArchSpec& arch, const OccupancyRequest& request,
                                     const OccupancySweep& sweep);
[[nodiscard]] std::string sweep_json(const ArchSpec& arch, const OccupancyRequest& request,
                                     const OccupancySweep& sweep);
[[nodiscard]] std::string sweep_csv(const ArchSpec& arch, const OccupancySweep& sweep);

// A file's launches: its columns are echoed, further ones too, then come blocks_per_sm, limiter, occupancy.
struct OccupancyTable {
    CsvTable given;
    std::vector<OccupancyRequest> requests;  // one per row
    std::vector<Occupancy> results;
};
[[nodiscard]] std::string table_text(const OccupancyTable& table);
[[nodiscard]] std::string table_json(const OccupancyTable& table, const ArchSpec& arch);
[[nodiscard]] std::string table_csv(const OccupancyTable& table);

}  // namespace gpumodel::cli
