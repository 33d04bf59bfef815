#include <algorithm>
#include <cstdlib>

#include "traces/trace/native/body_reader.h"
#include "traces/trace/native/instruction_bytes.h"

namespace gpumodel {

namespace {

void read_values(ByteReader& in, TracePools& pools) {
    std::vector<std::int64_t> list;
    ValueTable table;
    std::uint64_t last = 0;
    for (auto left = in.count(in.left(), "values of a table"); left > 0; --left) {
        last += static_cast<std::uint64_t>(in.integer());
        const auto value = static_cast<std::int64_t>(last);
        if (value > max_table_address || value < -max_table_address) {
            in.fail("addresses beyond 2^56");
        }
        table.largest = std::max(table.largest, std::abs(value));
        list.push_back(value);
    }
    table.values = std::make_shared<const std::vector<std::int64_t>>(std::move(list));
    pools.tables.emplace_back(std::move(table));
}

}  // namespace

void read_code(ByteReader& in, std::size_t mnemonics, std::vector<Instruction>& code) {
    while (!in.at_end()) {
        code.push_back(read_instruction(in, mnemonics));
    }
}

void read_tables(ByteReader& in, TracePools& pools) {
    while (!in.at_end()) {
        switch (in.u8()) {
            case 'i':
                read_values(in, pools);
                break;
            case 'b': {
                const auto bits = in.raw(in.count(in.left(), "bytes of a table"));
                pools.tables.emplace_back(std::make_shared<const std::string>(bits));
                break;
            }
            default:
                in.fail("unknown kind of table");
        }
    }
}

}  // namespace gpumodel
