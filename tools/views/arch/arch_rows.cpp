#include "tools/views/arch/arch_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch_specs/derive.h"

namespace gpumodel::cli {

namespace {

std::string place_of(const Provenance& provenance) {
    return provenance.line > 0 ? fmt::format("{}:{}", provenance.file, provenance.line) : provenance.file;
}

ArchRow derived_row(const std::string& key, double value, Dimension dimension) {
    // Derived values are quotients and products; digits beyond the sixth say nothing.
    const double rounded = std::stod(fmt::format("{:.6g}", value));
    return {key, print_quantity(rounded, dimension), "derived", false, "", value, base_unit(dimension)};
}

void add_derived_rows(const ArchSpec& spec, std::vector<ArchRow>& rows) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto& timing = spec.sm.ops[i];
        if (!timing) {
            continue;
        }
        const auto prefix = fmt::format("sm.ops.{}.", op_class_names[i]);
        if (has_derived_latency(static_cast<OpClass>(i))) {
            rows.push_back(derived_row(prefix + "latency", timing->latency_cycles, Dimension::cycles));
        }
        rows.push_back(derived_row(prefix + "initiation_interval", timing->initiation_interval_cycles,
                                   Dimension::cycles));
    }
    rows.push_back(derived_row("derived.fp32_peak", spec.peak_fp32_flops, Dimension::flops));
    rows.push_back(
        derived_row("derived.shared_peak", spec.peak_shared_bytes_per_second, Dimension::bytes_per_second));
    if (spec.l2.size_bytes > 0) {
        rows.push_back(
            derived_row("derived.l2_read_peak", spec.peak_l2_bytes_per_second, Dimension::bytes_per_second));
    }
}

}  // namespace

std::vector<ArchRow> file_rows(const SpecDocument& document) {
    std::vector<ArchRow> rows;
    for (const auto& entry : document.entries) {
        const auto& provenance = entry.provenance;
        rows.push_back({entry.field->key, provenance.text, provenance.source, provenance.estimated,
                        place_of(provenance), entry.value, base_unit(entry.field->dimension)});
    }
    return rows;
}

std::vector<ArchRow> resolved_rows(const ArchSpec& spec) {
    std::vector<ArchRow> rows;
    for (const auto& field : schema()) {
        const auto found = spec.provenance.find(field.key);
        const auto value = found == spec.provenance.end() ? FieldValue{} : field.get(spec);
        const bool given = !std::holds_alternative<std::monostate>(value);
        if (!given && field.key.starts_with("sm.ops.")) {
            continue;
        }
        if (!given) {
            rows.push_back({field.key, "-", "not given", false, "", {}, base_unit(field.dimension)});
            continue;
        }
        rows.push_back({field.key, print_value(field, value), found->second.source, found->second.estimated,
                        place_of(found->second), value, base_unit(field.dimension)});
    }
    add_derived_rows(spec, rows);
    return rows;
}

int estimated_values(const ArchSpec& spec) {
    return static_cast<int>(std::count_if(spec.provenance.begin(), spec.provenance.end(),
                                          [](const auto& item) { return item.second.estimated; }));
}

}  // namespace gpumodel::cli
