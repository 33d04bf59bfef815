#include "validate/published/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

const std::vector<std::string> index_columns{"ladder", "arch",  "file", "listing",
                                             "set",    "clock", "code", "note"};
constexpr std::size_t least_for_factor = 3;

// The enumerator of this name; a fault and `value` as it is if there is none.
template <class Enum>
void read_word(CsvRowReader& read, const CsvField& field, const std::string& column,
               std::initializer_list<Enum> words, Enum& value) {
    std::vector<std::string_view> names;
    for (const auto word : words) {
        if (to_string(word) == field.text) {
            value = word;
            return;
        }
        names.push_back(to_string(word));
    }
    read.fault(field, column, fmt::format("'{}' is none of {}", field.text, fmt::join(names, ", ")));
}

std::vector<Override> read_overrides(CsvRowReader& read, const CsvField& field) {
    std::vector<Override> list;
    for (std::size_t at = 0; at < field.text.size();) {
        const auto end = std::min(field.text.find(';', at), field.text.size());
        const auto pair = field.text.substr(at, end - at);
        const auto equals = pair.find('=');
        if (equals == std::string::npos) {
            read.fault(field, "set", fmt::format("'{}' is not KEY=VALUE", pair));
        } else {
            list.push_back({pair.substr(0, equals), pair.substr(equals + 1)});
        }
        at = end + 1;
    }
    return list;
}

struct ScoredLaunch {
    const PublishedLadder* ladder = nullptr;
    ModelKind model = ModelKind::analytic;  // as asked for
    double error = 0;
    std::optional<double> ratio_error;  // with the ladder's factor taken out
};

std::optional<double> clock_factor(const std::vector<double>& errors) {
    if (errors.size() < least_for_factor) {
        return std::nullopt;
    }
    std::vector<double> logs;
    for (const double e : errors) {
        logs.push_back(std::log1p(e));
    }
    std::sort(logs.begin(), logs.end());
    const auto half = logs.size() / 2;
    return std::exp(logs.size() % 2 == 1 ? logs[half] : (logs[half - 1] + logs[half]) / 2);
}

PublishedScore score_of(const std::string& name, ModelKind model, const std::vector<ScoredLaunch>& launches) {
    PublishedScore score;
    score.name = name;
    score.model = model;
    std::vector<double> errors, ratios;
    for (const auto& l : launches) {
        errors.push_back(l.error);
        if (l.ratio_error) {
            ratios.push_back(*l.ratio_error);
        }
    }
    score.errors = error_statistics(name, errors);
    if (!ratios.empty()) {
        score.ratios = error_statistics(name, ratios);
    }
    return score;
}

class Scorer {
public:
    Scorer(const std::vector<PublishedLadder>& ladders, const PublishedOptions& options)
        : ladders_(ladders), options_(options) {}

    PublishedReport run() {
        for (const auto& ladder : ladders_) {
            compare_ladder(ladder);
        }
        for (const auto model : options_.models) {
            add_ladders(model);
            add_products(model);
            add_sums(model);
        }
        return std::move(report_);
    }

private:
    const std::vector<Measurement>& rows_of(const std::string& file) {
        const auto found = files_.find(file);
        return found != files_.end() ? found->second
                                     : files_.emplace(file, read_measurements(file)).first->second;
    }

    // What a model is called for this ladder's rows.
    static ModelKind kind_for(ModelKind model, const PublishedLadder& ladder) {
        return model == ModelKind::simulate && !ladder.listing.empty() ? ModelKind::simulate_sass : model;
    }

    void compare_ladder(const PublishedLadder& ladder) {
        auto choice = options_.choice;
        choice.include = [&ladder](const Measurement& m) { return m.ladder == ladder.ladder; };
        const auto& all = rows_of(ladder.file);
        if (std::none_of(all.begin(), all.end(), choice.include)) {
            throw InputError(
                InputErrorKind::invalid_input,
                {{ladder.file, 0, 0, "id", fmt::format("no row's begins with '{}'", ladder.ladder)}});
        }
        const auto chosen = choose(all, choice);
        const auto arch = load_arch(ladder.arch, ladder.set);
        std::optional<ListedKernels> listing;
        if (!ladder.listing.empty()) {
            listing.emplace(ladder.listing);
        }
        for (const auto model : options_.models) {
            CompareOptions how;
            how.models = {kind_for(model, ladder)};
            how.listing = listing ? &*listing : nullptr;
            how.for_each = options_.for_each;
            if (options_.take) {
                how.take = [&](const ComparedLaunch& l) { options_.take(ladder, l); };
            }
            const auto comparison = compare(chosen, arch, how);
            keep(ladder, model, comparison);
        }
    }

