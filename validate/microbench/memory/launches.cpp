// Which launches of the memory suite are made.
#include "validate/microbench/memory/memory.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int sms = 132;  // what grids of some blocks per SM are made for; other GPUs run the same grids
constexpr long long mib = 1 << 20;

std::string array(long long bytes) {
    return "ptr:" + std::to_string((bytes + mib - 1) / mib) + "MiB";
}

unsigned blocks_of(long long elements, int block) {
    return static_cast<unsigned>((elements + block - 1) / block);
}

class Streams {
public:
    explicit Streams(std::vector<MemoryLaunch>& list) : list_(list) {}

    // `bytes` per array; the whole of it, rounded down to full rounds of the grid; grid 0: one round.
    void read(int words, int unroll, int block, int grid, long long bytes) {
        const auto [g, n] = shape(words, unroll, block, grid, bytes);
        if (n == 0) {
            return;
        }
        list_.push_back({name("read", words, unroll), dim3(g), dim3(block), 0,
                         array(bytes) + "|ptr:16MiB|" + std::to_string(n) + "|0"});
    }
    void copy(int words, int unroll, int block, int grid, long long bytes) {
        const auto [g, n] = shape(words, unroll, block, grid, bytes);
        if (n == 0) {
            return;
        }
        list_.push_back({name("copy", words, unroll), dim3(g), dim3(block), 0,
                         array(bytes) + "|" + array(bytes) + "|" + std::to_string(n)});
    }
    void fill(int words, int unroll, int block, int grid, long long bytes) {
        const auto [g, n] = shape(words, unroll, block, grid, bytes);
        if (n == 0) {
            return;
        }
        list_.push_back({name("fill", words, unroll), dim3(g), dim3(block), 0,
                         array(bytes) + "|" + std::to_string(n) + "|1.5f"});
    }
    // `bytes` in all.
    void mix(int words, int reads, int writes, int block, long long bytes) {
        const long long n = bytes / (reads + writes) / (4 * words) / block * block;
        list_.push_back({std::string(words == 1 ? "mix1" : "mix") + "_r" + std::to_string(reads) + "_w" +
                             std::to_string(writes),
                         dim3(blocks_of(n, block)), dim3(block), 0,
                         array(4LL * words * n * reads) + "|" + array(4LL * words * n * std::max(writes, 1)) +
                             "|" + std::to_string(n) + "|0"});
    }

private:
    static std::string name(const char* what, int words, int unroll) {
        return std::string(what) + "_w" + std::to_string(words) + "_u" + std::to_string(unroll);
    }
    static std::pair<unsigned, long long> shape(int words, int unroll, int block, int grid, long long bytes) {
        const long long elements = bytes / (4 * words);
        const unsigned g =
            grid > 0 ? static_cast<unsigned>(grid) : static_cast<unsigned>(elements / (block * unroll));
        const long long round = static_cast<long long>(g) * block * unroll;
        return {g, elements / round * round};
    }

    std::vector<MemoryLaunch>& list_;
};

void bytes_in_flight(Streams& streams) {
    struct Access {
        int words, unroll;
    };
    for (const Access a :
         {Access{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 1}, {2, 4}, {4, 1}, {4, 2}, {4, 4}, {4, 8}}) {
        for (const int threads : {64, 128, 256, 512, 1024, 2048}) {  // per SM
            const int block = std::min(threads, 256);
            streams.read(a.words, a.unroll, block, sms * threads / block, 512 * mib);
            if (threads >= 256) {
                streams.copy(a.words, a.unroll, block, sms * threads / block, 512 * mib);
                streams.read(a.words, a.unroll, block, sms * threads / block, 16 * mib);  // from L2
            }
            if (threads == 256 || threads == 2048) {
                streams.fill(a.words, a.unroll, block, sms * threads / block, 512 * mib);
                streams.copy(a.words, a.unroll, block, sms * threads / block, 16 * mib);
                streams.fill(a.words, a.unroll, block, sms * threads / block, 16 * mib);
            }
        }
    }
    for (const int few : {1, 8, 33, 66}) {  // SMs
        for (const Access a : {Access{1, 1}, {1, 4}, {4, 1}, {4, 4}}) {
            for (const int block : {256, 1024}) {
                streams.read(a.words, a.unroll, block, few, few * 2 * mib);
                streams.read(a.words, a.unroll, block, few, few >= 33 ? 512 * mib : 128 * mib);
                streams.copy(a.words, a.unroll, block, few, few >= 33 ? 512 * mib : 128 * mib);
                streams.fill(a.words, a.unroll, block, few, few >= 33 ? 512 * mib : 128 * mib);
            }
        }
    }
}

