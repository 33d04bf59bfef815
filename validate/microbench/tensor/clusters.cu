// How many clusters of blocks run at once, and which SMs they can lie on: a cluster has to fit into one GPC,
// whose numbers of SMs differ. data/h200_sxm_clusters.csv.
//   nvcc -O3 -std=c++20 -arch=sm_90 -I. -o clusters validate/microbench/tensor/clusters.cu && ./clusters
//   query     what cudaOccupancyMaxActiveClusters says, for each size and one or two blocks per SM
//   resident  clusters that had begun when the first one ended, of three times as many as there is room for;
//             of them in each GPC, in the order of the rows of gpc
//   few       SMs' blocks of so few clusters that there is room for many more: the GPCs they went to, in turn
//   gpc       SMs whose blocks were ever in one cluster, directly or by others
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "validate/microbench/standalone.cuh"

namespace {

constexpr int largest = 16;  // blocks of a cluster; above 8 a kernel has to ask for it
constexpr unsigned long long stay_ns = 200000;

struct Stay {
    unsigned sm, cluster;
    unsigned long long begin, end;
};

__device__ unsigned long long global_timer() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void __launch_bounds__(128) stay(Stay* out, unsigned long long ns) {
    unsigned cluster;
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    const unsigned long long begin = global_timer();
    unsigned long long now = begin;
    while (now - begin < ns) {
        now = global_timer();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = {sm_number(), cluster, begin, now};
    }
}

struct Config {
    Config(int size, int per_sm, int clusters) {
        value.gridDim = dim3(static_cast<unsigned>(size * clusters));
        value.blockDim = dim3(128);
        value.dynamicSmemBytes = per_sm == 1 ? 200 << 10 : 100 << 10;  // of 227 KiB
        dimension.id = cudaLaunchAttributeClusterDimension;
        dimension.val.clusterDim.x = static_cast<unsigned>(size);
        dimension.val.clusterDim.y = dimension.val.clusterDim.z = 1;
        value.attrs = &dimension;
        value.numAttrs = 1;
        check(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(value.dynamicSmemBytes)));
    }
    Config(const Config&) = delete;
    Config& operator=(const Config&) = delete;
    cudaLaunchConfig_t value{};
    cudaLaunchAttribute dimension{};
};

int queried(int size, int per_sm) {
    int clusters = 0;
    const Config config(size, per_sm, 1);
    const auto status = cudaOccupancyMaxActiveClusters(&clusters, stay, &config.value);
    if (status != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        return -1;
    }
    return clusters;
}

struct Launched {
    int size, per_sm;
    bool few;
    std::vector<Stay> blocks;
};

Launched launched(int size, int per_sm, int clusters, bool few) {
    static Stay* log = nullptr;
    constexpr int most = 4096;
    if (log == nullptr) {
        check(cudaMalloc(&log, most * sizeof(Stay)));
    }
    const int count = std::min(clusters, most / size);
    const Config config(size, per_sm, count);
    check(cudaLaunchKernelEx(&config.value, stay, log, stay_ns));
    check(cudaDeviceSynchronize());
    Launched run{size, per_sm, few, std::vector<Stay>(static_cast<std::size_t>(size * count))};
    check(cudaMemcpy(run.blocks.data(), log, run.blocks.size() * sizeof(Stay), cudaMemcpyDeviceToHost));
    return run;
}

// SMs that lie in one GPC, as far as clusters show.
class Gpcs {
public:
    explicit Gpcs(int sms) : parent_(static_cast<std::size_t>(sms)) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }
    void join(unsigned a, unsigned b) { parent_[root(a)] = root(b); }
    // Ordered by their lowest SM.
    void number() {
        for (unsigned sm = 0; sm < parent_.size(); ++sm) {
            const auto found = index_.try_emplace(root(sm), index_.size()).first;
            members_.resize(index_.size());
            members_[found->second].push_back(sm);
        }
    }
    [[nodiscard]] std::size_t of(unsigned sm) { return index_.at(root(sm)); }
    [[nodiscard]] const std::vector<std::vector<unsigned>>& members() const { return members_; }

private:
    unsigned root(unsigned sm) {
        while (parent_[sm] != sm) {
            sm = parent_[sm];
        }
        return sm;
    }
    std::vector<unsigned> parent_;
    std::map<unsigned, std::size_t> index_;
    std::vector<std::vector<unsigned>> members_;
};

std::vector<const Stay*> at_once(const Launched& run) {
    unsigned long long first_end = ~0ULL;
    for (const auto& block : run.blocks) {
        first_end = std::min(first_end, block.end);
    }
    std::vector<const Stay*> firsts;  // of each cluster
    for (std::size_t i = 0; i < run.blocks.size(); i += static_cast<std::size_t>(run.size)) {
        if (run.blocks[i].begin < first_end) {
            firsts.push_back(&run.blocks[i]);
        }
    }
    return firsts;
}

void print(const Launched& run, Gpcs& gpcs) {
    const auto firsts = at_once(run);
    std::string words;
    if (run.few) {
        for (const auto* block : firsts) {
            words += std::to_string(gpcs.of(block->sm)) + " ";
        }
    } else {
        std::vector<int> held(gpcs.members().size());
        for (const auto* block : firsts) {
            ++held[gpcs.of(block->sm)];
        }
        for (const int clusters : held) {
            words += std::to_string(clusters) + " ";
        }
    }
    std::printf("%s,%d,%d,%zu,%s\n", run.few ? "few" : "resident", run.size, run.per_sm, firsts.size(),
                words.c_str());
}

}  // namespace

int main() {
    cudaDeviceProp props;
    check(cudaGetDeviceProperties(&props, 0));
    const int sms = props.multiProcessorCount;
    std::printf("# gpu: %s\n# sm_count: %d\nwhat,size,blocks_per_sm,count,detail\n", props.name, sms);
    check(cudaFuncSetAttribute(stay, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    Gpcs gpcs(sms);
    std::vector<Launched> runs;
    for (const int per_sm : {1, 2}) {
        for (int size = 1; size <= largest; ++size) {
            const int most = queried(size, per_sm);
            std::printf("query,%d,%d,%d,\n", size, per_sm, most);
            if (most <= 0) {
                continue;
            }
            for (int round = 0; round < 3; ++round) {
                runs.push_back(launched(size, per_sm, 3 * most, false));
            }
            runs.push_back(launched(size, per_sm, std::max(1, most / 2), true));
        }
    }
    for (const auto& run : runs) {
        for (std::size_t i = 1; i < run.blocks.size(); ++i) {
            if (run.blocks[i].cluster == run.blocks[i - 1].cluster) {
                gpcs.join(run.blocks[i].sm, run.blocks[i - 1].sm);
            }
        }
    }
    gpcs.number();
    for (const auto& members : gpcs.members()) {
        std::string words;
        for (const unsigned sm : members) {
            words += std::to_string(sm) + " ";
        }
        std::printf("gpc,,,%zu,%s\n", members.size(), words.c_str());
    }
    for (const auto& run : runs) {
        print(run, gpcs);
    }
}
