#include "validate/accuracy/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/enum_table.h"
#include "base/hash.h"
#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

constexpr std::int64_t large_dimension = 512;
constexpr std::int64_t smallest_dimension = 256;

// K is the family's own or means nothing.
bool depth_is_fixed(const std::string& family) {
    const auto* found = find_family(family);
    return found != nullptr && found->depth != ProblemDepth::any;
}

// "siboehm-a6000-k1-4096" without its last two parts.
std::string ladder_of(const std::string& id) {
    const auto last = id.rfind('-');
    if (last == std::string::npos || last == 0) {
        return "";
    }
    const auto before = id.rfind('-', last - 1);
    return before == std::string::npos ? "" : id.substr(0, before);
}

class MeasurementReader {
public:
    explicit MeasurementReader(const CsvTable& table)
        : table_(table),
          read_(table, faults_),
          registers_(find_column(table, "registers")),
          local_bytes_(find_column(table, "local_bytes")),
          kernel_(find_column(table, "kernel")),
          id_(find_column(table, "id")) {}

    std::vector<Measurement> rows() {
        const bool of_families = find_column(table_, "family").has_value() || !find_column(table_, "args");
        const auto at = require_columns(
            table_,
            of_families
                ? std::vector<std::string>{"family", "params", "M", "N", "K", "time_us_median"}
                : std::vector<std::string>{"kernel", "grid", "block", "shared_bytes", "args", "time_us"},
            true);
        std::vector<Measurement> list;
        for (std::size_t i = 0; i < table_.rows.size(); ++i) {
            if (table_.row_faults[i].empty()) {
                list.push_back(of_families ? family_row(i, at) : entry_row(i, at));
            } else {
                read_.fault(table_.rows[i].front(), "", table_.row_faults[i]);
            }
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return list;
    }

private:
    // Errors are relative to it.
    double time(std::size_t row, std::size_t column) {
        const auto value = read_.number<double>(row, column);
        const auto& field = table_.rows[row][column];
        constexpr double least = 1e-6, most = 1e15;  // beyond, errors are no numbers
        const bool number = parse_number<double>(field.text).value_or(-1) >= 0;  // else it is a fault already
        if (number && (value < least || value > most)) {
            read_.fault(field, table_.header[column],
                        value == 0 ? "a time must be above 0"
                                   : fmt::format("{} us is no time; allowed 1e-6 to 1e15", field.text));
        }
        return value;
    }

    Measurement family_row(std::size_t i, const std::vector<std::size_t>& at) {
        const auto& row = table_.rows[i];
        Measurement m;
        m.family = row[at[0]].text;
        m.params = read_.params(i, at[1]);
        m.m = read_.number<std::int64_t>(i, at[2]);
        m.n = read_.number<std::int64_t>(i, at[3]);
        m.k = read_.number<std::int64_t>(i, at[4]);
        m.time_us = time(i, at[5]);
        if (registers_) {
            m.registers = read_.number<int>(i, *registers_);
        }
        if (local_bytes_) {
            m.local_bytes = read_.number<int>(i, *local_bytes_);
        }
        m.label = kernel_ ? row[*kernel_].text : id_ ? row[*id_].text : "";
        m.ladder = id_ ? ladder_of(row[*id_].text) : "";
        m.split = split_of(m.family, m.params);
        return m;
    }

    Measurement entry_row(std::size_t i, const std::vector<std::size_t>& at) {
        const auto& row = table_.rows[i];
        Measurement m;
        m.family = sass_family;
        m.label = row[at[0]].text;
        m.entry = MeasuredEntry{dimensions(row[at[1]], "grid"), dimensions(row[at[2]], "block"),
                                read_.number<std::int64_t>(i, at[3]), row[at[4]].text};
        m.time_us = time(i, at[5]);
        m.ladder = id_ ? ladder_of(row[*id_].text) : "";
        m.split = split_of(m.label, {});
        return m;
    }

    Dim3 dimensions(const CsvField& field, const std::string& key) {
        std::array<std::int64_t, 3> values{};
        const char* at = field.text.data();
        const char* end = at + field.text.size();
        for (std::size_t d = 0; d < values.size(); ++d) {
            const auto parsed = std::from_chars(at, end, values[d]);
            at = parsed.ptr;
            const bool last = d + 1 == values.size();
            if (parsed.ec != std::errc() || values[d] < 1 || (last ? at != end : at == end || *at++ != ',')) {
                read_.fault(field, key, fmt::format("'{}' is not X,Y,Z of at least 1 each", field.text));
                return {};
            }
        }
        return {values[0], values[1], values[2]};
    }

    const CsvTable& table_;
    std::vector<Diagnostic> faults_;
    CsvRowReader read_;
    std::optional<std::size_t> registers_, local_bytes_, kernel_, id_;
};

std::string launch_key(const MeasuredEntry& e) {
    return fmt::format(";{}x{}x{};{}x{}x{};{};{}", e.grid.x, e.grid.y, e.grid.z, e.block.x, e.block.y,
                       e.block.z, e.dynamic_shared_bytes, e.arguments);
}

std::string row_key(const Measurement& m) {
    return fmt::format("{};{};{}x{}x{};{}{}", m.family, params_text(m.params), m.m, m.n, m.k, m.label,
                       m.entry ? launch_key(*m.entry) : "");
}

bool is_chosen(const Measurement& m, const MeasurementChoice& choice) {
    const auto unroll = m.params.find("UNROLL");
    const bool pinned = unroll != m.params.end() && unroll->second != 0;
    const auto& sizes = choice.sizes;
    return (!choice.split || m.split == *choice.split) && (choice.pinned || !pinned) &&
           (sizes.empty() || (m.m == m.n && std::find(sizes.begin(), sizes.end(), m.m) != sizes.end())) &&
           (choice.kernel_filter.empty() ||
            fmt::format("{} {} {}", m.family, params_text(m.params), m.label).find(choice.kernel_filter) !=
                std::string::npos) &&
           (!choice.include || choice.include(m));
}

// The rows whose hashes are smallest: the same ones whatever else is in the file.
void keep_sample(std::vector<Measurement>& list, std::size_t count) {
    if (count == 0 || count >= list.size()) {
        return;
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> order;
    for (std::size_t i = 0; i < list.size(); ++i) {
        order.emplace_back(fnv1a<std::uint32_t>(row_key(list[i])), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<bool> kept(list.size());
    for (std::size_t i = 0; i < count; ++i) {
        kept[order[i].second] = true;
    }
    std::vector<Measurement> sample;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (kept[i]) {
            sample.push_back(std::move(list[i]));
        }
    }
    list = std::move(sample);
}

}  // namespace

std::string_view to_string(SizeClass size) {
    constexpr auto names = enum_words<SizeClass>("any", "256-511", ">=512");
    return names[static_cast<std::size_t>(size)];
}

std::string params_text(const ParamValues& params) {
    std::string text;
    for (const auto& [key, value] : params) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ";", key, value);
    }
    return text;
}