void sizes(Streams& streams) {
    for (const int size :
         {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 512, 1024}) {
        for (const int words : {1, 4}) {
            streams.read(words, 1, 256, 0, size * mib);  // an element a thread
            streams.read(words, 4, 256, 8 * sms, size * mib);
            streams.copy(words, 1, 256, 0, size * mib / 2);
            streams.fill(words, 1, 256, 0, size * mib);
        }
    }
    for (const int kib : {16, 64, 128, 256, 512}) {
        for (const int words : {1, 4}) {
            streams.read(words, 1, 128, 0, kib * 1024);
            streams.copy(words, 1, 128, 0, kib * 1024);
        }
    }
}

void blocks(Streams& streams) {
    for (const int block : {32, 64, 128, 256, 512, 1024}) {
        for (const int words : {1, 4}) {
            streams.read(words, 1, block, 0, 256 * mib);
            streams.read(words, 4, block, 0, 256 * mib);
            streams.copy(words, 1, block, 0, 256 * mib);
            streams.copy(words, 4, block, 0, 256 * mib);
            streams.copy(words, 1, block, 0, 8 * mib);
        }
    }
}

void mixes(Streams& streams) {
    constexpr int ratios[][2] = {{8, 1}, {4, 1}, {3, 1}, {2, 1}, {1, 1}, {2, 2}, {4, 4}, {1, 2}, {1, 4}};
    for (const auto& ratio : ratios) {
        for (const int words : {1, 4}) {
            streams.mix(words, ratio[0], ratio[1], 256, 768 * mib);
            streams.mix(words, ratio[0], ratio[1], 256, 24 * mib);
        }
    }
}

void strides(std::vector<MemoryLaunch>& list) {
    for (const int stride : {1, 2, 3, 4, 6, 8, 16, 32, 64}) {
        for (const int span : {24, 512}) {  // MiB
            const long long n = span * mib / (4 * stride) / (8 * sms * 256 * 4) * (8LL * sms * 256 * 4);
            for (const int offset : {0, 1}) {
                if (n > 0 && (offset == 0 || stride == 1)) {
                    list.push_back({"read_stride", dim3(8 * sms), dim3(256), 0,
                                    array((span + 1) * mib) + "|ptr:16MiB|" + std::to_string(n) + "|" +
                                        std::to_string(stride) + "|" + std::to_string(offset) + "|0"});
                }
            }
            const long long written = span * mib / (4 * stride);
            list.push_back({"fill_stride", dim3(blocks_of(written, 256)), dim3(256), 0,
                            array((span + 1) * mib) + "|" + std::to_string(written) + "|" +
                                std::to_string(stride) + "|0|1.5f"});
        }
    }
    for (const int kib : {64, 512, 2048, 8192}) {
        for (const int per_sm : {1, 4}) {
            list.push_back({"read_shared", dim3(per_sm * sms), dim3(256), 0,
                            "ptr:8MiB|ptr:1MiB|" + std::to_string(kib * 64) + "|" +
                                std::to_string(std::max(1, 2048 / kib)) + "|0"});
        }
    }
}

void small_launches(std::vector<MemoryLaunch>& list) {
    for (const int grid : {1, 132, 1056, 4224, 16896, 67584}) {
        for (const int block : {32, 128, 256, 1024}) {
            list.push_back({"nothing", dim3(grid), dim3(block), 0, "ptr:1MiB|0"});
        }
    }
}

}  // namespace

std::vector<MemoryLaunch> stream_launches() {
    std::vector<MemoryLaunch> list;
    Streams streams(list);
    bytes_in_flight(streams);
    sizes(streams);
    blocks(streams);
    mixes(streams);
    strides(list);
    small_launches(list);
    return list;
}

std::vector<MemoryLaunch> chain_launches() {
    std::vector<MemoryLaunch> list;
    struct Kind {
        const char* entry;
        const char* rest;
    };
    for (const Kind kind : {Kind{"chain_ffma", "|0.5f"},
                            {"chain_ffma_rolled", "|0.5f"},
                            {"chain_imad", "|1664525"},
                            {"chain_imad_rolled", "|1664525"},
                            {"chain_imad64", ""},
                            {"chain_xorshift", ""},
                            {"chain_break", "|0.25f|8.0f"},
                            {"chain_break_unrolled", "|0.25f|8.0f"},
                            {"chain_if", "|0.5f"}}) {
        for (const int threads : {32, 128, 256, 512, 1024, 2048}) {  // per SM
            for (const int trips : {1000, 5000}) {
                const int block = std::min(threads, 256);
                list.push_back({kind.entry, dim3(sms * threads / block), dim3(block), 0,
                                "ptr:4MiB|" + std::to_string(trips) + kind.rest});
            }
        }
    }
    return list;
}

