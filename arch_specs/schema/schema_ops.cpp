// Schema rows of the pipes and the opcode classes: sm.pipes.<pipe>.lanes and
// sm.ops.<class>.{pipe,throughput,latency}.
#include <utility>

#include "arch_specs/derive.h"
#include "arch_specs/schema/schema_rows.h"

namespace gpumodel::schema_rows {

namespace {

// A field of one class's OpTiming; writing it brings the class into being.
template <typename Access>
Field op_row(std::size_t op, const char* name, D dimension, double min, double max, std::string meaning,
             Access access) {
    using Member = std::remove_cvref_t<decltype(access(std::declval<OpTiming&>()))>;
    Field field{"sm.ops." + std::string(op_class_names[op]) + "." + name,
                kind_of<Member>(),
                dimension,
                is_whole<Member>(),
                Need::optional,
                min,
                max,
                std::move(meaning),
                words_of<Member>(),
                {},
                {}};
    field.set = [op, access](ArchSpec& spec, const FieldValue& value) {
        if (std::holds_alternative<std::monostate>(value)) {
            spec.sm.ops[op].reset();
            return;
        }
        if (!spec.sm.ops[op]) {
            spec.sm.ops[op].emplace();
        }
        access(*spec.sm.ops[op]) = from_value<Member>(value);
    };
    field.get = [op, access](const ArchSpec& spec) {
        return spec.sm.ops[op] ? to_value(access(*spec.sm.ops[op])) : FieldValue{};
    };
    return field;
}

}  // namespace

void add_op_rows(std::vector<Field>& rows) {
    for (std::size_t pipe = 0; pipe < pipe_count; ++pipe) {
        rows.push_back(row(
            "sm.pipes." + std::string(pipe_names[pipe]) + ".lanes", D::count, Need::optional, 1, 1024,
            "lanes of the pipe, whole SM", [pipe](auto& s) -> auto& { return s.sm.pipe_lanes[pipe]; }));
    }
    for (std::size_t op = 0; op < op_class_count; ++op) {
        rows.push_back(op_row(
            op, "pipe", D::count, 0, 0, "pipe that executes the class",
            [](auto& timing) -> auto& { return timing.pipe; }));
        rows.push_back(op_row(
            op, "throughput", D::lanes_per_cycle, 0.01, 4096, "results per cycle and SM",
            [](auto& timing) -> auto& { return timing.lanes_per_cycle; }));
        if (!has_derived_latency(static_cast<OpClass>(op))) {
            rows.push_back(op_row(
                op, "latency", D::cycles, 1, 10000, "until a dependent instruction can issue",
                [](auto& timing) -> auto& { return timing.latency_cycles; }));
        }
    }
}

}  // namespace gpumodel::schema_rows
