#include "traces/trace/native/body_reader.h"

#include <fmt/format.h>

#include <cstdlib>

#include "traces/trace/native/program_fields.h"

namespace gpumodel {

namespace {

using nlohmann::json;

class BodyReader {
public:
    BodyReader(const KernelProgram& launch, TracePools& pools) : launch_(launch), pools_(pools) {}

    BlockVariant read(FieldReader& fields) {
        BlockVariant variant;
        auto& begin = variant.blocks.begin;  // no structured binding: clang 14 captures none
        auto& end = variant.blocks.end;
        const auto& grid = launch_.grid;
        fields.object("begin", begin, [&](auto& f, auto& dim) {
            dim_fields(f, dim, {0, 0, 0}, {grid.x - 1, grid.y - 1, grid.z - 1});
        });
        fields.object("end", end, [&](auto& f, auto& dim) {
            dim_fields(f, dim, {begin.x + 1, begin.y + 1, begin.z + 1}, grid);
        });
        if (end.x <= begin.x || end.y <= begin.y || end.z <= begin.z) {
            fields.fail("end", "is missing");
        }
        fields.object("executed", variant.executed, [&](auto& f, auto& dim) {
            dim_fields(f, dim, {0, 0, 0}, {end.x - begin.x - 1, end.y - begin.y - 1, end.z - begin.z - 1});
        });
        domain_.first = {begin.x, begin.y, begin.z};
        domain_.extent = {end.x - begin.x, end.y - begin.y, end.z - begin.z};
        list(fields, variant.body);
        return variant;
    }

private:
    void list(FieldReader& outer, std::vector<Node>& nodes) {
        outer.list("nodes", nodes, [this](FieldReader& f, Node& node) {
            if (f.has("loop")) {
                f.object("loop", node.emplace<Loop>(),
                         [this](FieldReader& in, Loop& value) { loop(in, value); });
            } else {
                f.object("interval", std::get<Interval>(node), [this](FieldReader& in, Interval& value) {
                    interval_fields(in, value);
                    in.list("segments", value.segments,
                            [this](FieldReader& fields, Segment& item) { segment(fields, item); });
                });
            }
        });
    }

    void loop(FieldReader& fields, Loop& value) {
        if (domain_.dimensions == max_dimensions) {
            fields.fail("", fmt::format("more than {} nested loops", max_loop_depth));
        }
        loop_fields(fields, value);
        const auto level = static_cast<std::size_t>(domain_.dimensions++);
        domain_.extent[level] = std::max<std::int64_t>(1, value.trips);
        list(fields, value.body);
        --domain_.dimensions;
        domain_.extent[level] = 0;
    }

    void segment(FieldReader& fields, Segment& value) {
        segment_fields(fields, value, launch_.block.count());
        if (value.thread_end < value.thread_begin) {
            fields.fail("thread_end", "lies before the first thread");
        }
        if (fields.has("code")) {
            value.code = pooled(fields, "code", pools_.code);
            // A file of equal segments must not grow without bound.
            pools_.instructions += value.code.size();
            if (pools_.instructions > max_trace_instructions) {
                fields.fail("code",
                            fmt::format("more than {} instructions in all segments", max_trace_instructions));
            }
        }
        domain_.thread_begin = value.thread_begin;
        domain_.thread_end = value.thread_end;
        fields.list("sites", value.sites, [this](FieldReader& f, AccessSite& item) { site(f, item); });
        check_sites(fields, value);
    }

    template <class T>
    const T& pooled(FieldReader& fields, const char* key, const std::vector<T>& pool) {
        return pool[static_cast<std::size_t>(
            fields.number(key, 0, static_cast<std::int64_t>(pool.size()) - 1, -1))];
    }

    void site(FieldReader& fields, AccessSite& value) {
        site_fields(fields, value);
        if (value.words % value.vector_words != 0 || value.vector_words == 3 ||
            (value.sub_word_bytes > 0 && value.vector_words > 1)) {
            fields.fail("words", "do not make whole accesses");
        }
        value.address = address_function(domain_, value.words, addresses(fields, value.words));
        PredicateTable table;
        if (fields.has("lanes")) {
            fields.object("lanes", table,
                          [this](FieldReader& f, PredicateTable& lanes) { predicate(f, lanes, 1); });
            value.active = [lanes = predicate_function(domain_, 1, std::move(table))](const Coord& at) {
                return lanes(at, 0);
            };
            table = {};
        }
        if (fields.has("word_lanes")) {
            fields.object("word_lanes", table,
                          [&](FieldReader& f, PredicateTable& lanes) { predicate(f, lanes, value.words); });
            value.word_active = predicate_function(domain_, value.words, std::move(table));
        }
    }

    // The table at `key`, of as many entries as the site needs.
    const ValueTable& values(FieldReader& fields, const char* key, std::size_t entries) {
        const auto& found = pooled(fields, key, pools_.tables);
        if (found.values->size() != entries) {
            fields.fail(key, "does not fit the site's threads and words");
        }
        return found;
    }

