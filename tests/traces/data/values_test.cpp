// What the emulated kernels compute, against the same computation in plain C++ on the host.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "tests/traces/data/data_kernel.h"

namespace values_test {

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

// Arrays as files for --args.
class Files {
public:
    Files()
        : folder_(std::filesystem::temp_directory_path() /
                  ("gpumodel_values_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    ~Files() { std::filesystem::remove_all(folder_); }

    template <class T>
    std::string operator()(const std::vector<T>& values) {
        const auto path = folder_ / std::to_string(count_++);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()),  // NOLINT
                   static_cast<std::streamsize>(values.size() * sizeof(T)));
        return "@" + path.string();
    }

private:
    std::filesystem::path folder_;
    int count_ = 0;
};

std::mt19937& random_bits() {
    static std::mt19937 engine(7);
    return engine;
}

template <class T>
std::vector<T> random_values(std::size_t count, T low, T high) {
    std::vector<T> values(count);
    for (auto& value : values) {
        if constexpr (std::is_floating_point_v<T>) {
            value = std::uniform_real_distribution<T>(low, high)(random_bits());
        } else {
            value = static_cast<T>(std::uniform_int_distribution<long long>(low, high)(random_bits()));
        }
    }
    return values;
}

struct Run {
    std::string kernel;
    Dim3 grid, block;
    std::string arguments;
};

// Argument `number` after the launch.
template <class T>
std::vector<T> computed(const std::string& arch, const Run& run, std::size_t number) {
    auto launch = launch_of(run.grid, run.block, run.arguments);
    launch.keeps_results = true;
    const auto all = execute_grid(data_kernel(arch, run.kernel), launch);
    const auto& array = all.at(number);
    CHECK(array.unknown_bytes == 0);
    std::vector<T> values(array.bytes.size() / sizeof(T));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

std::string size_of(std::size_t count, std::size_t bytes) {
    return "ptr:" + std::to_string(count * bytes) + "B";
}

struct Graph {
    std::vector<int> row{0}, column;
};

Graph random_graph(int nodes, int most) {
    Graph graph;
    for (int v = 0; v < nodes; ++v) {
        for (int e = random_values<int>(1, 0, most).front(); e > 0; --e) {
            graph.column.push_back(random_values<int>(1, 0, nodes - 1).front());
        }
        graph.row.push_back(static_cast<int>(graph.column.size()));
    }
    return graph;
}

}  // namespace

TEST_CASE("saxpy computes a x + y") {
    Files files;
    constexpr int n = 1000;
    const auto x = random_values<float>(n, -1, 1), y = random_values<float>(n, -1, 1);
    const Run run{"saxpy", {4, 1, 1}, {256, 1, 1}, files(x) + "," + files(y) + ",2.5f,1000"};
    for (const auto& arch : listing_archs) {
        const auto result = computed<float>(arch, run, 1);
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(result[i] == std::fma(2.5F, x[i], y[i]));
        }
    }
}

TEST_CASE("a gather reads where its indices say") {
    Files files;
    const auto in = random_values<float>(500, -1, 1);
    const auto index = random_values<int>(1000, 0, 499);
    const Run run{
        "gather", {4, 1, 1}, {256, 1, 1}, files(in) + "," + files(index) + "," + size_of(1000, 4) + ",1000"};
    for (const auto& arch : listing_archs) {
        const auto result = computed<float>(arch, run, 2);
        for (std::size_t i = 0; i < index.size(); ++i) {
            CHECK(result[i] == in[static_cast<std::size_t>(index[i])]);
        }
    }
}

TEST_CASE("a sparse matrix times a vector") {
    Files files;
    const auto graph = random_graph(300, 20);
    const auto value = random_values<float>(graph.column.size(), -1, 1), x = random_values<float>(300, -1, 1);
    const Run run{"spmv_csr",
                  {3, 1, 1},
                  {128, 1, 1},
                  files(graph.row) + "," + files(graph.column) + "," + files(value) + "," + files(x) + "," +
                      size_of(300, 4) + ",300"};
    for (const auto& arch : listing_archs) {
        const auto result = computed<float>(arch, run, 4);
        for (std::size_t r = 0; r < 300; ++r) {
            double sum = 0;
            for (auto j = static_cast<std::size_t>(graph.row[r]);
                 j < static_cast<std::size_t>(graph.row[r + 1]); ++j) {
                sum += double{value[j]} * double{x[static_cast<std::size_t>(graph.column[j])]};
            }
            CHECK(result[r] == Approx(sum).margin(1e-5));
        }
    }
}

