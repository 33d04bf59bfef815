// Products of a warp group (warp_groups.cu) in all layouts of their operands, with what they have to give:
// for the tests, and for a program that checks them on a GPU (check_groups.cu).
//
// Layouts are written down as rows and columns of 16-byte chunks, as a tensor copy leaves them in shared
// memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace group_cases {

using Bytes = std::vector<std::uint8_t>;

enum class Type { f16, bf16, tf32, s8, u8 };
enum class Sum { f32, f16, s32, s32_saturated };

struct Case {
    std::string kernel;
    Type type = Type::f16;
    Sum sum = Sum::f32;
    int n = 8;
    int width_a = 8, width_b = 8;             // 16-byte chunks side by side: 1 (no swizzle), 2, 4, 8
    bool across_a = false, across_b = false;  // M or N side by side instead of K
    bool a_in_registers = false;
    int slice = 0;  // of the chunks side by side along K, which pair
    int sign = 1;
    bool adds = true;
    int magnitude = 4;
};

constexpr int rows = 64, row_bytes = 32;

inline int bytes_of(Type type) {
    return type == Type::tf32 ? 4 : type == Type::s8 || type == Type::u8 ? 1 : 2;
}
inline int depth(const Case& c) {
    return row_bytes / bytes_of(c.type);
}

// Whole numbers of at most 8 bits and halves of them, exact in every type that has them.
inline std::uint32_t bits_of(double value, Type type) {
    if (type == Type::s8 || type == Type::u8) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(value)) & 0xffU;
    }
    const float single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, 4);
    if (type == Type::tf32) {
        return bits;
    }
    if (type == Type::bf16) {
        return bits >> 16;
    }
    const std::uint32_t sign = bits >> 16 & 0x8000U;
    return single == 0 ? sign : sign | (((bits >> 23 & 0xffU) - 112) << 10) | (bits >> 13 & 0x3ffU);
}

inline double from_half(std::uint32_t half) {
    const int exponent = static_cast<int>(half >> 10 & 0x1fU);
    const double size =
        exponent == 0 ? std::ldexp(half & 0x3ffU, -24) : std::ldexp((half & 0x3ffU) + 1024.0, exponent - 25);
    return (half & 0x8000U) != 0 ? -size : size;
}

struct Operand {
    std::uint64_t descriptor = 0;  // with a start address relative to the image
    int start = 0, leading = 0, stride = 0, width = 1, slice = 0;
    bool across = false;

    [[nodiscard]] int chunk_at(int row, int chunk) const {  // swizzled, in rows of `width` chunks
        const int with = width == 8 ? row % 8 : width == 4 ? row / 2 % 4 : width == 2 ? row / 4 % 2 : 0;
        return chunk ^ with;
    }
    // Byte `byte` of element (i, k); `size` bytes each.
    [[nodiscard]] int place(int i, int k, int byte, int size) const {
        if (!across) {
            const int at = k * size + byte + slice * row_bytes;
            const int row = i % 8;
            if (width == 1) {
                return start + i / 8 * stride + at / 16 * leading + row * 16 + at % 16;
            }
            return start + i / 8 * stride + row * 16 * width + chunk_at(row, at / 16) * 16 + at % 16;
        }
        const int chunk = i / 8, within = i % 8 * size + byte, row = k % 8;
        if (width == 1) {
            return start + chunk * stride + k / 8 * leading + row * 16 + within;
        }
        return start + chunk / width * leading + k / 8 * stride + row * 16 * width +
               chunk_at(row, chunk % width) * 16 + within;
    }
};

// Operand of `extent` rows of A or columns of B from `start` on; `end` = where the next may begin.
inline Operand operand(int start, int extent, int width, bool across, int slice, int& end) {
    Operand o;
    o.start = start;
    o.width = width;
    o.across = across;
    o.slice = across || width < 4 ? 0 : slice;
    const int atom = 128 * width;  // eight rows of `width` chunks
    if (!across) {
        o.stride = width == 1 ? 2 * atom : atom;
        o.leading = atom;
        end = start + (extent + 7) / 8 * o.stride;
    } else {
        const int groups = (extent / 8 + width - 1) / width;
        o.leading = width == 1 ? groups * atom : 2 * atom;
        o.stride = atom;
        end = start + 2 * groups * atom;
    }
    end = (end + 1023) / 1024 * 1024;
    const std::uint64_t mode = width == 8 ? 1 : width == 4 ? 2 : width == 2 ? 3 : 0;
    const auto first = static_cast<std::uint64_t>(start + o.slice * row_bytes);
    o.descriptor = first >> 4 | static_cast<std::uint64_t>(o.leading >> 4) << 16 |
                   static_cast<std::uint64_t>(o.stride >> 4) << 32 | mode << 62;
    return o;
}

