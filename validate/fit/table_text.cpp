#include "validate/fit/table_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpumodel {

namespace {

constexpr std::array regions{CodeRegion::tile, CodeRegion::step_body, CodeRegion::prologue,
                             CodeRegion::epilogue};

// The rows of a table in the order of the files: by region, shape, generation.
template <class Row, class Write>
std::string lines(const ByRegion<Row>& table, const Write& write) {
    std::string text;
    for (const CodeRegion region : regions) {
        for (std::size_t shape = 0; shape < code_shape_count; ++shape) {
            for (std::size_t generation = 0; generation < code_generation_count; ++generation) {
                for (const Row& row : table[static_cast<std::size_t>(region)][shape][generation]) {
                    text += write(code_region_names[static_cast<std::size_t>(region)],
                                  code_shape_names[shape], code_generation_names[generation], row);
                }
            }
        }
    }
    return text;
}

std::string conditions_text(const std::vector<OverheadCondition>& conditions) {
    std::string text;
    for (const OverheadCondition& c : conditions) {
        text += fmt::format("{}{}{}{}", text.empty() ? "" : ";",
                            code_feature_names[static_cast<std::size_t>(c.feature)], c.at_most ? "<=" : ">",
                            c.limit);
    }
    return text;
}

}  // namespace

std::string overhead_csv(const CompilerTables& tables) {
    return "region,shape,body,when,generation,constant,x,y,instances\n" +
           lines(tables.rules, [](auto region, auto shape, auto generation, const OverheadRule& row) {
               return fmt::format("{},{},{},{},{},{:g},{:g},{:g},{}\n", region, shape,
                                  body_kind_names[static_cast<std::size_t>(row.body)],
                                  conditions_text(row.conditions), generation, row.weights[0], row.weights[1],
                                  row.weights[2], row.instances);
           });
}

std::string overhead_shares_csv(const CompilerTables& tables) {
    std::string head = "region,shape,generation,instances";
    for (const OpClass op : overhead_classes) {
        head += fmt::format(",{}", to_string(op));
    }
    return head + "\n" +
           lines(tables.shares, [](auto region, auto shape, auto generation, const OverheadShares& row) {
               return fmt::format("{},{},{},{},{:g}\n", region, shape, generation, row.instances,
                                  fmt::join(row.per_thousand, ","));
           });
}

std::string registers_csv(const CompilerTables& tables) {
    std::string text =
        fmt::format("shape,cc,squeeze,fill,local_registers,{}\n", fmt::join(register_feature_names, ","));
    for (std::size_t shape = 0; shape < code_shape_count; ++shape) {
        for (const RegisterWeights& row : tables.registers[shape]) {
            text += fmt::format("{},{},{},{},{},{:.1f}\n", code_shape_names[shape], row.cc, row.squeeze,
                                row.fill, row.local_registers, fmt::join(row.weights, ","));
        }
    }
    return text;
}

}  // namespace gpumodel
