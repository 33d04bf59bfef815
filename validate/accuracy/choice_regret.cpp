#include "validate/accuracy/choice_regret.h"

#include <algorithm>
#include <filesystem>

#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

const std::vector<std::string> columns{"generation", "source",    "ranked_by",         "sweeps",
                                       "mean_pct",   "worst_pct", "mean_of_eight_pct", "from"};
const std::vector<std::string> sources{"generated", "compiled"};
const std::vector<std::string> rankings{"analytic", "simulate", "both"};

bool is_one_of(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

ChoiceRegrets read_choice_regrets(const std::string& path) {
    const auto table = read_csv(path);
    const auto at = require_columns(table, columns, false);
    std::vector<Diagnostic> faults;
    CsvRowReader read(table, faults);
    ChoiceRegrets regrets;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        if (!table.row_faults[i].empty()) {
            read.fault(row.front(), "row", table.row_faults[i]);
            continue;
        }
        const RegretKey key{row[at[0]].text, row[at[1]].text, row[at[2]].text};
        if (!is_one_of(sources, key.source)) {
            read.fault(row[at[1]], "source", "unknown, one of generated, compiled");
        }
        if (!is_one_of(rankings, key.ranked_by)) {
            read.fault(row[at[2]], "ranked_by", "unknown, one of analytic, simulate, both");
        }
        const ChoiceRegret regret{read.number<std::size_t>(i, at[3]), read.number<double>(i, at[4]),
                                  read.number<double>(i, at[5]), read.number<double>(i, at[6]),
                                  row[at[7]].text};
        if (!regrets.emplace(key, regret).second) {
            read.fault(row.front(), "generation", "given twice for this source and ranking");
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return regrets;
}

ChoiceRegrets load_choice_regrets(const std::vector<std::string>& search_path) {
    for (const auto& folder : search_path) {
        const auto path = std::filesystem::path(folder) / "choice_regret.csv";
        if (std::filesystem::exists(path)) {
            return read_choice_regrets(path.string());
        }
    }
    return {};
}

}  // namespace gpumodel