    void keep(const PublishedLadder& ladder, ModelKind model, const Comparison& comparison) {
        std::vector<double> errors;
        for (const auto& l : comparison.launches) {
            errors.push_back(l.error);
        }
        const auto factor = clock_factor(errors);
        for (const double e : errors) {
            launches_.push_back(
                {&ladder, model, e, factor ? std::optional((1 + e) / *factor - 1) : std::nullopt});
        }
        if (model == options_.models.front()) {
            report_.launches += errors.size();
            if (!errors.empty() && products_.insert(ladder.arch).second) {
                ++report_.products;
            }
        }
        for (const auto& reason : comparison.skipped) {
            const auto text = ladder.ladder + ": " + reason;
            if (std::find(report_.skipped.begin(), report_.skipped.end(), text) == report_.skipped.end()) {
                report_.skipped.push_back(text);
            }
        }
        auto& factors = factors_[static_cast<std::size_t>(model)];
        factors[&ladder] = factor;
    }

    [[nodiscard]] std::vector<ScoredLaunch> where(
        ModelKind model, const std::function<bool(const PublishedLadder&)>& include) const {
        std::vector<ScoredLaunch> part;
        for (const auto& l : launches_) {
            if (l.model == model && include(*l.ladder)) {
                part.push_back(l);
            }
        }
        return part;
    }

    void add_ladders(ModelKind model) {
        for (const auto& ladder : ladders_) {
            const auto part = where(model, [&](const PublishedLadder& l) { return &l == &ladder; });
            if (!part.empty()) {
                auto score = score_of("", model, part);
                score.ladder = ladder;
                score.clock_factor = factors_.at(static_cast<std::size_t>(model)).at(&ladder);
                report_.ladders.push_back(std::move(score));
            }
        }
    }

    void add_products(ModelKind model) {
        std::set<std::string> done;
        for (const auto& ladder : ladders_) {
            const auto of_product = [&](const PublishedLadder& l) { return l.arch == ladder.arch; };
            const auto ladders = std::count_if(ladders_.begin(), ladders_.end(), of_product);
            const auto part = where(model, of_product);
            if (ladders > 1 && !part.empty() && done.insert(ladder.arch).second) {
                report_.gpus.push_back(score_of(ladder.arch, model, part));
            }
        }
    }

    void add_sums(ModelKind model) {
        using Include = std::function<bool(const PublishedLadder&)>;
        const auto of_code = [](PublishedCode code) {
            return [code](const PublishedLadder& l) { return l.code == code; };
        };
        const auto known = [](const PublishedLadder& l) { return l.clock != KnownClock::unknown; };
        const auto sound = [](const PublishedLadder& l) { return l.code != PublishedCode::library_default; };
        const std::vector<std::pair<std::string, Include>> sums{
            {"code known, clock known", [&](const auto& l) { return sound(l) && known(l); }},
            {"code known, clock unknown", [&](const auto& l) { return sound(l) && !known(l); }},
            {"vendor's library, tile known", of_code(PublishedCode::library)},
            {"vendor's library, tile assumed", of_code(PublishedCode::library_default)},
            {"all", [](const PublishedLadder&) { return true; }}};
        for (const auto& [name, include] : sums) {
            const auto part = where(model, include);
            if (!part.empty()) {
                report_.sums.push_back(score_of(name, model, part));
            }
        }
    }

    const std::vector<PublishedLadder>& ladders_;
    const PublishedOptions& options_;
    std::map<std::string, std::vector<Measurement>> files_;
    std::vector<ScoredLaunch> launches_;
    std::map<std::size_t, std::map<const PublishedLadder*, std::optional<double>>> factors_;  // by model
    std::set<std::string> products_;
    PublishedReport report_;
};

}  // namespace

std::string_view to_string(KnownClock clock) {
    return clock == KnownClock::stated ? "stated" : clock == KnownClock::fixed ? "fixed" : "unknown";
}

std::string_view to_string(PublishedCode code) {
    return code == PublishedCode::written   ? "written"
           : code == PublishedCode::library ? "library"
                                            : "library_default";
}

std::vector<PublishedLadder> read_published(const std::string& index) {
    const auto folder = std::filesystem::path(index).parent_path();
    std::vector<PublishedLadder> ladders;
    for_each_row(index, index_columns, [&](CsvRowReader& read, std::size_t, const auto& row, const auto& at) {
        const auto field = [&](std::size_t column) -> const CsvField& { return row[at[column]]; };
        const auto in_folder = [&](const std::string& file) {
            return file.empty() ? "" : (folder / file).lexically_normal().string();
        };
        PublishedLadder ladder;
        ladder.ladder = field(0).text;
        ladder.arch = field(1).text;
        ladder.file = in_folder(field(2).text);
        ladder.listing = in_folder(field(3).text);
        for (std::size_t column = 0; column < 3; ++column) {
            if (field(column).text.empty()) {
                read.fault(field(column), index_columns[column], "must not be empty");
            }
        }
        ladder.set = read_overrides(read, field(4));
        read_word(read, field(5), "clock", {KnownClock::stated, KnownClock::fixed, KnownClock::unknown},
                  ladder.clock);
        read_word(read, field(6), "code",
                  {PublishedCode::written, PublishedCode::library, PublishedCode::library_default},
                  ladder.code);
        ladders.push_back(std::move(ladder));
    });
    return ladders;
}

PublishedReport score_published(const std::vector<PublishedLadder>& ladders,
                                const PublishedOptions& options) {
    return Scorer(ladders, options).run();
}

}  // namespace gpumodel
