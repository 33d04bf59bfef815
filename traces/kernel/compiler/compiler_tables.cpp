#include "traces/kernel/compiler/compiler_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <tuple>

#include "base/csv_table.h"
#include "base/parse.h"
#include "traces/kernel/compiler/embedded_tables.h"

namespace gpumodel {

namespace {

// Typed fields of a table; faults are collected and thrown at the end.
class Rows {
public:
    Rows(std::istream& csv, const std::string& name, const std::vector<std::string>& columns)
        : table_(parse_csv(csv, name)), at_(require_columns(table_, columns, false)) {
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            if (!table_.row_faults[row].empty()) {
                fault(table_.rows[row].front(), "", table_.row_faults[row]);
            }
        }
        finish();
    }
    [[nodiscard]] std::size_t size() const { return table_.rows.size(); }
    [[nodiscard]] const CsvField& field(std::size_t row, std::size_t column) const {
        return table_.rows[row][at_[column]];
    }

    // Place of the field's text among `names`; 0 with a fault.
    std::size_t index(const CsvField& field, const std::string& text,
                      std::span<const std::string_view> names) {
        const auto found = std::find(names.begin(), names.end(), text);
        if (found != names.end()) {
            return static_cast<std::size_t>(found - names.begin());
        }
        const std::vector<std::string> known(names.begin(), names.end());
        fault(field, text, fmt::format("is unknown{}", nearest_hint(text, known)));
        return 0;
    }
    std::size_t index(std::size_t row, std::size_t column, std::span<const std::string_view> names) {
        return index(field(row, column), field(row, column).text, names);
    }
    template <class Number>
    Number number(const CsvField& field, std::string_view text) {
        const auto value = parse_number<Number>(text);
        if (!value) {
            fault(field, std::string(text), "is not a number");
        }
        return value.value_or(Number{});
    }
    template <class Number>
    Number number(std::size_t row, std::size_t column) {
        return number<Number>(field(row, column), field(row, column).text);
    }
    template <std::size_t n>
    std::array<double, n> numbers(std::size_t row, std::size_t first) {
        std::array<double, n> values{};
        for (std::size_t i = 0; i < n; ++i) {
            values[i] = number<double>(row, first + i);
        }
        return values;
    }
    void fault(const CsvField& field, const std::string& key, const std::string& message) {
        faults_.push_back({table_.file, field.line, field.column, key, message});
    }
    void finish() {
        if (!faults_.empty()) {
            std::stable_sort(faults_.begin(), faults_.end(), [](const Diagnostic& a, const Diagnostic& b) {
                return std::tie(a.line, a.column) < std::tie(b.line, b.column);
            });
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
    }

private:
    CsvTable table_;
    std::vector<std::size_t> at_;
    std::vector<Diagnostic> faults_;
};

std::vector<std::string> with_classes(std::vector<std::string> columns) {
    for (const OpClass op : overhead_classes) {
        columns.emplace_back(to_string(op));
    }
    return columns;
}

// Parts of "a;b;c".
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ';');) {
        parts.push_back(part);
    }
    return parts;
}

// "loads<=12;accumulators>64"
std::vector<OverheadCondition> conditions_of(Rows& rows, const CsvField& field) {
    std::vector<OverheadCondition> conditions;
    for (const std::string& part : parts_of(field.text)) {
        const auto relation = part.find_first_of("<>");
        const bool at_most = relation != std::string::npos && part.compare(relation, 2, "<=") == 0;
        const auto value = relation == std::string::npos ? part.size() : relation + (at_most ? 2 : 1);
        conditions.push_back(
            {static_cast<CodeFeature>(rows.index(field, part.substr(0, relation), code_feature_names)),
             at_most, rows.number<int>(field, std::string_view(part).substr(value))});
    }
    return conditions;
}

CodeTraits traits_of(Rows& rows, const CsvField& field) {
    CodeTraits traits;
    for (const std::string& part : parts_of(field.text)) {
        traits.set(static_cast<CodeTrait>(rows.index(field, part, code_trait_names)), true);
    }
    return traits;
}

// Region, shape and generation stand in these columns; a generation "any" means all.
template <class Row>
void add_row(ByRegion<Row>& table, Rows& rows, std::size_t row, std::size_t generation_column,
             const Row& value) {
    auto& by_generation =
        table.at(rows.index(row, 0, code_region_names)).at(rows.index(row, 1, code_shape_names));
    const CsvField& generation = rows.field(row, generation_column);
    if (generation.text == "any") {
        for (auto& list : by_generation) {
            list.push_back(value);
        }
        return;
    }
    by_generation.at(rows.index(row, generation_column, code_generation_names)).push_back(value);
}

}  // namespace

void add_overhead_rules(CompilerTables& tables, std::istream& csv, const std::string& name) {
    Rows rows(csv, name,
              {"region", "shape", "body", "when", "generation", "constant", "x", "y", "instances"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        add_row(tables.rules, rows, row, 4,
                OverheadRule{.body = static_cast<BodyKind>(rows.index(row, 2, body_kind_names)),
                             .conditions = conditions_of(rows, rows.field(row, 3)),
                             .weights = rows.numbers<3>(row, 5),
                             .instances = rows.number<int>(row, 8)});
    }
    rows.finish();
}

void add_overhead_shares(CompilerTables& tables, std::istream& csv, const std::string& name) {
    Rows rows(csv, name, with_classes({"region", "shape", "generation", "instances"}));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        add_row(tables.shares, rows, row, 2,
                OverheadShares{.per_thousand = rows.numbers<overhead_classes.size()>(row, 4),
                               .instances = rows.number<int>(row, 3)});
    }
    rows.finish();
}

void add_overhead_counts(CompilerTables& tables, std::istream& csv, const std::string& name) {
    constexpr std::array<std::string_view, 2> per{"block", "accumulator"};
    Rows rows(csv, name, with_classes({"region", "shape", "when", "per", "generation"}));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        add_row(tables.counts, rows, row, 4,
                OverheadCount{.when = traits_of(rows, rows.field(row, 2)),
                              .per_accumulator = rows.index(row, 3, per) == 1,
                              .counts = rows.numbers<overhead_classes.size()>(row, 5)});
    }
    rows.finish();
}

void add_register_weights(CompilerTables& tables, std::istream& csv, const std::string& name) {
    std::vector<std::string> columns{"shape", "cc", "squeeze", "fill", "local_registers"};
    columns.insert(columns.end(), register_feature_names.begin(), register_feature_names.end());
    Rows rows(csv, name, columns);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        tables.registers.at(rows.index(row, 0, code_shape_names))
            .push_back({.cc = rows.number<int>(row, 1),
                        .squeeze = rows.number<int>(row, 2),
                        .fill = rows.number<int>(row, 3),
                        .local_registers = rows.number<int>(row, 4),
                        .weights = rows.numbers<register_feature_count>(row, 5)});
    }
    rows.finish();
}

const CompilerTables& compiler_tables() {
    static const CompilerTables tables = [] {
        CompilerTables built_in;
        const auto read = [&built_in](auto add, const EmbeddedTable& table) {
            std::istringstream csv{std::string(table.text)};
            add(built_in, csv, std::string(table.name));
        };
        read(add_overhead_rules, embedded_overhead);
        read(add_overhead_shares, embedded_overhead_shares);
        read(add_overhead_counts, embedded_overhead_counts);
        read(add_register_weights, embedded_registers);
        return built_in;
    }();
    return tables;
}

}  // namespace gpumodel
