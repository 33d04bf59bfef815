// Compiled arithmetic (listings/arithmetic.cu) of generations that do it in different instructions, against
// the same expressions in C++.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "tests/support/temporary_folder.h"
#include "tests/traces/data/data_kernel.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

const std::vector<std::string> archs{"arithmetic_sm_35", "arithmetic_sm_50", "arithmetic_sm_61",
                                     "arithmetic_sm_70", "arithmetic_sm_80"};
constexpr int threads = 1024;

// Random words of all magnitudes, and those at which signs and carries change.
template <class T>
std::vector<T> operands(unsigned seed) {
    using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
    constexpr int bits = 8 * sizeof(T);
    const std::array<Word, 12> special{0,
                                       1,
                                       2,
                                       0xffff,
                                       0x10000,
                                       0x7fffffff,
                                       0x80000000U,
                                       0xffffffffU,
                                       static_cast<Word>(Word{1} << (bits - 1)),
                                       static_cast<Word>((Word{1} << (bits - 1)) - 1),
                                       static_cast<Word>(~Word{0}),
                                       static_cast<Word>(~Word{0} - 0xffff)};
    std::mt19937_64 generator(seed);
    std::vector<T> list;
    for (int i = 0; i < threads; ++i) {
        const auto random = static_cast<Word>(generator());
        list.push_back(std::bit_cast<T>(generator() % 4 == 0
                                            ? special[generator() % special.size()]
                                            : static_cast<Word>(random >> generator() % bits)));
    }
    return list;
}

template <class T>
std::vector<T> run(const std::string& arch, const std::string& kernel, const std::vector<T>& a,
                   const std::vector<T>& b, const std::vector<T>& c) {
    const TemporaryFolder folder;
    const std::string bytes = std::to_string(a.size() * sizeof(T)) + "B";
    std::string arguments = "ptr:" + bytes;
    int number = 0;
    for (const auto* list : {&a, &b, &c}) {
        const auto path = folder.file(std::to_string(number++) + ".bin");
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(list->data()),
                   static_cast<std::streamsize>(list->size() * sizeof(T)));
        arguments += ",ptr:" + bytes + "=@" + path;
    }
    auto launch = launch_of({1, 1, 1}, {static_cast<i64>(a.size()), 1, 1}, arguments);
    launch.keeps_results = true;
    const auto result = execute_grid(data_kernel(arch, kernel), launch).at(0);
    CHECK(result.unknown_bytes == 0);
    std::vector<T> values(a.size());
    REQUIRE(result.bytes.size() == values.size() * sizeof(T));
    std::memcpy(values.data(), result.bytes.data(), result.bytes.size());
    return values;
}

template <class T>
void check(const std::string& kernel, T (*expected)(T, T, T)) {
    const auto a = operands<T>(1), b = operands<T>(2), c = operands<T>(3);
    for (const auto& arch : archs) {
        INFO(arch << " " << kernel);
        const auto values = run(arch, kernel, a, b, c);
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = values.size(); i-- > 0;) {
            if (values[i] != expected(a[i], b[i], c[i])) {
                ++wrong;
                first = i;
            }
        }
        INFO(wrong << " wrong, first " << first << ": " << values[first] << " of " << a[first] << ", "
                   << b[first] << ", " << c[first]);
        CHECK(wrong == 0);
    }
}

// Sums and products that wrap.
i32 wrap(i64 value) {
    return static_cast<i32>(static_cast<u32>(static_cast<u64>(value)));
}
i64 wrap(u64 value) {
    return static_cast<i64>(value);
}
u64 u(i64 value) {
    return static_cast<u64>(value);
}
u32 u(i32 value) {
    return static_cast<u32>(value);
}

}  // namespace

