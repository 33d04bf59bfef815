// The predicted launches of a page to explore as the json that its script reads.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/explore/explored_launch.h"

namespace gpumodel::cli::page {

// Texts and lists that many launches share, each kept once and named by its place.
class SharedValues {
public:
    std::size_t place(nlohmann::ordered_json value);
    [[nodiscard]] const nlohmann::ordered_json& list() const { return list_; }

private:
    std::map<std::string, std::size_t> known_;
    nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
};

// Takes the launches in the plan's order and keeps columns of figures. Of launches that are refused it keeps
// the rule.
class ExploredData {
public:
    explicit ExploredData(const ExplorePlan& plan);  // which must outlive it
    void add(const ExplorePlace& place, const ExploredLaunch& launch);

    [[nodiscard]] std::int64_t predicted() const { return predicted_; }  // launches; each at all clocks
    // {"gpus", "clocks", "kernels", ...}; what stands where: page/data.js.
    [[nodiscard]] nlohmann::ordered_json json() const;

private:
    struct Columns {
        std::vector<double> refused;                       // of every launch: 0, or 1 + place of the reason
        std::vector<std::vector<double>> followed;         // by following parameter, of every launch
        std::map<std::string, std::vector<double>> once;   // name -> a figure per predicted launch
        std::map<std::string, std::vector<double>> times;  // name -> figures per predicted launch and clock
        std::vector<std::vector<double>> bounds;           // by kind, as `times`; 0: none
    };

    void add_times(const ExploredLaunch& launch, Columns& columns);
    [[nodiscard]] std::size_t occupancy(const ArchSpec& arch, const ExploredLaunch& launch);
    [[nodiscard]] std::size_t cliff(const ArchSpec& arch, const OccupancyRequest& request,
                                    OccupancyAxis axis);
    [[nodiscard]] std::size_t pictures(const ExploredLaunch& launch);
    [[nodiscard]] nlohmann::ordered_json kernel_json(std::size_t index) const;

    const ExplorePlan& plan_;
    std::vector<Columns> kernels_;
    std::map<std::string, std::size_t> known_occupancies_;
    SharedValues reasons_, programs_, peak_units_, register_sources_, bound_kinds_, limiters_, occupancies_,
        cliffs_, pictures_, picture_sets_;
    std::int64_t predicted_ = 0;
};

}  // namespace gpumodel::cli::page