    AddressTable addresses(FieldReader& fields, int words) {
        AddressTable result;
        const auto dimensions = static_cast<std::size_t>(domain_.dimensions);
        const auto periods = fields.items("periods");
        const auto strides = fields.items("strides");
        if (periods.size() + 3 != dimensions || strides.size() != dimensions) {
            fields.fail("strides", "not one for each loop and block coordinate");
        }
        for (std::size_t d = 3; d < dimensions; ++d) {
            result.periods[d] = static_cast<int>(fields.element("periods", periods[d - 3], 1, max_period));
        }
        const auto entries =
            result.phases() * static_cast<std::size_t>(domain_.threads()) * static_cast<std::size_t>(words);
        const auto& base = values(fields, "base", entries);
        result.base = base.values;
        auto reach = static_cast<double>(base.largest);
        for (std::size_t d = 0; d < dimensions; ++d) {
            auto& stride = result.strides[d];
            std::int64_t largest = 0;
            if (strides[d].is_object()) {
                FieldReader inner(strides[d], "strides", &fields, static_cast<std::ptrdiff_t>(d));
                const auto& list = values(inner, "table", entries);
                stride.table = list.values;
                largest = list.largest;
            } else {
                stride.uniform = fields.element("strides", strides[d], -max_table_address, max_table_address);
                largest = std::abs(stride.uniform);
            }
            reach += static_cast<double>(largest) * static_cast<double>(domain_.extent[d] - 1);
        }
        if (reach > static_cast<double>(max_table_address)) {
            fields.fail("strides", "addresses beyond 2^56");
        }
        return result;
    }

    void predicate(FieldReader& fields, PredicateTable& table, int words) {
        table.starts.fill({0});
        const auto ranges = fields.items("starts");
        const auto bits = fields.items("bits");
        if (ranges.size() != static_cast<std::size_t>(domain_.dimensions)) {
            fields.fail("starts", "not one list for each loop and block coordinate");
        }
        std::size_t combinations = 1;
        for (std::size_t d = 0; d < ranges.size(); ++d) {
            read_starts(fields, ranges[d], domain_.extent[d], table.starts[d]);
            combinations *= table.starts[d].size();
            if (combinations > bits.size()) {
                break;
            }
        }
        if (combinations != bits.size()) {
            fields.fail("bits", "not one table for each combination of ranges");
        }
        const auto bytes =
            (static_cast<std::size_t>(domain_.threads()) * static_cast<std::size_t>(words) + 7) / 8;
        for (const auto& item : bits) {
            const auto last = static_cast<std::int64_t>(pools_.bits.size()) - 1;
            table.bits.push_back(
                pools_.bits[static_cast<std::size_t>(fields.element("bits", item, 0, last))]);
            if (table.bits.back()->size() != bytes) {
                fields.fail("bits", "a table does not fit the predicate's threads and words");
            }
        }
    }

    // Ascending from 0, within the extent.
    static void read_starts(FieldReader& fields, const json& list, std::int64_t extent,
                            std::vector<std::int64_t>& starts) {
        starts.clear();
        for (const auto& item : list) {
            const auto low = starts.empty() ? 0 : starts.back() + 1;
            starts.push_back(fields.element("starts", item, low, starts.empty() ? 0 : extent - 1));
        }
        if (starts.empty()) {
            fields.fail("starts", "no range");
        }
    }

    static void check_sites(const FieldReader& fields, const Segment& segment) {
        for (const auto& instruction : segment.code) {
            if (instruction.site < 0) {
                continue;
            }
            const auto last = static_cast<std::size_t>(instruction.site) +
                              (instruction.access_kind == AccessKind::async_copy ? 1 : 0);
            if (last >= segment.sites.size()) {
                fields.fail("code", "an instruction names a site that its segment does not have");
            }
            for (auto i = static_cast<std::size_t>(instruction.site); i <= last; ++i) {
                if (instruction.word + segment.sites[i].vector_words > segment.sites[i].words) {
                    fields.fail("code", "an instruction names a word that its site does not have");
                }
            }
        }
    }

    const KernelProgram& launch_;
    TracePools& pools_;
    AccessDomain domain_;
};

}  // namespace

void read_code(const json& document, std::size_t mnemonics, TracePools& pools) {
    FieldReader fields(document, "code");
    auto& code = pools.code.emplace_back();
    fields.list("instructions", code.edit(), instruction_fields);
    fields.expect_all_read();
    for (const auto& instruction : code) {
        if (instruction.mnemonic >= mnemonics) {
            fields.fail("instructions", "a mnemonic that the table does not have");
        }
        const auto beyond = [](const RegisterUse& use) { return use.index + use.width > last_register + 1; };
        if (beyond(instruction.guard) ||
            std::any_of(instruction.results.begin(), instruction.results.end(), beyond) ||
            std::any_of(instruction.sources.begin(), instruction.sources.end(), beyond)) {
            fields.fail("instructions", "a range of registers beyond R255");
        }
    }
}

void read_table(const json& document, TracePools& pools) {
    if (!document.is_array()) {
        throw FieldFault{"table", "is no list"};
    }
    std::vector<std::int64_t> list;
    ValueTable table;
    std::uint64_t last = 0;
    for (const auto& difference : document) {
        if (!difference.is_number_integer()) {
            throw FieldFault{"table", "holds something that is no whole number"};
        }
        last += difference.get<std::uint64_t>();
        const auto value = static_cast<std::int64_t>(last);
        if (value > max_table_address || value < -max_table_address) {
            throw FieldFault{"table", "addresses beyond 2^56"};
        }
        table.largest = std::max(table.largest, std::abs(value));
        list.push_back(value);
    }
    table.values = std::make_shared<const std::vector<std::int64_t>>(std::move(list));
    pools.tables.push_back(std::move(table));
}

void read_bits(const json& document, TracePools& pools) {
    if (!document.is_binary()) {
        throw FieldFault{"bits", "is no byte string"};
    }
    const auto& bytes = document.get_binary();
    pools.bits.push_back(std::make_shared<const std::string>(bytes.begin(), bytes.end()));
}

BlockVariant read_body(const json& document, const KernelProgram& launch, TracePools& pools) {
    FieldReader fields(document, "body");
    auto variant = BodyReader(launch, pools).read(fields);
    fields.expect_all_read();
    return variant;
}

}  // namespace gpumodel