struct Problem {
    Bytes image, registers, old;
    std::uint64_t a = 0, b = 0;
    std::vector<double> expected;  // row by row
};

inline int sums_of(const Case& c) {
    return c.sum == Sum::f16 ? c.n / 4 : c.n / 2;
}

// Register r of thread t holds these elements: `row`, `column` and the next (f16), or one.
inline void element_of(const Case& c, int thread, int r, int& row, int& column) {
    const int lane = thread % 32;
    const bool halves = c.sum == Sum::f16;
    row = thread / 32 * 16 + lane / 4 + 8 * (halves ? r % 2 : r / 2 % 2);
    column = (halves ? r / 2 : r / 4) * 8 + lane % 4 * 2 + (halves ? 0 : r % 2);
}

inline void put(Bytes& to, std::size_t at, std::uint32_t bits, int bytes) {
    if (to.size() < at + static_cast<std::size_t>(bytes)) {
        to.resize(at + static_cast<std::size_t>(bytes));
    }
    std::memcpy(to.data() + at, &bits, static_cast<std::size_t>(bytes));
}

inline Problem make(const Case& c) {
    std::mt19937 random(static_cast<unsigned>(c.n * 31 + c.width_a * 7 + c.width_b + c.slice));
    const bool whole = c.type == Type::s8 || c.type == Type::u8;
    const int k = depth(c);
    const auto draw = [&] {
        const int x = static_cast<int>(random() % static_cast<unsigned>(2 * c.magnitude + 1)) -
                      (c.type == Type::u8 ? 0 : c.magnitude);
        return whole ? x : x * 0.5;
    };
    std::vector<double> a(static_cast<std::size_t>(rows * k)), b(static_cast<std::size_t>(c.n * k)),
        old(static_cast<std::size_t>(rows * c.n));
    for (auto* list : {&a, &b, &old}) {
        for (auto& x : *list) {
            x = draw();
        }
    }
    if (c.sum == Sum::s32_saturated) {
        for (std::size_t i = 0; i < old.size(); ++i) {
            old[i] = i % 3 == 0 ? 2147483647 : i % 3 == 1 ? -2147483648.0 : old[i];
        }
    }
    Problem p;
    int end = 0;
    const auto first = operand(0, rows, c.width_a, c.across_a, c.slice, end);
    const auto second = operand(end, c.n, c.width_b, c.across_b, c.slice, end);
    p.image.assign(static_cast<std::size_t>(end), 0x5a);  // what lies between is no zero
    const int size = bytes_of(c.type);
    for (int at = 0; at < k; ++at) {
        for (int byte = 0; byte < size; ++byte) {
            for (int i = 0; i < rows; ++i) {
                p.image[static_cast<std::size_t>(first.place(i, at, byte, size))] = static_cast<std::uint8_t>(
                    bits_of(a[static_cast<std::size_t>(i * k + at)], c.type) >> 8 * byte);
            }
            for (int j = 0; j < c.n; ++j) {
                p.image[static_cast<std::size_t>(second.place(j, at, byte, size))] =
                    static_cast<std::uint8_t>(bits_of(b[static_cast<std::size_t>(j * k + at)], c.type) >>
                                              8 * byte);
            }
        }
    }
    p.a = first.descriptor;
    p.b = second.descriptor;
    for (int thread = 0; c.a_in_registers && thread < 128; ++thread) {
        for (int r = 0; r < 4; ++r) {
            const int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (r % 2);
            const int at = (r / 2 * 16 + thread % 4 * 4) / size;
            for (int e = 0; e < 4 / size; ++e) {
                put(p.registers, static_cast<std::size_t>((r * 128 + thread) * 4 + e * size),
                    bits_of(a[static_cast<std::size_t>(row * k + at + e)], c.type), size);
            }
        }
    }
    p.old.resize(static_cast<std::size_t>(sums_of(c) * 128 * 4));
    for (int thread = 0; thread < 128; ++thread) {
        for (int r = 0; r < sums_of(c); ++r) {
            int row = 0, column = 0;
            element_of(c, thread, r, row, column);
            const auto at = static_cast<std::size_t>((r * 128 + thread) * 4);
            const auto from = static_cast<std::size_t>(row * c.n + column);
            if (c.sum == Sum::f16) {
                put(p.old, at, bits_of(old[from], Type::f16) | bits_of(old[from + 1], Type::f16) << 16, 4);
            } else if (c.sum == Sum::f32) {
                put(p.old, at, bits_of(old[from], Type::tf32), 4);
            } else {
                put(p.old, at, static_cast<std::uint32_t>(static_cast<std::int64_t>(old[from])), 4);
            }
        }
    }
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < c.n; ++j) {
            double sum = 0;
            for (int at = 0; at < k; ++at) {
                sum += a[static_cast<std::size_t>(i * k + at)] * b[static_cast<std::size_t>(j * k + at)];
            }
            sum = c.sign * sum + (c.adds ? old[static_cast<std::size_t>(i * c.n + j)] : 0);
            if (c.sum == Sum::s32_saturated) {
                sum = std::min(2147483647.0, std::max(-2147483648.0, sum));
            }
            p.expected.push_back(sum);
        }
    }
    return p;
}

