// The schema: one row per key of the spec language. Loading, checking, showing, comparing, `--set` and
// the nearest-name hints all read this table and know no key by themselves.
//
// Keys equal the field paths of arch_spec.h less the unit suffix, except:
//   compute_capability -> cc, *.bandwidth and *.throughput for rates (l2.read_bandwidth ->
//   l2.read_bytes_per_cycle, sm.barrier.throughput -> sm.barrier.threads_per_cycle,
//   sm.ops.<class>.throughput -> OpTiming::lanes_per_cycle), declared.fp32, declared.dram_bandwidth,
//   declared.shared_bandwidth.
// The latencies of the memory, barrier and branch classes have no key: the loader derives them from the
// caches', the barrier's and the branch's own latency (derive.h).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/units.h"

namespace gpumodel {

// A value in base units: nothing (absent), flag, number, word, or list of numbers.
using FieldValue = std::variant<std::monostate, bool, double, std::string, std::vector<double>>;

enum class FieldKind : unsigned char { flag, number, word, list, compute_capability };

// When a resolved spec must have the key.
enum class Need : unsigned char {
    always,          // generations and products
    product,         // products only: what differs between boards of one generation
    optional,        // may be absent: not built in, or nobody has measured it
    with_l1,         // always, unless l1.unified is 0 B
    with_read_only,  // always, unless read_only.size is 0 B
    with_l2,         // product, unless l2.size is 0 B
    with_banks,      // always, unless sm.register_file.bank_map is unknown
    with_merging,    // always, if l2.read_merging.sms is given
};

struct Field {
    std::string key;
    FieldKind kind = FieldKind::number;
    Dimension dimension = Dimension::count;
    bool whole = false;  // numbers must be integers in base units
    Need need = Need::always;
    double min = 0;  // allowed range in base units, both ends included
    double max = 0;
    std::string meaning;
    std::span<const std::string_view> words;  // allowed words; empty = any text
    std::function<void(ArchSpec&, const FieldValue&)> set;
    std::function<FieldValue(const ArchSpec&)> get;
    bool repeats = false;  // a list's numbers come in any order, some more than once; else they ascend
};

// Keys that describe the file itself (spec_document.h): no rows, valid at the top level of a file only.
inline constexpr std::array<std::string_view, 5> file_keys{"schema_version", "name", "inherits",
                                                           "default_product", "aliases"};

// All rows, in the order in which `arch show` prints them.
[[nodiscard]] const std::vector<Field>& schema();

// Row of a key; nullptr if there is none.
[[nodiscard]] const Field* find_field(std::string_view key);

// Key path of a section ("" = top level) -> names directly below it, in schema order.
[[nodiscard]] const std::map<std::string, std::vector<std::string>, std::less<>>& schema_sections();

// What is wrong with a key that find_field does not know: "unknown key" and the nearest valid one, or
// what is valid in its section.
[[nodiscard]] std::string unknown_key_fault(std::string_view key);

struct ParsedValue {
    FieldValue value;
    std::string fault;  // set when the text does not fit the field
};

// One scalar of YAML or `--set` (lists there: "[16 KiB, 48 KiB]" or "16 KiB,48 KiB").
[[nodiscard]] ParsedValue parse_scalar(const Field& field, std::string_view text);
[[nodiscard]] ParsedValue parse_list(const Field& field, const std::vector<std::string>& texts);

// As the value would be written in a spec; "" if absent.
[[nodiscard]] std::string print_value(const Field& field, const FieldValue& value);

// "1 cycles to 10000 cycles", "cc1_x, cc2_x", "true, false"
[[nodiscard]] std::string allowed_values(const Field& field);

}  // namespace gpumodel