TEST_CASE("histograms by atomics count every element once") {
    Files files;
    const auto bytes = random_values<unsigned char>(5000, 0, 255);
    const auto words = random_values<unsigned>(5000, 0, 1000000);
    const Run shared{"histogram_shared", {3, 1, 1}, {128, 1, 1}, files(bytes) + ",ptr:1KiB=zeros,5000"};
    const Run global{"histogram_global", {3, 1, 1}, {128, 1, 1}, files(words) + ",ptr:148B=zeros,5000,37"};
    std::vector<unsigned> of_bytes(256), of_words(37);
    for (const auto b : bytes) {
        ++of_bytes[b];
    }
    for (const auto w : words) {
        ++of_words[w % 37];
    }
    for (const auto& arch : listing_archs) {
        INFO(arch);
        CHECK(computed<unsigned>(arch, shared, 1) == of_bytes);
        CHECK(computed<unsigned>(arch, global, 1) == of_words);
    }
}

TEST_CASE("a step of a breadth-first search finds the next level") {
    Files files;
    const auto graph = random_graph(400, 6);
    auto level = random_values<int>(400, -1, 2);
    const Run run{"bfs_step",
                  {4, 1, 1},
                  {128, 1, 1},
                  files(graph.row) + "," + files(graph.column) + "," + files(level) + ",ptr:4B=zeros,2,400"};
    auto expected = level;
    for (std::size_t v = 0; v < 400; ++v) {
        for (auto j = graph.row[v]; level[v] == 2 && j < graph.row[v + 1]; ++j) {
            auto& to = expected[static_cast<std::size_t>(graph.column[static_cast<std::size_t>(j)])];
            to = to < 0 ? 3 : to;
        }
    }
    for (const auto& arch : listing_archs) {
        INFO(arch);
        CHECK(computed<int>(arch, run, 2) == expected);
        CHECK(computed<int>(arch, run, 3) == std::vector<int>{1});
    }
}

TEST_CASE("a loop of compare-and-swap adds doubles") {
    Files files;
    const auto in = random_values<double>(300, -1, 1);
    const Run run{"cas_add", {3, 1, 1}, {128, 1, 1}, files(in) + ",ptr:40B=zeros,300,5"};
    std::vector<double> sums(5);
    for (std::size_t i = 0; i < in.size(); ++i) {
        sums[i % 5] += in[i];
    }
    for (const auto& arch : listing_archs) {
        const auto result = computed<double>(arch, run, 1);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            INFO(arch);
            CHECK(result[i] == Approx(sums[i]).epsilon(1e-12));
        }
    }
}

TEST_CASE("a compaction keeps what is positive") {
    Files files;
    const auto in = random_values<float>(1000, -1, 1);
    const Run run{"compact", {4, 1, 1}, {256, 1, 1}, files(in) + ",ptr:4000B=zeros,ptr:4B=zeros,1000"};
    std::vector<float> expected;
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](float x) { return x > 0; });
    std::sort(expected.begin(), expected.end());
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const auto count = computed<int>(arch, run, 2).front();
        auto result = computed<float>(arch, run, 1);
        CHECK(count == static_cast<int>(expected.size()));
        result.resize(static_cast<std::size_t>(count));
        std::sort(result.begin(), result.end());
        CHECK(result == expected);
    }
}

