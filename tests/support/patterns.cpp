#include "tests/support/patterns.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gpumodel::test {

namespace {

std::int64_t below(std::mt19937& random, std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
}

// Word indices of one kind of pattern.
std::array<std::int64_t, 32> words_of_kind(std::int64_t kind, std::mt19937& random) {
    std::array<std::int64_t, 32> words{};
    const auto base = below(random, 100);
    const auto a = 1 + below(random, 70);
    const auto b = 1 + below(random, 32);
    for (std::int64_t lane = 0; lane < 32; ++lane) {
        auto& word = words[static_cast<std::size_t>(lane)];
        switch (kind) {
            case 0:
                word = base + lane * a;
                break;
            case 1:
                word = below(random, 64 + a * 8);
                break;
            case 2:
                word = below(random, 1'000'000'000);
                break;
            case 3:
                word = base + below(random, b) * 32;
                break;
            case 4:
                word = base + (lane / b) * (4 * a) + lane % b;
                break;
            case 5:
                word = base + (lane ^ (lane & (b - 1))) * a;
                break;
            default:
                word = base + (31 - lane) * a;
        }
    }
    return words;
}

void pair_lanes(WarpAccess& access, std::int64_t distance) {
    for (std::int64_t lane = 0; lane < 32; ++lane) {
        const auto partner = std::min(lane, lane ^ distance);
        access.address[static_cast<std::size_t>(lane)] = access.address[static_cast<std::size_t>(partner)];
    }
}

}  // namespace

WarpAccess strided(int stride, std::int64_t offset, int width) {
    WarpAccess access;
    access.bytes_per_lane = width;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        access.address[lane] = offset + static_cast<std::int64_t>(lane) * stride * width;
    }
    return access;
}

WarpAccess permuted(const WarpAccess& access, int group, std::mt19937& random) {
    std::array<std::size_t, 32> from{};
    std::iota(from.begin(), from.end(), std::size_t{0});
    for (int first = 0; first < 32; first += group) {
        std::shuffle(from.begin() + first, from.begin() + first + group, random);
    }
    WarpAccess result = access;
    result.active = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        result.address[lane] = access.address[from[lane]];
        if (access.is_active(static_cast<int>(from[lane]))) {
            result.active |= 1U << lane;
        }
    }
    return result;
}

WarpAccess random_access(std::mt19937& random) {
    WarpAccess access;
    access.bytes_per_lane = 1 << below(random, 5);
    const auto words = words_of_kind(below(random, 7), random);
    for (std::size_t lane = 0; lane < 32; ++lane) {
        access.address[lane] = words[lane] * access.bytes_per_lane;
    }
    if (below(random, 4) == 0) {
        pair_lanes(access, 1 + below(random, 4));
    }
    if (below(random, 8) == 0) {  // spoil one lane
        access.address[static_cast<std::size_t>(below(random, 32))] =
            below(random, 500) * access.bytes_per_lane;
    }
    if (below(random, 3) == 0) {
        access.active = static_cast<std::uint32_t>(random());
        if (below(random, 3) == 0) {
            access.active &= 0xffffU << (16 * below(random, 2));
        }
    }
    return access;
}

std::string describe(const WarpAccess& access) {
    auto text = "width " + std::to_string(access.bytes_per_lane) + " active " +
                std::to_string(access.active) + " addresses";
    for (const auto address : access.address) {
        text += ' ' + std::to_string(address);
    }
    return text;
}

}  // namespace gpumodel::test
