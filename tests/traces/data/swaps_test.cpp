// Compare-and-swap as compilers use it (listings/swaps.cu) against what it has to leave, whichever lane comes
// first: of those that expect what stands there one gets its number in and the others find that.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <set>

#include "tests/support/temporary_folder.h"
#include "tests/traces/data/data_kernel.h"

namespace swaps_test {

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

using u64 = std::uint64_t;

const std::vector<std::string> archs{"swaps_sm_50", "swaps_sm_61", "swaps_sm_70",
                                     "swaps_sm_80", "swaps_sm_90", "swaps_13_sm_90"};
constexpr std::size_t threads = 64, blocks = 2, all = threads * blocks;

// Allocations after a launch; those of `given` come first, then one of `zeros` numbers each, then `words`.
template <class T>
std::vector<std::vector<T>> run(const std::string& arch, const std::string& kernel,
                                const std::vector<std::vector<T>>& given,
                                const std::vector<std::size_t>& zeros, std::size_t words) {
    const TemporaryFolder folder;
    std::string arguments;
    for (const auto& list : given) {
        const auto path = folder.file(std::to_string(arguments.size()));
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(list.data()),
                   static_cast<std::streamsize>(list.size() * sizeof(T)));
        arguments += "@" + path + ",";
    }
    for (const auto count : zeros) {
        arguments += "ptr:" + std::to_string(count * sizeof(T)) + "B=zeros,";
    }
    auto launch = launch_of({blocks, 1, 1}, {threads, 1, 1}, arguments + std::to_string(words));
    launch.keeps_results = true;
    std::vector<std::vector<T>> lists;
    for (const auto& array : execute_grid(data_kernel(arch, kernel), launch)) {
        CHECK(array.unknown_bytes == 0);
        std::memcpy(lists.emplace_back(array.bytes.size() / sizeof(T)).data(), array.bytes.data(),
                    array.bytes.size());
    }
    return lists;
}

u64 start_of(std::size_t word) {
    return word * 0x100000001ULL;
}

// Of every four threads one names another upper word than what stands there, one another lower word.
u64 expected_by(std::size_t thread, u64 start) {
    const auto other = thread / 8 % 4;
    return other == 0 ? start ^ (u64{1} << 40) : other == 1 ? start ^ 1U : start;
}

u64 fresh_of(std::size_t thread) {
    return 0x500000000ULL * (thread + 1) + 7;
}

}  // namespace

TEST_CASE("one of the threads that expect a pair's value swaps it, the others find the new one") {
    constexpr std::size_t words = 8;
    std::vector<u64> expected, fresh;
    for (std::size_t i = 0; i < all; ++i) {
        expected.push_back(expected_by(i, start_of(i % threads % words)));
        fresh.push_back(fresh_of(i));
    }
    for (const auto& arch : archs) {
        const auto lists =
            run<u64>(arch, "shared_swaps_u64", {expected, fresh}, {all, blocks * words}, words);
        for (std::size_t to = 0; to < blocks * words; ++to) {
            INFO(arch << " word " << to);
            const auto left = lists.at(3).at(to), start = start_of(to % words);
            std::size_t first = 0, winners = 0;
            for (std::size_t i = to / words * threads; i < (to / words + 1) * threads; ++i) {
                if (i % threads % words != to % words) {
                    continue;
                }
                const auto found = lists.at(2).at(i);
                CHECK((found == start || found == left));
                first += found == start && expected[i] == start ? 1U : 0U;
                winners += left == fresh[i] && expected[i] == start && found == start ? 1U : 0U;
            }
            CHECK(first == 1);
            CHECK(winners == 1);
        }
    }
}

// Words of their own: what compilers make of shared memory here does not keep other lanes out.
TEST_CASE("swaps of pairs at addresses in shared or in device memory") {
    std::vector<u64> expected, fresh;
    const auto start = [](std::size_t i) { return i % threads % 3 == 0 ? 0 : start_of(i % threads); };
    for (std::size_t i = 0; i < all; ++i) {
        expected.push_back(expected_by(i, start(i)));
        fresh.push_back(fresh_of(i));
    }
    for (const auto& arch : archs) {
        const auto lists = run<u64>(arch, "either_swaps_u64", {expected, fresh}, {all, all, all}, threads);
        for (std::size_t i = 0; i < all; ++i) {
            INFO(arch << " thread " << i);
            CHECK(lists.at(2)[i] == start(i));
            const bool device = i % threads % 3 == 0;
            const auto after = expected[i] == start(i) ? fresh[i] : start(i);
            CHECK(lists.at(3)[i] == (device ? start_of(i % threads) : after));
            CHECK(lists.at(4)[i] == (device ? after : 0));
        }
    }
}

namespace {

// Sums that are exact in any order; of threads whose number is a multiple of three apart if `split`.
template <class T>
void check_sums(const std::string& arch, const std::string& kernel, T unit, bool split) {
    INFO(arch << " " << kernel);
    constexpr std::size_t words = 5;
    std::vector<T> in, sums(blocks * words), own(words);
    for (std::size_t i = 0; i < all; ++i) {
        in.push_back(unit * static_cast<T>(i + 1));
        const auto thread = i % threads;
        (split && thread % 3 == 0 ? own[thread % words] : sums[i / threads * words + thread % words]) +=
            in[i];
    }
    std::vector<std::size_t> zeros{blocks * words};
    if (split) {
        zeros.push_back(words);
    }
    const auto lists = run<T>(arch, kernel, {in}, zeros, words);
    CHECK(lists.at(1) == sums);
    CHECK((!split || lists.at(2) == own));
}

}  // namespace

TEST_CASE("loops of compare-and-test add floats and doubles in shared memory") {
    for (const auto& arch : archs) {
        check_sums<float>(arch, "shared_sums_f32", 0.25F, false);
        if (arch != "swaps_sm_50") {
            check_sums<double>(arch, "shared_sums_f64", 0x1.0000001p0, false);  // the lower word counts too
            check_sums<double>(arch, "either_sums_f64", 0x1.0000001p0, true);
        }
    }
}

}  // namespace swaps_test
