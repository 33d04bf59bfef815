// Where the words of a tiled matrix product live: which loop counter selects a tile, how a thread block
// covers a tile when it loads it, how the tile lies in shared memory, and which results a thread owns.
// Everything here counts words and is relative to the tile, not to the matrix.
#pragma once

#include <cstdint>

#include "traces/kernel_program.h"

namespace gpumodel {

inline constexpr std::int64_t word_bytes = 4;  // of the elements, all float

// offset + scale * (counter of the loop at `depth`); depth < 0 = no loop.
struct LoopRef {
    int depth = -1;
    std::int64_t scale = 1;
    std::int64_t offset = 0;
    [[nodiscard]] std::int64_t at(const Coord& c) const {
        return depth < 0 ? offset : offset + scale * c.loop[static_cast<std::size_t>(depth)];
    }
};

// `threads` threads, the first of them `first_thread`, copy a rows x cols tile in accesses of `vector`
// words: t to row t/(cols/vector), column vector*(t%(cols/vector)), then on in steps of whole rows.
struct TileLoad {
    int rows = 0, cols = 0;
    int vector = 1;
    int threads = 0;
    int first_thread = 0;

    [[nodiscard]] int words() const { return rows * cols / threads; }  // per thread
    [[nodiscard]] int accesses() const { return words() / vector; }
    [[nodiscard]] int row(int thread, int word) const {
        const int per_row = cols / vector;
        return (thread - first_thread) / per_row + word / vector * (threads / per_row);
    }
    [[nodiscard]] int col(int thread, int word) const {
        return (thread - first_thread) % (cols / vector) * vector + word % vector;
    }
};

// Word (row, col) of a tile in shared memory, from `base` on; buffer b lies b*buffer_words further.
struct SharedLayout {
    enum class Order : unsigned char {
        row_major,   // row*pitch + col
        transposed,  // col*pitch + row
        linearized,  // bank_linearize: words 8 apart in a row become neighbours, 16 to a group
    };
    Order order = Order::row_major;
    int pitch = 0;
    int base = 0;
    int buffer_words = 0;

    [[nodiscard]] int word(int row, int col) const {
        switch (order) {
            case Order::row_major:
                return base + row * pitch + col;
            case Order::transposed:
                return base + col * pitch + row;
            case Order::linearized:
                return base + (row * 8 + col % 8) * 16 + col / 8;
        }
        return base;
    }
};

// Which results a thread owns. Groups of `group` threads (a warp, or the whole block) tile the block
// tile, `groups_per_row` to a row; in a group, threads lie `lanes_per_row` to a row, each with tm x tn
// neighbouring results in each of sub_rows x sub_cols sub-tiles that lie sub_m, sub_n words apart.
struct ThreadTile {
    int group = 32;
    int groups_per_row = 1;
    int group_m = 0, group_n = 0;
    int lanes_per_row = 1;
    int tm = 1, tn = 1;
    int sub_rows = 1, sub_cols = 1;
    int sub_m = 0, sub_n = 0;

    [[nodiscard]] int r() const { return sub_rows * tm; }
    [[nodiscard]] int s() const { return sub_cols * tn; }
    [[nodiscard]] int row(int thread, int i) const {
        return thread / group / groups_per_row * group_m + thread % group / lanes_per_row * tm +
               i / tm * sub_m + i % tm;
    }
    [[nodiscard]] int col(int thread, int j) const {
        return thread / group % groups_per_row * group_n + thread % group % lanes_per_row * tn +
               j / tn * sub_n + j % tn;
    }
};

}  // namespace gpumodel