Split split_of(const std::string& family, const ParamValues& params) {
    std::string text = family;
    for (const auto& [key, value] : params) {
        if (key != "UNROLL") {
            text += fmt::format(";{}={}", key, value);
        }
    }
    return ((fnv1a<std::uint32_t>(text) >> 8U) & 1U) != 0 ? Split::test : Split::calibration;
}

std::optional<SizeClass> size_class(const std::string& family, const ProblemShape& shape) {
    if (family == sass_family) {
        return SizeClass::any;
    }
    const auto side = std::min(shape.m, shape.n);
    const auto smallest = depth_is_fixed(family) ? side : std::min(side, shape.k);
    if (smallest < smallest_dimension) {
        return std::nullopt;
    }
    return smallest < large_dimension ? SizeClass::small : SizeClass::large;
}

std::vector<Measurement> read_measurements(const std::string& path) {
    return MeasurementReader(read_csv(path)).rows();
}

std::vector<Measurement> choose(const std::vector<Measurement>& measurements,
                                const MeasurementChoice& choice) {
    std::vector<Measurement> list;
    std::vector<int> times;
    std::map<std::string, std::size_t> index;
    for (const auto& m : measurements) {
        if (!is_chosen(m, choice)) {
            continue;
        }
        const auto [at, is_new] = index.emplace(row_key(m), list.size());
        if (is_new) {
            list.push_back(m);
            times.push_back(1);
            continue;
        }
        auto& mean = list[at->second].time_us;
        mean += (m.time_us - mean) / ++times[at->second];
    }
    keep_sample(list, choice.sample);
    return list;
}

}  // namespace gpumodel
