// Compiled kernels (listings/kernels.cu) against the same loops in C++: every address of every thread.
// Device memory reads as zero in both, but for what atomics left.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "base/diagnostics.h"
#include "tests/support/kernel_listing.h"
#include "tests/traces/emulate/recording_sink.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

struct Thread {
    Dim3 grid, block, index, thread;
    [[nodiscard]] std::int64_t global() const { return index.x * block.x + thread.x; }
};

// What a restated thread does; arrays by pointer argument.
struct Accesses {
    WordAccesses words;
    void add(MemorySpace space, AccessKind kind, int array, std::int64_t address, int bytes) {
        for (int at = 0; at < std::max(bytes, 4); at += 4) {
            words[{space, kind, array}].push_back(address + at);
        }
    }
    void load(int array, std::int64_t address, int bytes = 4) {
        add(MemorySpace::global, AccessKind::load, array, address, bytes);
    }
    void store(int array, std::int64_t address, int bytes = 4) {
        add(MemorySpace::global, AccessKind::store, array, address, bytes);
    }
    void atomic(int array, std::int64_t address) {
        add(MemorySpace::global, AccessKind::atomic, array, address, 4);
    }
    void shared_load(std::int64_t address, int bytes = 4) {
        add(MemorySpace::shared, AccessKind::load, -1, address, bytes);
    }
    void shared_store(std::int64_t address, int bytes = 4) {
        add(MemorySpace::shared, AccessKind::store, -1, address, bytes);
    }
    void shared_atomic(std::int64_t address) { add(MemorySpace::shared, AccessKind::atomic, -1, address, 4); }
};

using Restated = std::function<void(Accesses&, const Thread&)>;

struct Case {
    std::string kernel;
    Dim3 grid, block;
    std::string arguments;
    Restated thread;
    bool shared = true;     // false on Kepler: shared atomics are loops of locked loads and stores there
    bool literals = false;  // Kepler keeps a literal in a constant bank that the listing does not show
};

WordAccesses executed(const std::string& arch, const Case& run, const Dim3& index) {
    SassLaunch launch;
    launch.grid = run.grid;
    launch.block = run.block;
    launch.arguments = parse_arguments(run.arguments);
    const auto source = make_sass_source(kernel_listing(arch, run.kernel), launch);
    RecordingSink sink(source->code());
    source->run_block(index, sink);
    CHECK(sink.faults == std::vector<std::string>{});
    CHECK(source->notes() == std::vector<std::string>{});
    return sink.words;
}

void drop(WordAccesses& words, const std::function<bool(const AccessKey&)>& unwanted) {
    for (auto entry = words.begin(); entry != words.end();) {
        entry = entry->second.empty() || unwanted(entry->first) ? words.erase(entry) : std::next(entry);
    }
}

void check_block(const std::string& arch, const Case& run, const Dim3& index) {
    Accesses expected;
    Thread t{run.grid, run.block, index, {}};
    for (t.thread.z = 0; t.thread.z < run.block.z; ++t.thread.z) {
        for (t.thread.y = 0; t.thread.y < run.block.y; ++t.thread.y) {
            for (t.thread.x = 0; t.thread.x < run.block.x; ++t.thread.x) {
                run.thread(expected, t);
            }
        }
    }
    auto words = executed(arch, run, index);
    const auto unwanted = [&](const AccessKey& key) {
        return std::get<0>(key) == MemorySpace::local ||
               (std::get<0>(key) == MemorySpace::shared && arch == "sm_35" && !run.shared);
    };
    drop(words, unwanted);
    drop(expected.words, unwanted);
    sort_words(words);
    sort_words(expected.words);
    INFO(arch << " " << run.kernel << " block " << index.x << "," << index.y);
    CHECK(words.size() == expected.words.size());
    for (const auto& [key, list] : expected.words) {
        INFO(to_string(key) << ": expected " << list.size() << " words, executed " << words[key].size());
        CHECK(words[key] == list);
    }
}

void check_kernel(const Case& run) {
    for (const auto& arch : kernel_listing_archs) {
        if (run.literals && arch == "sm_35") {
            CHECK_THROWS_WITH(executed(arch, run, {0, 0, 0}), Catch::Contains("c[0x2]"));
            continue;
        }
        check_block(arch, run, {0, 0, 0});
        check_block(arch, run, {run.grid.x - 1, run.grid.y - 1, 0});
    }
}

}  // namespace

