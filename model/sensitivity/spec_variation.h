// A spec with some of its numbers changed, checked like any `--set`: ranges of the schema and the rules that
// tie keys together (arch_specs/consistency/consistency.h). Read once; a variant costs no file access.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "arch_specs/document/spec_resolution.h"
#include "arch_specs/loader.h"
#include "arch_specs/schema/schema.h"

namespace gpumodel {

struct SpecChange {
    const Field* field = nullptr;  // of kind number
    double value = 0;              // base units
};

struct SpecVariant {
    std::optional<ArchSpec> arch;
    std::string reason;  // why there is none: every fault
};

class VariableSpec {
public:
    // `arch` as load_arch made it with `overrides`; reads its file again. Throws as load_arch does.
    VariableSpec(ArchSpec arch, const std::vector<Override>& overrides);

    [[nodiscard]] const ArchSpec& arch() const { return arch_; }
    // Of a number; empty if the spec does not have it.
    [[nodiscard]] std::optional<double> value(const Field& field) const;
    // All changes at once, so that keys may move together that must agree.
    [[nodiscard]] SpecVariant with(const std::vector<SpecChange>& changes) const;

private:
    ArchSpec arch_;
    ResolvedSpec resolved_;  // without the documents
};

enum class Direction : unsigned char { down, up };

// The values to try on one side of `value`, nearest first: value * (1 -+ step) at the range's end at most;
// for whole numbers rounded, at least one away, and then the power of two on that side, which some keys must
// be. Empty if `value` is at the end of the range, or 0, to which no step relates.
[[nodiscard]] std::vector<double> neighbour_values(const Field& field, double value, double step,
                                                   Direction direction);

struct SpecNeighbour {
    double value = 0;
    std::optional<ArchSpec> arch;
    std::string reason;  // without `arch`: what is wrong with the nearest value
};

// The first of neighbour_values() that the spec's rules allow.
[[nodiscard]] SpecNeighbour spec_neighbour(const VariableSpec& spec, const Field& field, double step,
                                           Direction direction);

// Relative uncertainty that a source states as "+- 0.12 cycles" or "+- 5 %" (as calibrated specs do); empty
// if it states none. `value` is the key's.
[[nodiscard]] std::optional<double> stated_uncertainty(const Field& field, double value,
                                                       const std::string& source);

}  // namespace gpumodel