// What the kernel wrote, row by row.
inline std::vector<double> results(const Case& c, const Bytes& out) {
    std::vector<double> values(static_cast<std::size_t>(rows * c.n));
    for (int thread = 0; thread < 128; ++thread) {
        for (int r = 0; r < sums_of(c); ++r) {
            int row = 0, column = 0;
            element_of(c, thread, r, row, column);
            std::uint32_t word = 0;
            std::memcpy(&word, out.data() + static_cast<std::size_t>((r * 128 + thread) * 4), 4);
            auto* to = &values[static_cast<std::size_t>(row * c.n + column)];
            if (c.sum == Sum::f16) {
                to[0] = from_half(word & 0xffffU);
                to[1] = from_half(word >> 16);
            } else if (c.sum == Sum::f32) {
                float single = 0;
                std::memcpy(&single, &word, 4);
                *to = single;
            } else {
                *to = static_cast<std::int32_t>(word);
            }
        }
    }
    return values;
}

inline std::vector<Case> all() {
    std::vector<Case> list;
    for (const int width : {1, 2, 4, 8}) {
        for (const int slice : {0, 1}) {
            list.push_back(
                {"group_f16_n64", Type::f16, Sum::f32, 64, width, width, false, false, false, slice});
        }
        list.push_back({"group_f16_n8", Type::f16, Sum::f32, 8, 8, width});
        list.push_back({"group_f16_n64_ta", Type::f16, Sum::f32, 64, width, 8, true, false});
        list.push_back({"group_f16_n64_tb", Type::f16, Sum::f32, 64, 4, width, false, true});
        list.push_back({"group_f16_n128_tab", Type::f16, Sum::f32, 128, width, width, true, true});
        list.push_back({"registers_f16_n64", Type::f16, Sum::f32, 64, 8, width, false, false, true});
        list.push_back({"group_tf32_n32", Type::tf32, Sum::f32, 32, width, width});
        list.push_back(
            {"group_s8_n32", Type::s8, Sum::s32, 32, width, 8, false, false, false, 0, 1, true, 120});
    }
    list.push_back({"group_f16_n64", Type::f16, Sum::f32, 64, 8, 8, false, false, false, 3, 1, false});
    list.push_back({"group_f16_n64_minus_a", Type::f16, Sum::f32, 64, 8, 8, false, false, false, 0, -1});
    list.push_back({"group_f16_n64_minus_b", Type::f16, Sum::f32, 64, 8, 8, false, false, false, 0, -1});
    list.push_back({"group_f16_f16_n64", Type::f16, Sum::f16, 64, 8, 8});
    list.push_back({"group_bf16_n32", Type::bf16, Sum::f32, 32, 8, 8});
    list.push_back({"group_u8_n32", Type::u8, Sum::s32, 32, 8, 8, false, false, false, 0, 1, true, 120});
    list.push_back(
        {"group_s8_n32_sat", Type::s8, Sum::s32_saturated, 32, 8, 8, false, false, false, 0, 1, true, 120});
    list.push_back({"registers_f16_n64_tb", Type::f16, Sum::f32, 64, 8, 8, false, true, true});
    list.push_back({"registers_tf32_n32", Type::tf32, Sum::f32, 32, 8, 8, false, false, true});
    list.push_back({"registers_s8_n32", Type::s8, Sum::s32, 32, 8, 8, false, false, true, 0, 1, true, 120});
    return list;
}

}  // namespace group_cases