TEST_CASE("a stencil leaves out its halo") {
    check_kernel({"stencil", {4, 4, 1}, {32, 8, 1}, "ptr,ptr,100,30", [](Accesses& a, const Thread& t) {
                      const auto x = t.index.x * 32 + t.thread.x, y = t.index.y * 8 + t.thread.y;
                      constexpr std::int64_t width = 100, height = 30;
                      if (x >= width || y >= height) {
                          return;
                      }
                      const auto at = [](std::int64_t i, std::int64_t j) { return 4 * (j * width + i); };
                      a.load(0, at(x, y));
                      if (x > 0)
                          a.load(0, at(x - 1, y));
                      if (x < width - 1)
                          a.load(0, at(x + 1, y));
                      if (y > 0)
                          a.load(0, at(x, y - 1));
                      if (y < height - 1)
                          a.load(0, at(x, y + 1));
                      a.store(1, at(x, y));
                  }});
}

TEST_CASE("reductions: a tree in shared memory, shuffles") {
    check_kernel({"block_sum", {4, 1, 1}, {128, 1, 1}, "ptr,ptr,500", [](Accesses& a, const Thread& t) {
                      if (t.global() < 500)
                          a.load(0, 4 * t.global());
                      a.shared_store(4 * t.thread.x);
                      for (std::int64_t half = 64; half > 0; half /= 2) {
                          if (t.thread.x < half) {
                              a.shared_load(4 * t.thread.x);
                              a.shared_load(4 * (t.thread.x + half));
                              a.shared_store(4 * t.thread.x);
                          }
                      }
                      if (t.thread.x == 0) {
                          a.shared_load(0);
                          a.store(1, 4 * t.index.x);
                      }
                  }});
    check_kernel({"warp_sum", {3, 1, 1}, {96, 1, 1}, "ptr,ptr,1000", [](Accesses& a, const Thread& t) {
                      for (auto i = t.global(); i < 1000; i += 3 * 96)
                          a.load(0, 4 * i);
                      if (t.thread.x % 32 == 0)
                          a.shared_store(4 * (t.thread.x / 32));
                      if (t.thread.x < 3)
                          a.shared_load(4 * t.thread.x);
                      if (t.thread.x == 0)
                          a.store(1, 4 * t.index.x);
                  }});
}

TEST_CASE("copies: grid-stride loop, transpose with edges") {
    check_kernel(
        {"grid_stride_copy", {3, 1, 1}, {64, 1, 1}, "ptr,ptr,1001L", [](Accesses& a, const Thread& t) {
             for (auto i = t.global(); i < 1001; i += 3 * 64) {
                 a.load(0, 16 * i, 16);
                 a.store(1, 16 * i, 16);
             }
         }});
    check_kernel({"transpose", {3, 2, 1}, {32, 8, 1}, "ptr,ptr,70,50", [](Accesses& a, const Thread& t) {
                      constexpr std::int64_t width = 70, height = 50;
                      auto x = t.index.x * 32 + t.thread.x, y = t.index.y * 32 + t.thread.y;
                      for (int j = 0; j < 32; j += 8) {
                          if (x < width && y + j < height) {
                              a.load(0, 8 * ((y + j) * width + x), 8);
                              a.shared_store(8 * ((t.thread.y + j) * 33 + t.thread.x), 8);
                          }
                      }
                      x = t.index.y * 32 + t.thread.x;
                      y = t.index.x * 32 + t.thread.y;
                      for (int j = 0; j < 32; j += 8) {
                          if (x < height && y + j < width) {
                              a.shared_load(8 * (t.thread.x * 33 + t.thread.y + j), 8);
                              a.store(1, 8 * ((y + j) * height + x), 8);
                          }
                      }
                  }});
}

TEST_CASE("shared atomics: a histogram") {
    Case run{"histogram", {2, 1, 1}, {96, 1, 1}, "ptr,ptr,1000", [](Accesses& a, const Thread& t) {
                 for (auto i = t.thread.x; i < 256; i += 96)
                     a.shared_store(4 * i);
                 for (auto i = t.global(); i < 1000; i += 2 * 96) {
                     a.load(0, i, 1);
                     a.shared_atomic(4 * (i % 7));
                 }
                 for (auto i = t.thread.x; i < 256; i += 96) {
                     a.shared_load(4 * i);
                     a.atomic(1, 4 * i);
                 }
             }};
    run.literals = true;
    check_kernel(run);
}