TEST_CASE("products of words and of pairs, all and upper halves") {
    check<i32>("low_product", [](i32 a, i32 b, i32 c) { return static_cast<i32>(u(a) * u(b) + u(c)); });
    check<i32>("high_product", [](i32 a, i32 b, i32) { return static_cast<i32>(i64{a} * b >> 32); });
    check<u32>("unsigned_high_product", [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b >> 32); });
    check<i64>("product_64", [](i64 a, i64 b, i64 c) { return wrap(u(a) * u(b) + u(c)); });
    check<i64>("high_product_64", [](i64 a, i64 b, i64) { return static_cast<i64>(i128{a} * b >> 64); });
    check<u64>("unsigned_high_product_64",
               [](u64 a, u64 b, u64) { return static_cast<u64>(u128{a} * b >> 64); });
    check<i64>("wide_product", [](i64 a, i64 b, i64 c) { return wrap(u(i64{wrap(a)} * wrap(b)) + u(c)); });
    check<u64>("unsigned_wide_product",
               [](u64 a, u64 b, u64 c) { return u64{static_cast<u32>(a)} * static_cast<u32>(b) + c; });
    check<i32>("product_24", [](i32 a, i32 b, i32) {
        const auto low = [](i32 x) { return i64{static_cast<i32>(u(x) << 8) >> 8}; };
        return wrap(low(a) * low(b));
    });
}

TEST_CASE("quotients and remainders") {
    check<i32>("by_constant", [](i32 a, i32 b, i32 c) { return wrap(i64{a} * 100003 + b / 7 - c % 1000); });
    check<i32>("quotient", [](i32 a, i32 b, i32 c) {
        const i64 quotient = b == 0 ? 0 : i64{a} / b, rest = c == 0 ? 0 : i64{a} % c;
        return wrap(quotient + rest);
    });
    check<i64>("quotient_64", [](i64 a, i64 b, i64 c) {
        const i128 quotient = b == 0 ? 0 : i128{a} / b, rest = c == 0 ? 0 : i128{a} % c;
        return static_cast<i64>(quotient + rest);
    });
}

TEST_CASE("sums, choices and comparisons of words and pairs") {
    check<i32>("sum_of_three", [](i32 a, i32 b, i32 c) { return wrap(i64{a} - b + c); });
    check<i64>("sum_of_three_64", [](i64 a, i64 b, i64 c) { return wrap(u(a) + u(b) - u(c)); });
    check<i32>("choice", [](i32 a, i32 b, i32 c) { return std::max(std::min(a, b), c); });
    check<i64>("choice_64", [](i64 a, i64 b, i64 c) { return std::max(std::min(a, b), c); });
    check<u64>("unsigned_choice_64", [](u64 a, u64 b, u64 c) { return std::max(std::min(a, b), c); });
    check<i64>("comparisons_64", [](i64 a, i64 b, i64 c) {
        return i64{(a < b ? 1 : 0) + (a == c ? 2 : 0) + (u(a) >= u(c) ? 4 : 0) + (b != c ? 8 : 0)};
    });
}

TEST_CASE("shifts and bits") {
    check<i32>("shifts", [](i32 a, i32 b, i32 c) {
        return static_cast<i32>(u(a) << (b & 31)) ^ (a >> (c & 31)) ^ static_cast<i32>(u(b) >> (a & 31));
    });
    check<i64>("shifts_64", [](i64 a, i64 b, i64 c) {
        return wrap(u(a) << (b & 63)) ^ (a >> (c & 63)) ^ wrap(u(b) >> (a & 63));
    });
    // CUDA math API: __funnelshift_l(lo, hi, shift) and its like
    check<u32>("funnels", [](u32 a, u32 b, u32 c) {
        const u64 both = u64{b} << 32 | a;
        const auto upper = [](u64 x) { return static_cast<u32>(x >> 32); };
        return upper(both << (c & 31U)) ^ static_cast<u32>(both >> (c & 31U)) ^
               upper(both << std::min(c & 63U, 32U));
    });
    check<u32>("bits", [](u32 a, u32 b, u32 c) {
        u32 reversed = 0;
        for (int k = 0; k < 32; ++k) {
            reversed |= ((a ^ b) >> k & 1U) << (31 - k);
        }
        const auto first = c == 0 ? 0 : std::countr_zero(c) + 1;
        return static_cast<u32>(std::popcount(a) + 64 * std::countl_zero(b) + 4096 * first) + reversed;
    });
    check<u64>("bits_64", [](u64 a, u64 b, u64 c) {
        const auto first = c == 0 ? 0 : std::countr_zero(c) + 1;
        return static_cast<u64>(std::popcount(a) + 128 * std::countl_zero(b) + 16384 * first);
    });
    check<u32>("logic", [](u32 a, u32 b, u32 c) { return (a & b) | (~c & (a ^ b)); });
    check<u32>("fields", [](u32 a, u32 b, u32 c) {
        return ((a >> 7) & 0x3ffU) | ((b << 10) & 0xffc00U) | (c & 0xfff00000U);
    });
    check<u32>("bytes", [](u32 a, u32 b, u32 c) {
        u32 permuted = 0;
        for (u32 k = 0; k < 4; ++k) {
            const u32 nibble = c >> (4 * k) & 0xfU;
            const auto byte = static_cast<u32>((u64{b} << 32 | a) >> (8 * (nibble & 7U))) & 0xffU;
            permuted |= byte << (8 * k);  // the intrinsic takes three bits of each
        }
        const auto difference = std::abs(i64{static_cast<i32>(a)} - static_cast<i32>(b));
        return permuted + static_cast<u32>(difference) + c + (a < b ? b - a : a - b) + c;
    });
}

