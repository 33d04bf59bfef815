// validate/instructions/half_values in the emulator: its operations give what the manual says, and the hashes
// of that are those of the file beside it, which a GPU prints.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/traces/emulate/half_operations.h"

namespace half_values_test {

namespace {

// FNV-1a over the bytes, the lowest first.
std::string hash_of(const HalfOperation& operation) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const auto& triple : operation.triples) {
        const auto result = operation.expected(triple);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (result >> shift & 0xffU)) * 0x100000001b3ULL;
        }
    }
    return fmt::format("{:016x}", hash);
}

std::map<std::string, std::string> hashes() {
    const std::filesystem::path root = GPUMODEL_SOURCE_DIR;
    std::ifstream file(root / "validate/instructions/half_values/half_values.txt");
    std::map<std::string, std::string> entries;
    std::string name, hash;
    while (file >> name >> hash) {
        entries[name] = hash;
    }
    return entries;
}

}  // namespace

TEST_CASE("half_values: what a GPU prints of each operation is what is executed") {
    const auto printed = hashes();
    std::size_t count = 0;
    for (const auto& list :
         {half_choices(), float_choices(), half_comparisons(), half_sums(), half_conversions()}) {
        for (const auto& operation : list) {
            INFO(operation.name);
            check_triples("sm_90", operation.lines, operation.triples, operation.expected);
            const auto hash = hash_of(operation);
            const auto found = printed.find(operation.name);
            CHECK((found == printed.end() ? "" : found->second) == hash);
            ++count;
        }
    }
    CHECK(count == printed.size());
    CHECK(count > 160);
}

}  // namespace half_values_test