TEST_CASE("scan, bitonic step, rows of a sparse matrix") {
    check_kernel({"scan", {1, 1, 1}, {128, 1, 1}, "ptr,ptr,100", [](Accesses& a, const Thread& t) {
                      std::int64_t from = 0, to = 4 * 128;
                      const auto at = t.thread.x;
                      if (at < 100)
                          a.load(0, 4 * at);
                      a.shared_store(from + 4 * at);
                      for (std::int64_t d = 1; d < 128; d *= 2) {
                          a.shared_load(from + 4 * at);
                          if (at >= d)
                              a.shared_load(from + 4 * (at - d));
                          a.shared_store(to + 4 * at);
                          std::swap(from, to);
                      }
                      if (at < 100) {
                          a.shared_load(from + 4 * at);
                          a.store(1, 4 * at);
                      }
                  }});
    check_kernel({"bitonic_step", {2, 1, 1}, {128, 1, 1}, "ptr,4,8", [](Accesses& a, const Thread& t) {
                      const auto i = t.global(), partner = i ^ 4;
                      if (partner > i) {
                          a.load(0, 4 * i);
                          a.load(0, 4 * partner);
                          if ((i & 8) != 0) {  // 0 > 0 is false, 0 < 1 true
                              a.store(0, 4 * i);
                              a.store(0, 4 * partner);
                          }
                      }
                  }});
    check_kernel({"spmv", {2, 1, 1}, {64, 1, 1}, "ptr,ptr,ptr,ptr,ptr,100", [](Accesses& a, const Thread& t) {
                      if (t.global() < 100) {
                          a.load(0, 4 * t.global());
                          a.load(0, 4 * t.global() + 4);
                          a.store(4, 4 * t.global());
                      }
                  }});
}

TEST_CASE("division and remainder by a variable, 32 and 64 bits") {
    check_kernel({"divide", {3, 1, 1}, {128, 1, 1}, "ptr,ptr,300,-7,13", [](Accesses& a, const Thread& t) {
                      const auto i = static_cast<int>(t.global());
                      if (i < 300) {
                          const int row = (i - 150) / -7, column = (i - 150) % -7;
                          a.load(0, 4 * ((row + 300) * 64 + column - 7));
                          a.store(1, 4 * (i / 13 * 128 + i % 13));
                      }
                  }});
    for (const std::int64_t width : {std::int64_t{12345}, std::int64_t{0x1234567890}}) {
        constexpr std::int64_t n = 0x2345678901234;
        check_kernel({"divide_64",
                      {2, 1, 1},
                      {64, 1, 1},
                      "ptr,ptr," + std::to_string(n) + "L," + std::to_string(width) + "L",
                      [width](Accesses& a, const Thread& t) {
                          const auto j = t.global() * 1000003 + n;
                          a.load(0, 4 * (j / width));
                          a.store(1, 4 * (j % width));
                      }});
    }
}

TEST_CASE("divergent loops with break and continue") {
    check_kernel({"collatz", {2, 1, 1}, {64, 1, 1}, "ptr,40", [](Accesses& a, const Thread& t) {
                      auto x = static_cast<std::uint32_t>(t.global() + 1);
                      int steps = 0;
                      while (x != 1 && ++steps <= 40) {
                          if (x % 2 == 1) {
                              x = 3 * x + 1;
                          } else {
                              x /= 2;
                              if (x % 5 == 0)
                                  a.store(0, 4 * (1000 + steps));
                          }
                      }
                      a.store(0, 4 * (steps * 64 + t.thread.x % 64));
                  }});
    check_kernel({"nested", {1, 1, 1}, {8, 4, 3}, "ptr,ptr,3", [](Accesses& a, const Thread& t) {
                      const auto at = t.thread.x + 8 * (t.thread.y + 4 * t.thread.z);
                      for (std::int64_t i = 0; i < (at & 3) + 3; ++i) {
                          for (auto j = i; j < (at & 7); ++j) {
                              if (((i + j) & 1) != 0) {
                                  if (j == 5)
                                      break;
                                  a.store(0, 4 * (i * 1024 + j * 64 + at % 64));
                              } else {
                                  a.load(1, 4 * i);
                                  a.store(0, 4 * (65536 + j * 1024 + i * 64 + at % 64));
                              }
                          }
                      }
                      a.store(0, 4 << 20);
                  }});
}