namespace {

void add_elementwise(std::vector<MemoryLaunch>& list) {
    for (const int size : {4, 24, 160}) {  // MiB per array
        const long long n = size * mib / 4 - 77;
        const std::string a = array(size * mib), text = std::to_string(n);
        const std::string three = a + "|" + a + "|" + a + "|0.5f|";
        list.push_back({"test_triad", dim3(blocks_of(n, 256)), dim3(256), 0, three + text});
        list.push_back({"test_triad", dim3(blocks_of(n, 64)), dim3(64), 0, three + text});
        list.push_back(
            {"test_triad_vector", dim3(blocks_of(n / 4, 256)), dim3(256), 0, three + std::to_string(n / 4)});
        list.push_back({"test_triad_few_blocks", dim3(2 * sms), dim3(256), 100000, three + text});
        list.push_back({"test_triad_few_blocks", dim3(4 * sms), dim3(256), 50000, three + text});
        list.push_back({"test_axpy", dim3(8 * sms), dim3(256), 0, "0.5f|" + a + "|" + a + "|" + text});
        list.push_back({"test_bytes", dim3(blocks_of(n, 256)), dim3(256), 0, a + "|" + a + "|" + text});
        list.push_back({"test_gray", dim3(blocks_of(n, 256)), dim3(256), 0, a + "|" + a + "|" + text});
    }
}

void add_stencils(std::vector<MemoryLaunch>& list) {
    for (const int side : {1000, 3000, 8000}) {
        const std::string a = array(4LL * side * side), s = std::to_string(side);
        const auto blocks = [side](int b) { return blocks_of(side, b); };
        list.push_back({"test_stencil_2d", dim3(blocks(32), blocks(8)), dim3(32, 8), 0,
                        a + "|" + a + "|" + s + "|" + s});
        list.push_back({"test_stencil_2d", dim3(blocks(128), blocks(2)), dim3(128, 2), 0,
                        a + "|" + a + "|" + s + "|" + s});
    }
    for (const int side : {96, 200, 384}) {
        const std::string a = array(4LL * side * side * side), s = std::to_string(side);
        const std::string args = a + "|" + a + "|" + s + "|" + s + "|" + s;
        list.push_back(
            {"test_stencil_3d", dim3(blocks_of(side, 32), blocks_of(side, 8), side), dim3(32, 8), 0, args});
        list.push_back(
            {"test_stencil_march", dim3(blocks_of(side, 32), blocks_of(side, 8)), dim3(32, 8), 0, args});
    }
    for (const int side : {1024, 2048, 6144}) {
        const std::string a = array(4LL * side * side), s = std::to_string(side);
        list.push_back(
            {"test_transpose", dim3(side / 32, side / 32), dim3(32, 8), 0, a + "|" + a + "|" + s + "|" + s});
    }
}

void add_reductions(std::vector<MemoryLaunch>& list) {
    for (const int size : {4, 24, 256}) {  // MiB
        const long long n = size * mib / 4;
        const std::string a = array(size * mib), text = std::to_string(n);
        list.push_back({"test_reduce", dim3(8 * sms), dim3(256), 0, a + "|ptr:1MiB|" + text});
        list.push_back({"test_reduce", dim3(256), dim3(256), 0, a + "|ptr:1MiB|" + text});
        list.push_back({"test_reduce_tree", dim3(blocks_of(n, 512)), dim3(256), 0, a + "|ptr:4MiB"});
        list.push_back({"test_dot", dim3(4 * sms), dim3(512), 0, a + "|" + a + "|ptr:1MiB|" + text});
        list.push_back({"test_scan_shared", dim3(blocks_of(n, 512)), dim3(512), 0, a + "|" + a});
        list.push_back({"test_scan_shuffle", dim3(blocks_of(n, 256)), dim3(256), 0, a + "|" + a});
        list.push_back({"test_bitonic", dim3(blocks_of(n / 2, 256)), dim3(256), 0, a + "|4096|65536"});
        list.push_back({"test_compact", dim3(blocks_of(n, 256)), dim3(256), 0, a + "|" + a + "|ptr:4MiB"});
        for (const int columns : {1024, 4096}) {
            const auto rows = static_cast<unsigned>(n / columns);
            const std::string c = std::to_string(columns);
            list.push_back({"test_softmax", dim3(rows), dim3(256), 0, a + "|" + a + "|" + c});
            list.push_back({"test_layer_norm", dim3(rows), dim3(256), 0, a + "|ptr:1MiB|" + a + "|" + c});
            list.push_back({"test_matvec", dim3(rows / 8), dim3(256), 0, a + "|ptr:1MiB|ptr:1MiB|" + c});
        }
    }
}

}  // namespace

std::vector<MemoryLaunch> held_back_launches() {
    std::vector<MemoryLaunch> list;
    add_elementwise(list);
    add_stencils(list);
    add_reductions(list);
    for (const int side : {256, 1024}) {
        const std::string s = std::to_string(side);
        list.push_back(
            {"test_julia", dim3(side / 16, side / 8), dim3(16, 8), 0, "ptr:8MiB|" + s + "|" + s + "|500"});
    }
    for (const int grid : {132, 1056}) {
        list.push_back({"test_darts", dim3(grid), dim3(256), 0, "ptr:2MiB|2000"});
        list.push_back({"test_walk", dim3(grid), dim3(256), 0, "ptr:2MiB|500|1103515245|12345|10007"});
    }
    return list;
}

}  // namespace gpumodel::microbench
