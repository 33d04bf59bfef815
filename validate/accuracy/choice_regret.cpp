#include "validate/accuracy/choice_regret.h"

#include <algorithm>

#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

const std::vector<std::string> regret_columns{"generation", "source",    "ranked_by",         "sweeps",
                                              "mean_pct",   "worst_pct", "mean_of_eight_pct", "from"};
const std::vector<std::string> sources{"generated", "compiled"};
const std::vector<std::string> rankings{"analytic", "simulate", "both"};

bool is_one_of(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

ChoiceRegrets read_choice_regrets(const std::string& path) {
    ChoiceRegrets regrets;
    for_each_row(path, regret_columns,
                 [&](CsvRowReader& read, std::size_t i, const auto& row, const auto& at) {
                     const RegretKey key{row[at[0]].text, row[at[1]].text, row[at[2]].text};
                     if (!is_one_of(sources, key.source)) {
                         read.fault(row[at[1]], "source", "unknown, one of generated, compiled");
                     }
                     if (!is_one_of(rankings, key.ranked_by)) {
                         read.fault(row[at[2]], "ranked_by", "unknown, one of analytic, simulate, both");
                     }
                     const ChoiceRegret regret{read.number<std::size_t>(i, at[3]),
                                               read.number<double>(i, at[4]), read.number<double>(i, at[5]),
                                               read.number<double>(i, at[6]), row[at[7]].text};
                     if (!regrets.emplace(key, regret).second) {
                         read.fault(row.front(), "generation", "given twice for this source and ranking");
                     }
                 });
    return regrets;
}

ChoiceRegrets load_choice_regrets(const std::vector<std::string>& search_path) {
    return load_first(search_path, "choice_regret.csv", read_choice_regrets);
}

}  // namespace gpumodel
