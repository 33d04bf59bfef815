// Programs to generate code for, and walks over both levels of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "traces/codegen/generate.h"

namespace gpumodel::test {

struct Case {
    std::string family;
    ParamValues params;
    ProblemShape shape;
    int cc = 70;
    bool overflows = false;  // needs more registers than there are
    [[nodiscard]] std::string text() const;
};

// Every family at its defaults and with other tiles and unroll factors, shapes of few tiles, on sm_35, sm_70,
// sm_80, sm_86 and sm_90.
[[nodiscard]] std::vector<Case> all_cases();

[[nodiscard]] KernelProgram tile_level(const Case& c);
[[nodiscard]] KernelProgram generated(const Case& c);

// Every pass through a segment, loops executed trip by trip.
using SegmentVisit = std::function<void(const Segment&, const Coord&)>;
void for_each_pass(const std::vector<Node>& nodes, const SegmentVisit& visit);

// Every segment once.
void for_each_segment(const std::vector<Node>& nodes, const std::function<void(const Segment&)>& visit);

}  // namespace gpumodel::test
