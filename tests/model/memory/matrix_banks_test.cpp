// Wavefronts of LDSM and STSM against a count over lanes and banks that knows nothing of phases by width.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <set>

#include "model/memory/banks/bank_conflicts.h"

using namespace gpumodel;

namespace {

constexpr BankGeometry geometry{32, 4, SharedMemoryRule::cc5_x};

WarpAccess rows_of(int matrices, const std::function<std::int64_t(int matrix, int row)>& address) {
    WarpAccess access;
    access.bytes_per_lane = 16;
    access.matrix_rows = true;
    access.active = matrices == 4 ? ~0U : (1U << (8 * matrices)) - 1;
    for (int lane = 0; lane < 8 * matrices; ++lane) {
        access.address[static_cast<std::size_t>(lane)] = address(lane / 8, lane % 8);
    }
    return access;
}

// Matrix by matrix: the most distinct words that any of the 32 banks has to give.
int oracle(const WarpAccess& access, int matrices) {
    int wavefronts = 0;
    for (int matrix = 0; matrix < matrices; ++matrix) {
        std::array<std::set<std::int64_t>, 32> banks;
        for (int row = 0; row < 8; ++row) {
            const auto first = access.address[static_cast<std::size_t>(8 * matrix + row)] / 4;
            for (auto word = first; word < first + 4; ++word) {
                banks[static_cast<std::size_t>(word % 32)].insert(word);
            }
        }
        std::size_t most = 0;
        for (const auto& words : banks) {
            most = std::max(most, words.size());
        }
        wavefronts += static_cast<int>(most);
    }
    return wavefronts;
}

int wavefronts(const WarpAccess& access, AccessDirection direction = AccessDirection::load) {
    return analyse_bank_conflicts(access, geometry, direction).wavefronts;
}

}  // namespace

TEST_CASE("ldmatrix: layouts of published kernels take the wavefronts that their authors give") {
    struct Layout {
        const char* name;
        std::function<std::int64_t(int row, int column)> address;  // column: 16-byte piece of the row
        int per_matrix;
    };
    for (const auto& layout :
         {Layout{"rows of 128 bytes", [](int row, int column) { return row * 128 + column * 16; }, 8},
          Layout{"rows of 64 bytes", [](int row, int column) { return row * 64 + column * 16; }, 4},
          Layout{"rows of 256 bytes", [](int row, int column) { return row * 256 + column * 16; }, 8},
          Layout{"128 bytes and 16 of padding", [](int row, int column) { return row * 144 + column * 16; },
                 1},
          Layout{"64 bytes and 16 of padding", [](int row, int column) { return row * 80 + column * 16; }, 1},
          Layout{"XOR with the row, 128 bytes",
                 [](int row, int column) { return row * 128 + (column ^ (row % 8)) * 16; }, 1},
          Layout{"XOR with the pair of rows, 64 bytes",
                 [](int row, int column) { return row * 64 + (column ^ (row / 2 % 4)) * 16; }, 1}}) {
        INFO(layout.name);
        for (const int matrices : {1, 2, 4}) {
            // matrices below each other and side by side, as a 16x16 fragment has them
            const auto access = rows_of(matrices, [&](int matrix, int row) {
                return layout.address(row + 8 * (matrix % 2), matrix / 2);
            });
            CHECK(oracle(access, matrices) == matrices * layout.per_matrix);
            CHECK(wavefronts(access) == oracle(access, matrices));
            CHECK(wavefronts(access, AccessDirection::store) == oracle(access, matrices));
            const auto conflicts = analyse_bank_conflicts(access, geometry, AccessDirection::load).conflicts;
            CHECK(conflicts == matrices * (layout.per_matrix - 1));
        }
    }
}

TEST_CASE("ldmatrix: any rows take what a count over lanes and banks says") {
    std::mt19937 random(5);
    for (int i = 0; i < 3000; ++i) {
        const int matrices = 1 << (random() % 3);
        const auto rows = static_cast<std::int64_t>(1 + random() % 64);  // few: rows that several lanes name
        const auto access =
            rows_of(matrices, [&](int, int) { return 16 * (static_cast<std::int64_t>(random()) % rows); });
        REQUIRE(wavefronts(access) == oracle(access, matrices));
        REQUIRE(wavefronts(access, AccessDirection::store) == oracle(access, matrices));
    }
}