TEST_CASE("floating-point loops decide addresses") {
    Case run{"float_loop", {1, 1, 1}, {64, 1, 1}, "ptr,100.0f,0.75", [](Accesses& a, const Thread& t) {
                 const auto lane = static_cast<int>(t.global());
                 int trips = 0, more = 0;
                 for (float x = 1.0F + static_cast<float>(lane); x < 100.0F; x = std::fma(x, 1.5F, 0.25F)) {
                     ++trips;
                 }
                 for (double d = 0.5 * lane; d < 20.0; d += 0.75) {
                     ++more;
                 }
                 const auto root = static_cast<int>(std::sqrt(static_cast<float>(lane)) + 0.001F);
                 a.store(0, 4 * (trips * 256 + more * 64 + root));
             }};
    run.literals = true;
    check_kernel(run);
}

TEST_CASE("subroutines, votes, local arrays") {
    const auto deep = [](std::int64_t x, std::int64_t y) { return x > y ? x * 3 + y : y - x; };
    check_kernel({"call", {2, 1, 1}, {64, 1, 1}, "ptr,50", [deep](Accesses& a, const Thread& t) {
                      auto at = deep(t.global(), 50);
                      if (t.global() % 2 == 1)
                          at = deep(at, t.global());
                      a.store(0, 4 * at);
                  }});
    check_kernel({"compact", {2, 1, 1}, {64, 1, 1}, "ptr,ptr,100", [](Accesses& a, const Thread& t) {
                      const auto i = t.global();
                      const auto kept = [](std::int64_t k) { return k < 100 && k % 3 == 1; };
                      const auto first_of_warp = i / 32 * 32;
                      std::int64_t before = 0, first = -1;
                      for (auto k = first_of_warp; k < first_of_warp + 32; ++k) {
                          before += kept(k) && k < i ? 1 : 0;
                          first = kept(k) && first < 0 ? k : first;
                      }
                      if (i < 100)
                          a.load(0, 4 * i);
                      if (kept(i)) {
                          a.load(0, 4 * i);
                          a.store(1, 4 * (first_of_warp + before));
                      }
                      if (i == first)
                          a.store(1, 4 * (100 + i / 32));
                  }});
    check_kernel({"local_array", {2, 1, 1}, {64, 1, 1}, "ptr,ptr,21", [](Accesses& a, const Thread& t) {
                      auto at = t.global() & 31;
                      for (int i = 0; i < 21; ++i)
                          at = (t.global() * at) & 31;
                      a.load(0, 4 * at);
                      a.store(1, 4 * (at * 32 + (t.global() & 31)));
                  }});
}

TEST_CASE("generic addresses and atomics that return") {
    Case run{"generic", {1, 1, 1}, {128, 1, 1}, "ptr,ptr,4000", [](Accesses& a, const Thread& t) {
                 const auto at = t.thread.x;
                 if (at == 0)
                     a.shared_store(0x200);
                 const bool global = at / 32 % 2 == 1;
                 const auto place = [&](std::int64_t i) { return 2 * i + (global ? 8000 : 0); };
                 a.add(global ? MemorySpace::global : MemorySpace::shared, AccessKind::store, global ? 0 : -1,
                       place(at), 2);
                 if (at % 32 == 31)
                     a.shared_atomic(0x200);  // one lane adds for its warp
                 a.atomic(1, 0);
                 a.add(global ? MemorySpace::global : MemorySpace::shared, AccessKind::load, global ? 0 : -1,
                       place(at ^ 1), 2);
                 // 2 at, and the maximum so far: what the thread before left
                 a.store(0, 2 * (2 * at + (at > 0 ? 2 * (at - 1) : 0)), 2);
             }};
    run.shared = false;
    check_kernel(run);
}

TEST_CASE("barriers that count votes") {
    check_kernel({"sync_count", {1, 1, 1}, {96, 1, 1}, "ptr,ptr,60", [](Accesses& a, const Thread& t) {
                      if (t.thread.x % 3 == 0)
                          a.load(0, 4 * t.thread.x);
                      a.store(1, 4 * (32 * 4 + 2 + 0));
                  }});
}

TEST_CASE("a jump table that the listing does not show is refused") {
    for (const auto& arch : kernel_listing_archs) {
        const Case run{"jump_table", {1, 1, 1}, {32, 1, 1}, "ptr,5", {}};
        CHECK_THROWS_AS(executed(arch, run, {0, 0, 0}), InputError);
    }
}