TEST_CASE("the steps of a bitonic sort") {
    Files files;
    const auto keys = random_values<int>(512, 0, 10000);
    for (const auto& arch : listing_archs) {
        auto now = keys, expected = keys;
        for (int k = 2; k <= 16; k *= 2) {
            for (int j = k / 2; j > 0; j /= 2) {
                now = computed<int>(arch,
                                    {"bitonic_step",
                                     {2, 1, 1},
                                     {256, 1, 1},
                                     files(now) + "," + std::to_string(j) + "," + std::to_string(k)},
                                    0);
            }
        }
        for (std::size_t begin = 0; begin < 512; begin += 16) {
            const auto first = expected.begin() + static_cast<std::ptrdiff_t>(begin);
            std::sort(first, first + 16);
            if ((begin & 16U) != 0) {
                std::reverse(first, first + 16);
            }
        }
        INFO(arch);
        CHECK(now == expected);
    }
}

TEST_CASE("binary search finds the first place") {
    Files files;
    auto sorted = random_values<int>(777, 0, 5000);
    std::sort(sorted.begin(), sorted.end());
    const auto wanted = random_values<int>(300, -10, 5010);
    const Run run{"binary_search",
                  {3, 1, 1},
                  {128, 1, 1},
                  files(sorted) + "," + files(wanted) + "," + size_of(300, 4) + ",777,300"};
    for (const auto& arch : listing_archs) {
        const auto result = computed<int>(arch, run, 2);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            CHECK(result[i] == std::lower_bound(sorted.begin(), sorted.end(), wanted[i]) - sorted.begin());
        }
    }
}

TEST_CASE("a reduction with atomics over blocks") {
    Files files;
    const auto in = random_values<float>(5000, 0, 1);
    const Run run{"reduction", {3, 1, 1}, {256, 1, 1}, files(in) + ",ptr:4B=zeros,5000"};
    const double sum = std::accumulate(in.begin(), in.end(), 0.0);
    for (const auto& arch : listing_archs) {
        CHECK(computed<float>(arch, run, 1).front() == Approx(sum).epsilon(1e-5));
    }
}

TEST_CASE("a scan of each block") {
    Files files;
    const auto in = random_values<int>(512, -100, 100);
    const Run run{"block_scan", {2, 1, 1}, {256, 1, 1}, files(in) + ",ptr:2KiB"};
    std::vector<int> expected(512);
    std::partial_sum(in.begin(), in.begin() + 256, expected.begin());
    std::partial_sum(in.begin() + 256, in.end(), expected.begin() + 256);
    for (const auto& arch : listing_archs) {
        INFO(arch);
        CHECK(computed<int>(arch, run, 1) == expected);
    }
}

TEST_CASE("a transpose, a stencil and a matrix product") {
    Files files;
    constexpr std::size_t width = 60, height = 50;
    const auto in = random_values<double>(width * height, -1, 1);
    const auto plane = random_values<float>(width * height, -1, 1);
    const auto a = random_values<float>(64 * 64, -1, 1), b = random_values<float>(64 * 64, -1, 1);
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const auto turned =
            computed<double>(arch, {"transpose", {4, 4, 1}, {16, 16, 1}, files(in) + ",ptr:24000B,60,50"}, 1);
        const auto smooth = computed<float>(
            arch, {"stencil", {4, 4, 1}, {16, 16, 1}, files(plane) + ",ptr:12000B=zeros,60,50"}, 1);
        for (std::size_t y = 0; y < height; ++y) {
            for (std::size_t x = 0; x < width; ++x) {
                const auto i = y * width + x;
                CHECK(turned[x * height + y] == in[i]);
                const bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
                const double around = !inside ? 0
                                              : double{plane[i - 1]} + double{plane[i + 1]} +
                                                    double{plane[i - width]} + double{plane[i + width]};
                CHECK(smooth[i] == Approx(inside ? 0.5 * double{plane[i]} + 0.125 * around : 0).margin(1e-6));
            }
        }
        const auto c = computed<float>(
            arch, {"matrix_product", {4, 4, 1}, {16, 16, 1}, files(a) + "," + files(b) + ",ptr:16KiB,64"}, 2);
        for (std::size_t i = 0; i < 64; ++i) {
            for (std::size_t j = 0; j < 64; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 64; ++k) {
                    sum += double{a[i * 64 + k]} * double{b[k * 64 + j]};
                }
                CHECK(c[i * 64 + j] == Approx(sum).margin(1e-4));
            }
        }
    }
}

}  // namespace values_test