TEST_CASE("averages, conversions and narrow types") {
    check<i32>("averages", [](i32 a, i32 b, i32 c) {
        return static_cast<i32>((i64{a} + b) >> 1) ^ static_cast<i32>((i64{b} + c + 1) >> 1);
    });
    check<i32>("absolute", [](i32 a, i32 b, i32 c) {
        const auto absolute = [](i32 x) { return static_cast<i32>(x < 0 ? 0U - u(x) : u(x)); };
        return absolute(a) ^ absolute(wrap(i64{b} - c));
    });
    check<i32>("narrow", [](i32 a, i32 b, i32 c) {
        return wrap(i64{static_cast<signed char>(a)} + 256 * static_cast<unsigned char>(b) +
                    65536 * i64{static_cast<short>(c)});
    });
    // no NaNs, whose bits are the hardware's
    auto a = operands<i32>(1), b = operands<i32>(2), c = operands<i32>(3);
    for (auto* list : {&b, &c}) {
        std::replace_if(
            list->begin(), list->end(), [](i32 x) { return (u(x) & 0x7f800000U) == 0x7f800000U; }, 1);
    }
    for (const auto& arch : archs) {
        INFO(arch);
        const auto values = run(arch, "floats", a, b, c);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto x = std::bit_cast<float>(b[i]), y = std::bit_cast<float>(c[i]);
            const float smaller = x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
            const auto half = static_cast<i32>(std::nearbyint(static_cast<float>(a[i]) * 0.5F));
            INFO(a[i] << " " << x << " " << y);
            CHECK(values[i] == (half ^ std::bit_cast<i32>(smaller)));
        }
    }
}

TEST_CASE("lanes that leave a loop one by one, a switch and a vote") {
    const auto a = operands<i32>(1), b = operands<i32>(2), c = operands<i32>(3);
    for (const auto& arch : archs) {
        INFO(arch);
        const auto values = run(arch, "divergent", a, b, c);
        std::vector<int> sums(values.size());
        std::vector<int> trips(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            int n = 0, sum = 0;
            for (int k = a[i] & 15; k >= 0; --k) {
                if (k == (b[i] & 7)) {
                    sum += 1000;
                    continue;
                }
                if (k == (c[i] & 3)) {
                    break;
                }
                sum += (k + 1) * k;
                ++n;
            }
            sums[i] = (n & 3) == 0 ? sum ^ 0x111 : (n & 3) == 1 ? sum + 7 * n : sum - n;
            trips[i] = n;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto warp = trips.begin() + static_cast<std::ptrdiff_t>(i / 32 * 32);
            const auto many = std::count_if(warp, warp + 32, [](int n) { return n > 3; });
            CHECK(values[i] == sums[i] + 100000 * static_cast<int>(many));
        }
    }
}

TEST_CASE("an atomic at an address in shared or in device memory is done once") {
    std::vector<float> a, b, c;
    for (int i = 0; i < 64; ++i) {
        a.push_back(static_cast<float>(i));
        b.push_back(static_cast<float>(1000 + i));
        c.push_back(static_cast<float>(3 * i));
    }
    for (const auto& arch : archs) {
        INFO(arch);
        const auto values = run(arch, "either_memory", a, b, c);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float old = i / 4 % 2 == 0 ? a[i] : b[i];
            CHECK(values[i] == old + 1 + c[i] + old);
        }
    }
}
