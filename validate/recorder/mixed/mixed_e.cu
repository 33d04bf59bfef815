// Irregular GPU kernels: graphs, sparse algebra, hash tables, sorting steps, columnar data, text, streams.
#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

typedef unsigned long long u64;
typedef long long i64;

#define CK(expr)                                                                                                                                     \
    do {                                                                                                                                             \
        cudaError_t status_ = (expr);                                                                                                                \
        if (status_ != cudaSuccess) {                                                                                                                \
            std::fprintf(stderr, "line %d: %s -> %s\n", __LINE__, #expr, cudaGetErrorString(status_));                                               \
            std::exit(3);                                                                                                                            \
        }                                                                                                                                            \
    } while (0)

#define RUN4(kernel, grid, block, smem, ...)                                                                                                         \
    do {                                                                                                                                             \
        for (int turn_ = 0; turn_ < 4; ++turn_) {                                                                                                    \
            kernel<<<grid, block, smem>>>(__VA_ARGS__);                                                                                              \
            CK(cudaGetLastError());                                                                                                                  \
        }                                                                                                                                            \
        CK(cudaDeviceSynchronize());                                                                                                                 \
    } while (0)

static const unsigned ALL = 0xffffffffu;
static int failures = 0;
static std::vector<void *> owned;

static void report(const char *name, bool good) {
    std::printf("%s %s\n", name, good ? "OK" : "MISMATCH");
    std::fflush(stdout);
    if (!good) ++failures;
}

template <class T> static T *blank(size_t count) {
    void *p = nullptr;
    CK(cudaMalloc(&p, count * sizeof(T)));
    CK(cudaMemset(p, 0, count * sizeof(T))); owned.push_back(p);
    return (T *)p;
}

template <class T> static T *to_device(const std::vector<T> &host) {
    void *p = nullptr;
    CK(cudaMalloc(&p, host.size() * sizeof(T)));
    CK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); owned.push_back(p);
    return (T *)p;
}

template <class T> static std::vector<T> to_host(const T *dev, size_t count) {
    std::vector<T> host(count);
    CK(cudaMemcpy(host.data(), dev, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static void drop_buffers() {
    for (void *p : owned) CK(cudaFree(p));
    owned.clear();
}

static int blocks_for(int items, int per_block) { return (items + per_block - 1) / per_block; }

static bool close_to(double got, double want, double rel, double abs) { return std::fabs(got - want) <= abs + rel * std::fabs(want); }

struct Dice {
    uint64_t state;
    explicit Dice(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 12345) {}
    uint64_t wide() {
        uint64_t z = (state += 0x9E3779B97F4A7C15ull); z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    unsigned word() { return (unsigned)(wide() >> 32); }
    int below(int n) { return (int)(((uint64_t)word() * (uint64_t)n) >> 32); }
    int span(int lo, int hi) { return lo + below(hi - lo + 1); }
    double unit() { return (double)(wide() >> 11) * (1.0 / 9007199254740992.0); }
    int skewed(int n, double power) { return std::min(n - 1, (int)(std::pow(unit(), power) * n)); }
};

struct Csr {
    std::vector<int> row, col;
};

static Csr random_csr(Dice &dice, int rows, int cols, int lo, int hi, double power, int window) {
    Csr m; m.row.push_back(0); std::vector<int> line;
    for (int r = 0; r < rows; ++r) {
        int len = lo + dice.skewed(hi - lo + 1, power); int centre = (int)((i64)r * cols / rows); line.clear();
        for (int k = 0; k < len; ++k) {
            int c = dice.below(10) < 7 ? centre + dice.span(-window, window) : dice.below(cols);
            line.push_back(std::min(std::max(c, 0), cols - 1));
        }
        std::sort(line.begin(), line.end()); line.erase(std::unique(line.begin(), line.end()), line.end());
        m.col.insert(m.col.end(), line.begin(), line.end()); m.row.push_back((int)m.col.size());
    }
    return m;
}

// PageRank: vertices above the threshold push their residual along out-edges with float atomics.
__global__ void pagerank_push_residual(int n, const int *__restrict__ row, const int *__restrict__ col, const float *__restrict__ residual,
                                       float *__restrict__ rank, float *next_residual, float damping, float threshold) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float r = residual[v];
    if (r < threshold) return;
    rank[v] += r; int begin = row[v], end = row[v + 1];
    if (begin == end) return;
    float share = damping * r / (float)(end - begin);
    for (int e = begin; e < end; ++e) atomicAdd(&next_residual[col[e]], share);
}

static void run_pagerank_push() {
    Dice dice(1); const int n = 120000; const float damping = 0.85f, threshold = 0.3f;
    std::vector<int> row(1, 0), col;
    for (int v = 0; v < n; ++v) {
        int len = dice.below(20) == 0 ? 0 : 2 + dice.skewed(120, 9.0);
        for (int k = 0; k < len; ++k) col.push_back(dice.skewed(n, 2.0));
        row.push_back((int)col.size());
    }
    std::vector<float> residual(n), rank(n);
    for (int v = 0; v < n; ++v) {
        residual[v] = (float)dice.unit(); rank[v] = (float)(0.15 * dice.unit());
    }
    std::vector<double> want_rank(rank.begin(), rank.end()), want_next(n, 0.0);
    for (int v = 0; v < n; ++v) {
        if (residual[v] < threshold) continue;
        want_rank[v] += 4.0 * residual[v];
        for (int e = row[v]; e < row[v + 1]; ++e) want_next[col[e]] += 4.0 * damping * residual[v] / (row[v + 1] - row[v]);
    }
    int *d_row = to_device(row), *d_col = to_device(col);
    float *d_res = to_device(residual), *d_rank = to_device(rank), *d_next = blank<float>(n);
    RUN4(pagerank_push_residual, blocks_for(n, 256), 256, 0, n, d_row, d_col, d_res, d_rank, d_next, damping, threshold);
    std::vector<float> got_rank = to_host(d_rank, n), got_next = to_host(d_next, n); bool good = true;
    for (int v = 0; v < n; ++v) good = good && close_to(got_rank[v], want_rank[v], 1e-5, 1e-5) && close_to(got_next[v], want_next[v], 4e-3, 1e-4);
    report("pagerank_push_residual", good);
}

// Triangle counting: one thread per directed edge merges two sorted adjacency lists.
__global__ void triangle_merge_edges(int edges, const int2 *__restrict__ edge, const int *__restrict__ row, const int *__restrict__ col, u64 *total) {
    int e = blockIdx.x * blockDim.x + threadIdx.x; unsigned found = 0;
    if (e < edges) {
        int2 uv = edge[e]; int a = row[uv.x], a_end = row[uv.x + 1]; int b = row[uv.y], b_end = row[uv.y + 1];
        while (a < a_end && b < b_end) {
            int ca = col[a], cb = col[b]; found += ca == cb; a += ca <= cb; b += cb <= ca;
        }
    }
    for (int o = 16; o > 0; o >>= 1) found += __shfl_down_sync(ALL, found, o);
    if ((threadIdx.x & 31) == 0 && found) atomicAdd(total, (u64)found);
}

static void run_triangles() {
    Dice dice(2); const int n = 80000; std::vector<int> row(1, 0), col, line; std::vector<int2> edge;
    for (int u = 0; u < n; ++u) {
        int len = 8 + dice.skewed(70, 3.0); line.clear();
        for (int k = 0; k < len && u < n - 1; ++k) {
            int v = dice.below(8) ? u + 1 + dice.below(180) : u + 1 + dice.below(n - 1 - u);
            if (v < n) line.push_back(v);
        }
        std::sort(line.begin(), line.end()); line.erase(std::unique(line.begin(), line.end()), line.end());
        for (int v : line) {
            col.push_back(v); edge.push_back(make_int2(u, v));
        }
        row.push_back((int)col.size());
    }
    u64 want = 0; std::vector<int> mark(n, -1);
    for (int u = 0; u < n; ++u) {
        for (int e = row[u]; e < row[u + 1]; ++e) mark[col[e]] = u;
        for (int e = row[u]; e < row[u + 1]; ++e)
            for (int f = row[col[e]]; f < row[col[e] + 1]; ++f) want += mark[col[f]] == u;
    }
    int m = (int)edge.size(); int2 *d_edge = to_device(edge);
    int *d_row = to_device(row), *d_col = to_device(col); u64 *d_total = blank<u64>(1);
    RUN4(triangle_merge_edges, blocks_for(m, 128), 128, 0, m, d_edge, d_row, d_col, d_total);
    report("triangle_merge_edges", to_host(d_total, 1)[0] == 4 * want);
}

// Bellman-Ford relaxation over an edge list, distance and predecessor packed in 64 bits.
__global__ void sssp_relax_packed64(int edges, const int *__restrict__ src, const int *__restrict__ dst, const unsigned *__restrict__ weight,
                                    const u64 *__restrict__ state, u64 *best) {
    int step = gridDim.x * blockDim.x;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += step) {
        int s = src[e]; unsigned d = (unsigned)(state[s] >> 32);
        if (d == 0xffffffffu) continue;
        u64 candidate = ((u64)(d + weight[e]) << 32) | (unsigned)s; u64 *slot = &best[dst[e]];
        if (candidate < *slot) atomicMin(slot, candidate);
    }
}

static void run_sssp() {
    Dice dice(3); const int n = 200000, m = 1500000; std::vector<int> src(m), dst(m);
    std::vector<unsigned> weight(m); std::vector<u64> state(n);
    for (int v = 0; v < n; ++v) state[v] = dice.below(10) < 6 ? ((u64)(1000 + dice.below(100000)) << 32) | (unsigned)dice.below(n) : ~0ull;
    for (int e = 0; e < m; ++e) {
        src[e] = (int)((i64)e * n / m);
        dst[e] = dice.below(3) ? std::min(n - 1, std::max(0, src[e] + dice.span(-3000, 3000))) : dice.skewed(n, 1.5);
        weight[e] = 1u + (unsigned)dice.skewed(5000, 2.0);
    }
    std::vector<u64> want = state;
    for (int e = 0; e < m; ++e) {
        u64 d = state[src[e]] >> 32;
        if (d != 0xffffffffull) want[dst[e]] = std::min(want[dst[e]], ((d + weight[e]) << 32) | (unsigned)src[e]);
    }
    int *d_src = to_device(src), *d_dst = to_device(dst); unsigned *d_w = to_device(weight);
    u64 *d_state = to_device(state), *d_best = to_device(state);
    RUN4(sssp_relax_packed64, 132 * 6, 256, 0, m, d_src, d_dst, d_w, d_state, d_best);
    report("sssp_relax_packed64", to_host(d_best, n) == want);
}

// Linked lists scattered in memory: each thread walks one list from its head.
__global__ void list_chase_rank(int lists, const int *__restrict__ head, const int2 *__restrict__ node, u64 *__restrict__ weighted,
                                int *__restrict__ length) {
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lists) return;
    u64 sum = 0; int hops = 0;
    for (int at = head[l]; at >= 0;) {
        int2 cell = node[at]; ++hops; sum += (u64)hops * (unsigned)cell.y; at = cell.x;
    }
    weighted[l] = sum; length[l] = hops;
}

static void run_list_chase() {
    Dice dice(4); const int lists = 3150, n = 440000;
    std::vector<int> order(n), head(lists, -1), length(lists, 0); std::vector<int2> node(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[dice.below(i + 1)]);
    for (int i = 0; i < n; ++i) {
        int l = dice.below(lists), at = order[i]; node[at] = make_int2(head[l], dice.below(1000000));
        head[l] = at;
    }
    std::vector<u64> want(lists, 0);
    for (int l = 0; l < lists; ++l)
        for (int at = head[l]; at >= 0; at = node[at].x) want[l] += (u64)(++length[l]) * (u64)node[at].y;
    int *d_head = to_device(head), *d_len = blank<int>(lists); int2 *d_node = to_device(node);
    u64 *d_sum = blank<u64>(lists);
    RUN4(list_chase_rank, blocks_for(lists, 96), 96, 0, lists, d_head, d_node, d_sum, d_len);
    report("list_chase_rank", to_host(d_sum, lists) == want && to_host(d_len, lists) == length);
}

// Louvain move: a warp collects the weights to neighbouring communities in a small shared hash table.
__global__ void louvain_best_move(int n, const int *__restrict__ row, const int *__restrict__ col, const int *__restrict__ weight,
                                  const int *__restrict__ community, const int *__restrict__ strength, const int *__restrict__ total, i64 twice_m,
                                  int *__restrict__ target, i64 *__restrict__ gain) {
    __shared__ int key[4][64];
    __shared__ int acc[4][64];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5; int v = blockIdx.x * 4 + warp;
    if (v >= n) return;
    for (int i = lane; i < 64; i += 32) {
        key[warp][i] = -1; acc[warp][i] = 0;
    }
    __syncwarp(); int end = row[v + 1];
    for (int e = row[v] + lane; e < end; e += 32) {
        int u = col[e];
        if (u == v) continue;
        int c = community[u]; unsigned h = ((unsigned)c * 2654435761u) >> 26;
        while (true) {
            int seen = atomicCAS(&key[warp][h], -1, c);
            if (seen == -1 || seen == c) break;
            h = (h + 1) & 63u;
        }
        atomicAdd(&acc[warp][h], weight[e]);
    }
    __syncwarp(); int own = community[v], k = strength[v]; i64 best = LLONG_MIN; int best_c = INT_MAX;
    for (int i = lane; i < 64; i += 32) {
        int c = key[warp][i];
        if (c < 0) continue;
        i64 t = total[c] - (c == own ? k : 0); i64 g = twice_m * acc[warp][i] - k * t;
        if (g > best || (g == best && c < best_c)) {
            best = g; best_c = c;
        }
    }
    for (int o = 16; o > 0; o >>= 1) {
        i64 g = __shfl_xor_sync(ALL, best, o); int c = __shfl_xor_sync(ALL, best_c, o);
        if (g > best || (g == best && c < best_c)) {
            best = g; best_c = c;
        }
    }
    if (lane == 0) {
        target[v] = best_c == INT_MAX ? own : best_c; gain[v] = best_c == INT_MAX ? 0 : best;
    }
}

static void run_louvain() {
    Dice dice(5); const int n = 50000; Csr g = random_csr(dice, n, n, 2, 48, 1.3, 40);
    std::vector<int> weight(g.col.size()), community(n), strength(n, 0), total(n, 0); i64 twice_m = 0;
    for (auto &w : weight) w = dice.span(1, 9);
    for (int v = 0; v < n; ++v) {
        community[v] = dice.below(6) ? v - v % 12 : dice.below(n);
        for (int e = g.row[v]; e < g.row[v + 1]; ++e) strength[v] += weight[e];
        twice_m += strength[v];
    }
    for (int v = 0; v < n; ++v) total[community[v]] += strength[v];
    std::vector<int> want_target(n); std::vector<i64> want_gain(n); std::vector<std::pair<int, int>> sums;
    for (int v = 0; v < n; ++v) {
        sums.clear();
        for (int e = g.row[v]; e < g.row[v + 1]; ++e) {
            if (g.col[e] == v) continue;
            int c = community[g.col[e]]; size_t i = 0;
            while (i < sums.size() && sums[i].first != c) ++i;
            if (i == sums.size()) sums.push_back(std::make_pair(c, 0));
            sums[i].second += weight[e];
        }
        i64 best = LLONG_MIN; int best_c = INT_MAX;
        for (auto &s : sums) {
            i64 t = total[s.first] - (s.first == community[v] ? strength[v] : 0);
            i64 q = twice_m * s.second - strength[v] * t;
            if (q > best || (q == best && s.first < best_c)) {
                best = q; best_c = s.first;
            }
        }
        want_target[v] = sums.empty() ? community[v] : best_c; want_gain[v] = sums.empty() ? 0 : best;
    }
    int *d_row = to_device(g.row), *d_col = to_device(g.col), *d_w = to_device(weight);
    int *d_comm = to_device(community), *d_str = to_device(strength), *d_tot = to_device(total);
    int *d_target = blank<int>(n); i64 *d_gain = blank<i64>(n);
    RUN4(louvain_best_move, blocks_for(n, 4), 128, 0, n, d_row, d_col, d_w, d_comm, d_str, d_tot, twice_m, d_target, d_gain);
    report("louvain_best_move", to_host(d_target, n) == want_target && to_host(d_gain, n) == want_gain);
}

// COO SpMV in double: warp segmented sum by row, one atomic per row piece.
__global__ void coo_segsum_f64(int nnz, const int *__restrict__ row, const int *__restrict__ col, const double *__restrict__ val,
                               const double *__restrict__ x, double *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; int lane = threadIdx.x & 31; bool live = i < nnz;
    int r = live ? row[i] : -1; double p = live ? val[i] * x[col[i]] : 0.0;
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        double q = __shfl_up_sync(ALL, p, o); int rr = __shfl_up_sync(ALL, r, o);
        if (lane >= o && rr == r) p += q;
    }
    int after = __shfl_down_sync(ALL, r, 1);
    if (live && (lane == 31 || after != r)) atomicAdd(&y[r], p);
}

static void run_coo() {
    Dice dice(6); const int rows = 90000; Csr m = random_csr(dice, rows, rows, 2, 120, 6.0, 2500);
    int nnz = (int)m.col.size(); std::vector<int> row(nnz);
    std::vector<double> val(nnz), x(rows), want(rows, 0.0);
    for (auto &f : val) f = 2.0 * dice.unit() - 1.0; for (auto &f : x) f = 2.0 * dice.unit() - 1.0;
    for (int r = 0; r < rows; ++r)
        for (int e = m.row[r]; e < m.row[r + 1]; ++e) {
            row[e] = r; want[r] += 4.0 * val[e] * x[m.col[e]];
        }
    int *d_row = to_device(row), *d_col = to_device(m.col);
    double *d_val = to_device(val), *d_x = to_device(x), *d_y = blank<double>(rows);
    RUN4(coo_segsum_f64, blocks_for(nnz, 256), 256, 0, nnz, d_row, d_col, d_val, d_x, d_y);
    std::vector<double> got = to_host(d_y, rows); bool good = true;
    for (int r = 0; r < rows; ++r) good = good && close_to(got[r], want[r], 1e-10, 1e-10);
    report("coo_segsum_f64", good);
}

// SpGEMM symbolic phase: distinct columns of one product row counted in a shared hash set.
__global__ void __launch_bounds__(64) spgemm_count_hash(const int *__restrict__ a_row, const int *__restrict__ a_col, const int *__restrict__ b_row,
                                                        const int *__restrict__ b_col, int *__restrict__ c_count) {
    __shared__ int table[1024];
    __shared__ int total;
    int t = threadIdx.x, group = t >> 4, lane = t & 15;
    for (int i = t; i < 1024; i += 64) table[i] = -1; if (t == 0) total = 0;
    __syncthreads(); int mine = 0, end = a_row[blockIdx.x + 1];
    for (int e = a_row[blockIdx.x] + group; e < end; e += 4) {
        int k = a_col[e], b_end = b_row[k + 1];
        for (int f = b_row[k] + lane; f < b_end; f += 16) {
            int c = b_col[f]; unsigned h = ((unsigned)c * 0x9E3779B1u) >> 22;
            while (true) {
                int seen = atomicCAS(&table[h], -1, c); mine += seen == -1;
                if (seen == -1 || seen == c) break;
                h = (h + 1) & 1023u;
            }
        }
    }
    if (mine) atomicAdd(&total, mine);
    __syncthreads();
    if (t == 0) c_count[blockIdx.x] = total;
}

static void run_spgemm() {
    Dice dice(7); const int rows = 20000, inner = 24000, cols = 30000;
    Csr a = random_csr(dice, rows, inner, 3, 22, 1.2, 50);
    Csr b = random_csr(dice, inner, cols, 2, 26, 1.2, 60); std::vector<int> want(rows, 0), mark(cols, -1);
    for (int r = 0; r < rows; ++r)
        for (int e = a.row[r]; e < a.row[r + 1]; ++e)
            for (int f = b.row[a.col[e]]; f < b.row[a.col[e] + 1]; ++f)
                if (mark[b.col[f]] != r) {
                    mark[b.col[f]] = r; ++want[r];
                }
    int *d_ar = to_device(a.row), *d_ac = to_device(a.col), *d_br = to_device(b.row), *d_bc = to_device(b.col);
    int *d_count = blank<int>(rows); RUN4(spgemm_count_hash, rows, 64, 0, d_ar, d_ac, d_br, d_bc, d_count);
    report("spgemm_count_hash", to_host(d_count, rows) == want);
}

// Fixed-point ILU(0) sweep in double: one thread per nonzero merges a row of L with a column of U.
__global__ void ilu0_fixedpoint_f64(int nnz, const int *__restrict__ ent_row, const int *__restrict__ ent_col, const double *__restrict__ ent_val,
                                    const int *__restrict__ ent_pos, const int *__restrict__ l_ptr, const int *__restrict__ l_col,
                                    const double *__restrict__ l_val, const int *__restrict__ u_ptr, const int *__restrict__ u_row,
                                    const double *__restrict__ u_val, double *__restrict__ l_new, double *__restrict__ u_new) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= nnz) return;
    int i = ent_row[e], j = ent_col[e]; double s = ent_val[e];
    int a = l_ptr[i], a_end = l_ptr[i + 1], b = u_ptr[j], b_end = u_ptr[j + 1]; int stop = min(i, j);
    while (a < a_end && b < b_end) {
        int ka = l_col[a], kb = u_row[b];
        if (ka >= stop || kb >= stop) break; if (ka == kb) s -= l_val[a] * u_val[b];
        a += ka <= kb; b += kb <= ka;
    }
    if (i > j) l_new[ent_pos[e]] = s / u_val[b_end - 1]; else u_new[ent_pos[e]] = s;
}

static void run_ilu() {
    Dice dice(8); const int side = 27, n = side * side * side;
    std::vector<int> er, ec, pos, l_ptr(1, 0), l_col, u_ptr(n + 1, 0), u_row;
    std::vector<double> ev, diag(n), l_val, u_val;
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                int i = (z * side + y) * side + x;
                for (int dz = -1; dz <= 1; ++dz)
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx) {
                            int xx = x + dx, yy = y + dy, zz = z + dz;
                            if (xx < 0 || yy < 0 || zz < 0 || xx >= side || yy >= side || zz >= side) continue;
                            int j = (zz * side + yy) * side + xx;
                            double v = i == j ? 27.0 + dice.unit() : -0.8 - 0.4 * dice.unit();
                            if (i == j) diag[i] = v;
                            er.push_back(i); ec.push_back(j); ev.push_back(v);
                            if (i <= j) ++u_ptr[j + 1];
                        }
            }
    int nnz = (int)er.size();
    for (int j = 0; j < n; ++j) u_ptr[j + 1] += u_ptr[j];
    u_row.resize(u_ptr[n]); u_val.resize(u_ptr[n]); pos.resize(nnz);
    std::vector<int> fill(u_ptr.begin(), u_ptr.end() - 1);
    for (int e = 0; e < nnz; ++e) {
        if (er[e] > ec[e]) {
            pos[e] = (int)l_col.size(); l_col.push_back(ec[e]); l_val.push_back(ev[e] / diag[ec[e]]);
        } else {
            pos[e] = fill[ec[e]]++; u_row[pos[e]] = er[e]; u_val[pos[e]] = ev[e];
        }
        if (e + 1 == nnz || er[e + 1] != er[e]) l_ptr.push_back((int)l_col.size());
    }
    std::vector<double> want_l(l_val.size()), want_u(u_val.size()); std::vector<double> dense(n, 0.0);
    for (int e = 0; e < nnz;) {
        int i = er[e];
        for (int a = l_ptr[i]; a < l_ptr[i + 1]; ++a) dense[l_col[a]] = l_val[a];
        for (; e < nnz && er[e] == i; ++e) {
            int j = ec[e]; double s = ev[e];
            for (int b = u_ptr[j]; b < u_ptr[j + 1] && u_row[b] < std::min(i, j); ++b) s -= dense[u_row[b]] * u_val[b];
            if (i > j) want_l[pos[e]] = s / u_val[u_ptr[j + 1] - 1]; else want_u[pos[e]] = s;
        }
        for (int a = l_ptr[i]; a < l_ptr[i + 1]; ++a) dense[l_col[a]] = 0.0;
    }
    int *d_er = to_device(er), *d_ec = to_device(ec), *d_pos = to_device(pos);
    int *d_lp = to_device(l_ptr), *d_lc = to_device(l_col), *d_up = to_device(u_ptr), *d_ur = to_device(u_row);
    double *d_ev = to_device(ev), *d_lv = to_device(l_val), *d_uv = to_device(u_val);
    double *d_ln = blank<double>(l_val.size()), *d_un = blank<double>(u_val.size());
    RUN4(ilu0_fixedpoint_f64, blocks_for(nnz, 192), 192, 0, nnz, d_er, d_ec, d_ev, d_pos, d_lp, d_lc, d_lv, d_up, d_ur, d_uv, d_ln, d_un);
    std::vector<double> got_l = to_host(d_ln, l_val.size()), got_u = to_host(d_un, u_val.size());
    bool good = true;
    for (size_t k = 0; k < want_l.size(); ++k) good = good && close_to(got_l[k], want_l[k], 1e-10, 1e-11);
    for (size_t k = 0; k < want_u.size(); ++k) good = good && close_to(got_u[k], want_u[k], 1e-10, 1e-11);
    report("ilu0_fixedpoint_f64", good);
}

#define CUCKOO_BITS 18

__host__ __device__ inline unsigned cuckoo_first(unsigned k) { return (k * 0x85EBCA6Bu) >> (32 - CUCKOO_BITS); }
__host__ __device__ inline unsigned cuckoo_second(unsigned k) { return ((k ^ (k >> 15)) * 0xC2B2AE35u) >> (32 - CUCKOO_BITS); }

// Cuckoo hash lookup: two candidate buckets of four keys, 16 bytes per bucket read.
__global__ void cuckoo_find_bucket4(int n, const unsigned *__restrict__ query, const uint4 *__restrict__ keys, const unsigned *__restrict__ values,
                                    unsigned *__restrict__ answer) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = query[i], result = 0xffffffffu; unsigned bucket = cuckoo_first(k);
    for (int attempt = 0; attempt < 2; ++attempt) {
        uint4 b = keys[bucket]; int slot = b.x == k ? 0 : b.y == k ? 1 : b.z == k ? 2 : b.w == k ? 3 : -1;
        if (slot >= 0) {
            result = values[bucket * 4 + slot];
            break;
        }
        bucket = cuckoo_second(k);
    }
    answer[i] = result;
}

static unsigned spread32(unsigned h) {
    h ^= h >> 16; h *= 0x85EBCA6Bu; h ^= h >> 13; h *= 0xC2B2AE35u;
    return h ^ (h >> 16);
}

static void run_cuckoo() {
    Dice dice(9); const int buckets = 1 << CUCKOO_BITS, stored = 800000, n = 1000000;
    std::vector<uint4> keys(buckets, make_uint4(0, 0, 0, 0));
    std::vector<unsigned> values(buckets * 4, 0), query(n), want(n); unsigned *flat = (unsigned *)keys.data();
    for (int i = 0; i < stored; ++i) {
        unsigned k = spread32((unsigned)i + 1u), bucket = cuckoo_first(k);
        for (int kick = 0; kick < 400 && k; ++kick) {
            int at = -1;
            unsigned both[2] = {cuckoo_first(k), cuckoo_second(k)};
            for (int side = 0; side < 2 && at < 0; ++side)
                for (int s = 0; s < 4 && at < 0; ++s)
                    if (flat[both[side] * 4 + s] == 0) at = (int)(both[side] * 4 + s);
            if (at >= 0) {
                flat[at] = k; k = 0;
            } else {
                std::swap(k, flat[bucket * 4 + dice.below(4)]);
                bucket = cuckoo_first(k) == bucket ? cuckoo_second(k) : cuckoo_first(k);
            }
        }
    }
    std::unordered_map<unsigned, unsigned> present; present.reserve(stored);
    for (int s = 0; s < buckets * 4; ++s)
        if (flat[s]) {
            values[s] = spread32(flat[s] + 77u) >> 1; present[flat[s]] = values[s];
        }
    for (int i = 0; i < n; ++i) {
        unsigned id = dice.below(10) < 7 ? (unsigned)dice.below(stored) : (unsigned)(stored + dice.below(1000000000));
        query[i] = spread32(id + 1u); auto it = present.find(query[i]);
        want[i] = it == present.end() ? 0xffffffffu : it->second;
    }
    unsigned *d_query = to_device(query), *d_values = to_device(values), *d_answer = blank<unsigned>(n);
    uint4 *d_keys = to_device(keys);
    RUN4(cuckoo_find_bucket4, blocks_for(n, 512), 512, 0, n, d_query, d_keys, d_values, d_answer);
    report("cuckoo_find_bucket4", to_host(d_answer, n) == want);
}

#define GROUPS 1000

// Group-by: count, 64-bit sum and maximum pre-aggregated per block in shared memory.
__global__ void __launch_bounds__(512)
    groupby_preagg_shared(int n, const unsigned short *__restrict__ key, const int *__restrict__ amount, unsigned *count, u64 *sum, int *biggest) {
    __shared__ u64 s_sum[GROUPS];
    __shared__ unsigned s_count[GROUPS];
    __shared__ int s_big[GROUPS];
    for (int g = threadIdx.x; g < GROUPS; g += blockDim.x) {
        s_sum[g] = 0; s_count[g] = 0; s_big[g] = INT_MIN;
    }
    __syncthreads(); int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int g = key[i], v = amount[i]; atomicAdd(&s_count[g], 1u); atomicAdd(&s_sum[g], (u64)(i64)v);
        if (v > s_big[g]) atomicMax(&s_big[g], v);
    }
    __syncthreads();
    for (int g = threadIdx.x; g < GROUPS; g += blockDim.x) {
        if (s_count[g] == 0) continue;
        atomicAdd(&count[g], s_count[g]); atomicAdd(&sum[g], s_sum[g]); atomicMax(&biggest[g], s_big[g]);
    }
}

static void run_groupby() {
    Dice dice(10); const int n = 2000000; std::vector<unsigned short> key(n);
    std::vector<int> amount(n), want_big(GROUPS, INT_MIN); std::vector<unsigned> want_count(GROUPS, 0);
    std::vector<u64> want_sum(GROUPS, 0);
    for (int i = 0; i < n; ++i) {
        key[i] = (unsigned short)dice.skewed(GROUPS, 2.2); amount[i] = dice.span(-200000000, 900000000);
        want_count[key[i]] += 4; want_sum[key[i]] += 4 * (u64)(i64)amount[i];
        want_big[key[i]] = std::max(want_big[key[i]], amount[i]);
    }
    unsigned short *d_key = to_device(key);
    int *d_amount = to_device(amount), *d_big = to_device(std::vector<int>(GROUPS, INT_MIN));
    unsigned *d_count = blank<unsigned>(GROUPS); u64 *d_sum = blank<u64>(GROUPS);
    RUN4(groupby_preagg_shared, 264, 512, 0, n, d_key, d_amount, d_count, d_sum, d_big);
    report("groupby_preagg_shared",
           to_host(d_count, GROUPS) == want_count && to_host(d_sum, GROUPS) == want_sum && to_host(d_big, GROUPS) == want_big);
}

__constant__ unsigned bloom_salt[8];

__host__ __device__ inline u64 mix64(u64 h) {
    h ^= h >> 33; h *= 0xff51afd7ed558ccdull; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
}

// Split-block Bloom filter probe of 64-bit keys, salts in constant memory, one result bit per key.
__global__ void bloom_probe_blocked(int n, const u64 *__restrict__ key, const uint4 *__restrict__ filter, unsigned block_count,
                                    unsigned *__restrict__ hits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; bool pass = false;
    if (i < n) {
        u64 h = mix64(key[i]); unsigned low = (unsigned)h;
        unsigned at = (unsigned)(((h >> 32) * block_count) >> 32);
        uint4 a = filter[2 * at], b = filter[2 * at + 1];
        unsigned words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        unsigned every = 1u;
#pragma unroll
        for (int k = 0; k < 8; ++k) every &= words[k] >> ((low * bloom_salt[k]) >> 27);
        pass = every & 1u;
    }
    unsigned mask = __ballot_sync(ALL, pass);
    if ((threadIdx.x & 31) == 0 && i < n) hits[i >> 5] = mask;
}

static void run_bloom() {
    Dice dice(11); const unsigned blocks = 1u << 17; const int stored = 1800000, n = 1500000;
    const unsigned salt[8] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
    std::vector<uint4> filter(blocks * 2, make_uint4(0, 0, 0, 0)); unsigned *flat = (unsigned *)filter.data();
    for (int i = 0; i < stored; ++i) {
        u64 h = mix64((u64)i * 7919u + 3u); unsigned at = (unsigned)(((h >> 32) * blocks) >> 32);
        for (int k = 0; k < 8; ++k) flat[at * 8 + k] |= 1u << (((unsigned)h * salt[k]) >> 27);
    }
    std::vector<u64> key(n); std::vector<unsigned> want(n / 32, 0);
    for (int i = 0; i < n; ++i) {
        key[i] = dice.below(2) ? (u64)dice.below(stored) * 7919u + 3u : dice.wide(); u64 h = mix64(key[i]);
        unsigned at = (unsigned)(((h >> 32) * blocks) >> 32); bool pass = true;
        for (int k = 0; k < 8; ++k) pass = pass && ((flat[at * 8 + k] >> (((unsigned)h * salt[k]) >> 27)) & 1u);
        if (pass) want[i / 32] |= 1u << (i % 32);
    }
    CK(cudaMemcpyToSymbol(bloom_salt, salt, sizeof(salt))); u64 *d_key = to_device(key);
    uint4 *d_filter = to_device(filter); unsigned *d_hits = blank<unsigned>(n / 32);
    RUN4(bloom_probe_blocked, blocks_for(n, 256), 256, 0, n, d_key, d_filter, blocks, d_hits);
    report("bloom_probe_blocked", to_host(d_hits, n / 32) == want);
}

// Work queue: warps draw chunks of 32 Collatz starts from a wrapping ticket counter.
__global__ void collatz_workqueue_u64(u64 first, int chunks, unsigned *ticket, int *__restrict__ steps) {
    int lane = threadIdx.x & 31; unsigned wrap = (unsigned)chunks + gridDim.x * (blockDim.x >> 5) - 1u;
    while (true) {
        unsigned t = 0;
        if (lane == 0) t = atomicInc(ticket, wrap);
        t = __shfl_sync(ALL, t, 0);
        if (t >= (unsigned)chunks) break;
        u64 v = first + (u64)t * 32u + lane; int count = 0;
        while (v != 1ull && count < 900) {
            v = (v & 1ull) ? 3ull * v + 1ull : v >> 1; ++count;
        }
        steps[t * 32 + lane] = count;
    }
}

static void run_collatz() {
    const int chunks = 9000; const u64 first = 1234567890123ull; std::vector<int> want(chunks * 32);
    for (int i = 0; i < chunks * 32; ++i) {
        u64 v = first + (u64)i; int count = 0;
        for (; v != 1ull && count < 900; ++count) v = (v & 1ull) ? 3ull * v + 1ull : v >> 1;
        want[i] = count;
    }
    unsigned *d_ticket = blank<unsigned>(1); int *d_steps = blank<int>(chunks * 32);
    RUN4(collatz_workqueue_u64, 132, 128, 0, first, chunks, d_ticket, d_steps);
    report("collatz_workqueue_u64", to_host(d_steps, chunks * 32) == want && to_host(d_ticket, 1)[0] == 0u);
}

#define MERGE_THREADS 128
#define MERGE_EACH 9
#define MERGE_TILE (MERGE_THREADS * MERGE_EACH)

__device__ inline int merge_split(const unsigned *a, int na, const unsigned *b, int nb, int diagonal) {
    int lo = max(0, diagonal - nb), hi = min(diagonal, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diagonal - 1 - mid]) lo = mid + 1; else hi = mid;
    }
    return lo;
}

// Merge path: each block merges one tile of two sorted arrays through shared memory.
__global__ void __launch_bounds__(MERGE_THREADS)
    merge_path_tiles(const unsigned *__restrict__ a, int na, const unsigned *__restrict__ b, int nb, unsigned *__restrict__ out) {
    __shared__ unsigned tile[MERGE_TILE];
    __shared__ int split[2];
    int t = threadIdx.x; int d0 = blockIdx.x * MERGE_TILE, d1 = min(d0 + MERGE_TILE, na + nb);
    if (t < 2) split[t] = merge_split(a, na, b, nb, t == 0 ? d0 : d1);
    __syncthreads(); int a0 = split[0], la = split[1] - a0, b0 = d0 - a0, count = d1 - d0, lb = count - la;
    for (int i = t; i < la; i += MERGE_THREADS) tile[i] = a[a0 + i];
    for (int i = t; i < lb; i += MERGE_THREADS) tile[la + i] = b[b0 + i];
    __syncthreads(); const unsigned *sa = tile, *sb = tile + la; int d = min(t * MERGE_EACH, count);
    int i = merge_split(sa, la, sb, lb, d), j = d - i; unsigned merged[MERGE_EACH];
#pragma unroll
    for (int k = 0; k < MERGE_EACH; ++k) {
        merged[k] = 0;
        if (i < la && (j >= lb || sa[i] <= sb[j])) merged[k] = sa[i++]; else if (j < lb) merged[k] = sb[j++];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < MERGE_EACH; ++k)
        if (t * MERGE_EACH + k < count) tile[t * MERGE_EACH + k] = merged[k];
    __syncthreads();
    for (int k = t; k < count; k += MERGE_THREADS) out[d0 + k] = tile[k];
}

static void run_merge_path() {
    Dice dice(13); const int na = 1300007, nb = 800021; std::vector<unsigned> a(na), b(nb), want(na + nb);
    for (auto &v : a) v = dice.below(3) ? dice.word() : 500000000u + (unsigned)dice.below(20000000);
    for (auto &v : b) v = dice.below(4) ? dice.word() : 1u << dice.below(32);
    std::sort(a.begin(), a.end()); std::sort(b.begin(), b.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
    unsigned *d_a = to_device(a), *d_b = to_device(b), *d_out = blank<unsigned>(na + nb);
    RUN4(merge_path_tiles, blocks_for(na + nb, MERGE_TILE), MERGE_THREADS, 0, d_a, na, d_b, nb, d_out);
    report("merge_path_tiles", to_host(d_out, na + nb) == want);
}

__constant__ float splitter_tree[256];

// Sample sort: walk an implicit splitter tree in constant memory, write bucket ids and block counts.
__global__ void __launch_bounds__(256)
    samplesort_classify(const float *__restrict__ key, unsigned char *__restrict__ bucket, unsigned *__restrict__ counts) {
    __shared__ unsigned bins[256];
    int t = threadIdx.x; bins[t] = 0; __syncthreads(); int base = blockIdx.x * 4096;
    for (int k = 0; k < 4096; k += 256) {
        float x = key[base + k + t]; int j = 1;
#pragma unroll
        for (int level = 0; level < 8; ++level) j = 2 * j + (x > splitter_tree[j] ? 1 : 0);
        bucket[base + k + t] = (unsigned char)(j - 256); atomicAdd(&bins[j - 256], 1u);
    }
    __syncthreads(); counts[t * gridDim.x + blockIdx.x] = bins[t];
}

static void plant_tree(const std::vector<float> &sorted, std::vector<float> &tree, int node, int &next) {
    if (node >= 256) return;
    plant_tree(sorted, tree, 2 * node, next); tree[node] = sorted[next++];
    plant_tree(sorted, tree, 2 * node + 1, next);
}

static void run_samplesort() {
    Dice dice(14); const int blocks = 460, n = blocks * 4096;
    std::vector<float> key(n), sample(255 * 16), splitter(255), tree(256, 0.0f);
    for (auto &f : key) f = (float)(std::log(1.0 - dice.unit()) * -40.0 + (dice.below(4) ? 0.0 : 25.0));
    for (auto &f : sample) f = key[dice.below(n)];
    std::sort(sample.begin(), sample.end());
    for (int i = 0; i < 255; ++i) splitter[i] = sample[i * 16 + 8];
    int next = 0; plant_tree(splitter, tree, 1, next); std::vector<unsigned char> want(n);
    std::vector<unsigned> want_counts(256 * blocks, 0);
    for (int i = 0; i < n; ++i) {
        want[i] = (unsigned char)(std::lower_bound(splitter.begin(), splitter.end(), key[i]) - splitter.begin());
        ++want_counts[want[i] * blocks + i / 4096];
    }
    CK(cudaMemcpyToSymbol(splitter_tree, tree.data(), 256 * sizeof(float))); float *d_key = to_device(key);
    unsigned char *d_bucket = blank<unsigned char>(n); unsigned *d_counts = blank<unsigned>(256 * blocks);
    RUN4(samplesort_classify, blocks, 256, 0, d_key, d_bucket, d_counts);
    report("samplesort_classify", to_host(d_bucket, n) == want && to_host(d_counts, 256 * blocks) == want_counts);
}

// Segmented sort: ranks of a segment's keys by all-pairs comparison in shared memory.
__global__ void segment_ranksort(const int *__restrict__ offset, const float *__restrict__ in, float *__restrict__ out) {
    extern __shared__ float seg[];
    int begin = offset[blockIdx.x], len = offset[blockIdx.x + 1] - begin;
    for (int i = threadIdx.x; i < len; i += blockDim.x) seg[i] = in[begin + i];
    __syncthreads();
    for (int i = threadIdx.x; i < len; i += blockDim.x) {
        float mine = seg[i]; int rank = 0;
        for (int k = 0; k < len; ++k) {
            float other = seg[k]; rank += (other < mine) || (other == mine && k < i);
        }
        out[begin + rank] = mine;
    }
}

static void run_segment_sort() {
    Dice dice(15); const int segments = 4500, longest = 640; std::vector<int> offset(1, 0);
    for (int s = 0; s < segments; ++s) offset.push_back(offset.back() + 16 + dice.skewed(longest - 15, 1.2));
    int n = offset.back(); std::vector<float> in(n), want;
    for (auto &f : in) f = (float)dice.span(-40000, 40000) * 0.25f;
    want = in;
    for (int s = 0; s < segments; ++s) std::sort(want.begin() + offset[s], want.begin() + offset[s + 1]);
    int *d_offset = to_device(offset); float *d_in = to_device(in), *d_out = blank<float>(n);
    RUN4(segment_ranksort, segments, 128, longest * sizeof(float), d_offset, d_in, d_out);
    report("segment_ranksort", to_host(d_out, n) == want);
}

// Second pass of reduce-then-scan: every block sums the earlier tile totals itself, 64-bit output.
__global__ void __launch_bounds__(256) scan_apply_u64(const uint4 *__restrict__ in, const u64 *__restrict__ tile_sum, ulonglong2 *__restrict__ out) {
    __shared__ u64 earlier[8], inside[8];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5; u64 before = 0;
    for (int i = tid; i < (int)blockIdx.x; i += 256) before += tile_sum[i];
    for (int o = 16; o > 0; o >>= 1) before += __shfl_down_sync(ALL, before, o);
    if (lane == 0) earlier[warp] = before;
    size_t t = (size_t)blockIdx.x * 256 + tid; uint4 p = in[2 * t], q = in[2 * t + 1];
    u64 v[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 1; k < 8; ++k) v[k] += v[k - 1];
    u64 upto = v[7];
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        u64 other = __shfl_up_sync(ALL, upto, o);
        if (lane >= o) upto += other;
    }
    if (lane == 31) inside[warp] = upto;
    __syncthreads(); u64 base = upto - v[7];
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        base += earlier[w];
        if (w < warp) base += inside[w];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) out[4 * t + k] = make_ulonglong2(base + v[2 * k], base + v[2 * k + 1]);
}

static void run_scan_apply() {
    Dice dice(16); const int tiles = 733, n = tiles * 2048; std::vector<uint4> in(n / 4);
    unsigned *flat = (unsigned *)in.data(); std::vector<u64> tile_sum(tiles, 0), want(n); u64 running = 0;
    for (int i = 0; i < n; ++i) {
        flat[i] = dice.below(8) ? (unsigned)dice.below(4096) : dice.word(); running += flat[i];
        tile_sum[i / 2048] += flat[i]; want[i] = running;
    }
    uint4 *d_in = to_device(in); u64 *d_sum = to_device(tile_sum), *d_out = blank<u64>(n);
    RUN4(scan_apply_u64, tiles, 256, 0, d_in, d_sum, (ulonglong2 *)d_out);
    report("scan_apply_u64", to_host(d_out, n) == want);
}

// Hash join probe over chained buckets, 64-bit weighted sum of all matches per probe row.
__global__ void join_probe_chain(int n, const unsigned *__restrict__ key, const int *__restrict__ quantity, const int *__restrict__ head, int shift,
                                 const int *__restrict__ next, const unsigned *__restrict__ build_key, const i64 *__restrict__ price,
                                 i64 *__restrict__ revenue, unsigned char *__restrict__ matched) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = key[i]; i64 sum = 0; int found = 0;
    for (int at = head[(k * 0x9E3779B1u) >> shift]; at >= 0; at = next[at]) {
        if (build_key[at] == k) {
            sum += price[at]; ++found;
        }
    }
    revenue[i] = sum * quantity[i]; matched[i] = (unsigned char)min(found, 255);
}

static void run_join() {
    Dice dice(17); const int bits = 18, build = 300000, n = 800000;
    std::vector<int> head(1 << bits, -1), next(build), quantity(n);
    std::vector<unsigned> build_key(build), key(n); std::vector<i64> price(build), want(n);
    std::vector<unsigned char> want_matched(n); std::unordered_map<unsigned, std::pair<i64, int>> groups;
    groups.reserve(build);
    for (int b = 0; b < build; ++b) {
        build_key[b] = dice.below(50) ? (unsigned)(1000 + dice.below(250000)) : (unsigned)dice.below(60);
        price[b] = (i64)dice.below(1000000000) * 17 - 3000000000ll;
        unsigned h = (build_key[b] * 0x9E3779B1u) >> (32 - bits); next[b] = head[h]; head[h] = b;
        auto &g = groups[build_key[b]]; g.first += price[b]; g.second += 1;
    }
    for (int i = 0; i < n; ++i) {
        key[i] = dice.below(40) ? (unsigned)(1000 + dice.below(400000)) : (unsigned)dice.below(60);
        quantity[i] = dice.span(1, 50); auto it = groups.find(key[i]);
        want[i] = it == groups.end() ? 0 : it->second.first * quantity[i];
        want_matched[i] = (unsigned char)(it == groups.end() ? 0 : std::min(it->second.second, 255));
    }
    unsigned *d_key = to_device(key), *d_bkey = to_device(build_key);
    int *d_qty = to_device(quantity), *d_head = to_device(head), *d_next = to_device(next);
    i64 *d_price = to_device(price), *d_rev = blank<i64>(n); unsigned char *d_matched = blank<unsigned char>(n);
    RUN4(join_probe_chain, blocks_for(n, 256), 256, 0, n, d_key, d_qty, d_head, 32 - bits, d_next, d_bkey, d_price, d_rev, d_matched);
    report("join_probe_chain", to_host(d_rev, n) == want && to_host(d_matched, n) == want_matched);
}

// Dictionary decode: 16-bit codes looked up through a linear texture.
__global__ void dict_decode_tex(cudaTextureObject_t dictionary, int quads, const ushort4 *__restrict__ code, float4 *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    ushort4 c = code[i]; float4 v; v.x = tex1Dfetch<float>(dictionary, (int)c.x);
    v.y = tex1Dfetch<float>(dictionary, (int)c.y); v.z = tex1Dfetch<float>(dictionary, (int)c.z);
    v.w = tex1Dfetch<float>(dictionary, (int)c.w); out[i] = v;
}

static void run_dictionary() {
    Dice dice(18); const int entries = 40000, quads = 750000;
    std::vector<float> dictionary(entries), want(quads * 4); std::vector<ushort4> code(quads);
    for (auto &f : dictionary) f = (float)(dice.unit() * 1000.0 - 200.0);
    unsigned short *flat = (unsigned short *)code.data();
    for (int i = 0; i < quads * 4; ++i) {
        flat[i] = (unsigned short)dice.skewed(entries, 1.8); want[i] = dictionary[flat[i]];
    }
    float *d_dict = to_device(dictionary), *d_out = blank<float>(quads * 4); ushort4 *d_code = to_device(code);
    cudaResourceDesc res; std::memset(&res, 0, sizeof(res)); res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = d_dict; res.res.linear.desc = cudaCreateChannelDesc<float>();
    res.res.linear.sizeInBytes = entries * sizeof(float); cudaTextureDesc desc;
    std::memset(&desc, 0, sizeof(desc)); desc.readMode = cudaReadModeElementType; cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    RUN4(dict_decode_tex, blocks_for(quads, 320), 320, 0, tex, quads, d_code, (float4 *)d_out);
    report("dict_decode_tex", to_host(d_out, quads * 4) == want);
    CK(cudaDestroyTextureObject(tex));
}

// Column decode: 13-bit zigzag deltas unpacked by a warp per 128 values, then a warp prefix sum.
__global__ void unpack13_delta(int minis, const unsigned *__restrict__ packed, const int *__restrict__ start, int4 *__restrict__ out) {
    int m = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (m >= minis) return;
    const unsigned *words = packed + (size_t)m * 52; int v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int bit = (lane * 4 + k) * 13;
        unsigned raw = __funnelshift_r(words[bit >> 5], words[(bit >> 5) + 1], bit & 31) & 0x1fffu;
        v[k] = (int)(raw >> 1) ^ -(int)(raw & 1u);
    }
    v[1] += v[0]; v[2] += v[1]; v[3] += v[2]; int upto = v[3];
    for (int o = 1; o < 32; o <<= 1) {
        int other = __shfl_up_sync(ALL, upto, o);
        if (lane >= o) upto += other;
    }
    int base = start[m] + upto - v[3];
    out[(size_t)m * 32 + lane] = make_int4(base + v[0], base + v[1], base + v[2], base + v[3]);
}

static void run_unpack() {
    Dice dice(19); const int minis = 24001; std::vector<unsigned> packed((size_t)minis * 52 + 1, 0);
    std::vector<int> start(minis), want((size_t)minis * 128); int value = 1000000;
    for (int m = 0; m < minis; ++m) {
        start[m] = value;
        for (int k = 0; k < 128; ++k) {
            int delta = dice.below(5) ? dice.span(-60, 64) : dice.span(-4096, 4095);
            unsigned zig = ((unsigned)delta << 1) ^ (unsigned)(delta >> 31); value += delta;
            want[(size_t)m * 128 + k] = value; int bit = k * 13, word = m * 52 + (bit >> 5), shift = bit & 31;
            packed[word] |= zig << shift;
            if (shift > 19) packed[word + 1] |= zig >> (32 - shift);
        }
    }
    unsigned *d_packed = to_device(packed); int *d_start = to_device(start), *d_out = blank<int>(want.size());
    RUN4(unpack13_delta, blocks_for(minis, 4), 128, 0, minis, d_packed, d_start, (int4 *)d_out);
    report("unpack13_delta", to_host(d_out, want.size()) == want);
}

#define RLE_TILE 2048

__device__ inline int run_holding(const int *ends, int count, int position) {
    int lo = 0, hi = count;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (ends[mid] > position) hi = mid; else lo = mid + 1;
    }
    return lo;
}

// Run-length decode: block finds its run range, threads search the run ends staged in shared memory.
__global__ void __launch_bounds__(256)
    rle_expand(int runs, const int *__restrict__ run_end, const unsigned short *__restrict__ run_value, uint4 *__restrict__ out) {
    __shared__ int ends[RLE_TILE];
    __shared__ int range[2];
    int t = threadIdx.x, base = blockIdx.x * RLE_TILE;
    if (t == 0) range[0] = run_holding(run_end, runs, base);
    if (t == 32) range[1] = run_holding(run_end, runs, base + RLE_TILE - 1);
    __syncthreads(); int first = range[0], count = range[1] - first + 1;
    for (int i = t; i < count; i += 256) ends[i] = run_end[first + i];
    __syncthreads(); int position = base + t * 8; int r = run_holding(ends, count, position); unsigned half[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        while (ends[r] <= position + k) ++r;
        half[k] = run_value[first + r];
    }
    out[blockIdx.x * 256 + t] = make_uint4(half[0] | half[1] << 16, half[2] | half[3] << 16, half[4] | half[5] << 16, half[6] | half[7] << 16);
}

static void run_rle() {
    Dice dice(20); const int tiles = 2900, n = tiles * RLE_TILE; std::vector<int> run_end;
    std::vector<unsigned short> run_value, want(n);
    for (int at = 0; at < n;) {
        int len = dice.below(200) == 0 ? dice.span(1000, 6000) : 1 + dice.skewed(40, 2.5);
        int end = std::min(n, at + len); unsigned short v = (unsigned short)dice.below(65536);
        for (; at < end; ++at) want[at] = v;
        run_end.push_back(end); run_value.push_back(v);
    }
    int runs = (int)run_end.size(); int *d_end = to_device(run_end);
    unsigned short *d_value = to_device(run_value), *d_out = blank<unsigned short>(n);
    RUN4(rle_expand, tiles, 256, 0, runs, d_end, d_value, (uint4 *)d_out);
    report("rle_expand", to_host(d_out, n) == want);
}

__constant__ unsigned char char_class[256];

// Tokeniser: character classes from constant memory, a 16-bit start mask per 16 bytes, counts per block.
__global__ void __launch_bounds__(192)
    token_starts_class(int chunks, const uint4 *__restrict__ text, unsigned short *__restrict__ starts, int *__restrict__ block_tokens) {
    __shared__ int tokens;
    if (threadIdx.x == 0) tokens = 0;
    __syncthreads(); int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    uint4 v = i < chunks ? text[i] : make_uint4(0, 0, 0, 0);
    unsigned words[4] = {v.x, v.y, v.z, v.w};
    unsigned tail = __shfl_up_sync(ALL, v.w >> 24, 1);
    if (lane == 0) tail = i > 0 && i < chunks ? ((const unsigned char *)text)[(size_t)i * 16 - 1] : 32u;
    unsigned previous = char_class[tail], mask = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        unsigned c = char_class[(words[k >> 2] >> (8 * (k & 3))) & 255u];
        if (c != 0 && (c != previous || c == 3)) mask |= 1u << k;
        previous = c;
    }
    int mine = i < chunks ? __popc(mask) : 0;
    if (i < chunks) starts[i] = (unsigned short)mask;
    for (int o = 16; o > 0; o >>= 1) mine += __shfl_down_sync(ALL, mine, o);
    if (lane == 0) atomicAdd(&tokens, mine);
    __syncthreads();
    if (threadIdx.x == 0) block_tokens[blockIdx.x] = tokens;
}

static void run_tokens() {
    Dice dice(21); const int chunks = 500000, n = chunks * 16, blocks = blocks_for(chunks, 192);
    std::vector<unsigned char> classes(256, 3), text;
    for (int c = 0; c < 256; ++c) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 128) classes[c] = 1;
        if (c >= '0' && c <= '9') classes[c] = 2;
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0) classes[c] = 0;
    }
    const char *letters = "etaoinshrdlucmfwygpbvkxqjz";
    while ((int)text.size() < n) {
        int kind = dice.below(12), len = 1 + dice.skewed(14, 1.5);
        for (int k = 0; k < len; ++k) text.push_back((unsigned char)(kind == 0 ? '0' + dice.below(10) : letters[dice.skewed(26, 1.7)]));
        if (kind == 1) text.push_back((unsigned char)",.;:()=+-"[dice.below(9)]);
        if (kind == 2) text.push_back((unsigned char)(0xC3));
        if (kind > 2 || dice.below(2)) text.push_back(dice.below(15) ? ' ' : '\n');
    }
    std::vector<uint4> packed(chunks); std::memcpy(packed.data(), text.data(), n);
    std::vector<unsigned short> want(chunks, 0); std::vector<int> want_tokens(blocks, 0);
    for (int i = 0; i < n; ++i) {
        int c = classes[text[i]], p = i ? classes[text[i - 1]] : 0;
        if (c != 0 && (c != p || c == 3)) {
            want[i / 16] |= (unsigned short)(1u << (i % 16)); ++want_tokens[i / 16 / 192];
        }
    }
    CK(cudaMemcpyToSymbol(char_class, classes.data(), 256)); uint4 *d_text = to_device(packed);
    unsigned short *d_starts = blank<unsigned short>(chunks); int *d_tokens = blank<int>(blocks);
    RUN4(token_starts_class, blocks, 192, 0, chunks, d_text, d_starts, d_tokens);
    report("token_starts_class", to_host(d_starts, chunks) == want && to_host(d_tokens, blocks) == want_tokens);
}

// Levenshtein distance with Myers' 64-bit vectors, one word pair per thread, match masks in shared memory.
__global__ void __launch_bounds__(64)
    myers_distance64(int pairs, const int *__restrict__ pattern_at, const unsigned char *__restrict__ pattern, const int *__restrict__ text_at,
                     const unsigned char *__restrict__ text, int *__restrict__ distance) {
    __shared__ u64 match[26][64];
    int t = threadIdx.x, p = blockIdx.x * 64 + t;
    if (p >= pairs) return; for (int c = 0; c < 26; ++c) match[c][t] = 0;
    int from = pattern_at[p], len = pattern_at[p + 1] - from;
    for (int i = 0; i < len; ++i) match[pattern[from + i] - 'a'][t] |= 1ull << i;
    u64 plus = ~0ull, minus = 0, last = 1ull << (len - 1); int score = len, end = text_at[p + 1];
    for (int i = text_at[p]; i < end; ++i) {
        u64 eq = match[text[i] - 'a'][t]; u64 xv = eq | minus; u64 xh = (((eq & plus) + plus) ^ plus) | eq;
        u64 ph = minus | ~(xh | plus); u64 mh = plus & xh; score += (ph & last) ? 1 : 0;
        score -= (mh & last) ? 1 : 0; ph = (ph << 1) | 1ull; mh <<= 1; plus = mh | ~(xv | ph); minus = ph & xv;
    }
    distance[p] = score;
}

static void run_myers() {
    Dice dice(22); const int pairs = 24010; std::vector<int> pattern_at(1, 0), text_at(1, 0), want(pairs);
    std::vector<unsigned char> pattern, text; int line[128];
    for (int p = 0; p < pairs; ++p) {
        int len = dice.span(12, 64);
        for (int i = 0; i < len; ++i) pattern.push_back((unsigned char)('a' + dice.skewed(26, 1.5)));
        const unsigned char *a = pattern.data() + pattern_at[p];
        if (dice.below(3)) {
            for (int i = 0; i < len; ++i) {
                int edit = dice.below(12);
                if (edit != 0) text.push_back(edit == 1 ? (unsigned char)('a' + dice.below(26)) : a[i]);
                if (edit == 2) text.push_back((unsigned char)('a' + dice.below(26)));
            }
        } else {
            int other = dice.span(10, 100);
            for (int i = 0; i < other; ++i) text.push_back((unsigned char)('a' + dice.skewed(26, 1.5)));
        }
        pattern_at.push_back((int)pattern.size()); text_at.push_back((int)text.size());
        for (int i = 0; i <= len; ++i) line[i] = i;
        for (int j = text_at[p]; j < text_at[p + 1]; ++j) {
            int corner = line[0]; line[0] = corner + 1;
            for (int i = 1; i <= len; ++i) {
                int keep = corner + (a[i - 1] != text[j]); corner = line[i];
                line[i] = std::min(keep, std::min(line[i], line[i - 1]) + 1);
            }
        }
        want[p] = line[len];
    }
    int *d_pat = to_device(pattern_at), *d_tat = to_device(text_at), *d_dist = blank<int>(pairs);
    unsigned char *d_pattern = to_device(pattern), *d_text = to_device(text);
    RUN4(myers_distance64, blocks_for(pairs, 64), 64, 0, pairs, d_pat, d_pattern, d_tat, d_text, d_dist);
    report("myers_distance64", to_host(d_dist, pairs) == want);
}

struct Particle {
    float x, y, z, vx, vy, vz; int id; float mass; int species, spare;
};

// Array of 40-byte structures to separate arrays: drift, cell number, energy.
__global__ void aos_push_strided(int n, const Particle *__restrict__ part, float dt, int *__restrict__ cell, float *__restrict__ energy,
                                 float2 *__restrict__ shadow) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float vx = part[i].vx, vy = part[i].vy, vz = part[i].vz;
    float x = part[i].x + vx * dt, y = part[i].y + vy * dt, z = part[i].z + vz * dt;
    int cx = (int)floorf(x) & 63, cy = (int)floorf(y) & 63, cz = (int)floorf(z) & 63;
    cell[i] = (cz * 64 + cy) * 64 + cx; energy[i] = 0.5f * part[i].mass * (vx * vx + vy * vy + vz * vz);
    shadow[part[i].id] = make_float2(x, y);
}

static void run_aos() {
    Dice dice(23); const int n = 420000; const float dt = 0.125f; std::vector<Particle> part(n);
    for (int i = 0; i < n; ++i) {
        float *f = &part[i].x;
        for (int k = 0; k < 3; ++k) f[k] = (float)dice.below(65536) / 1024.0f;
        f = &part[i].vx;
        for (int k = 0; k < 3; ++k) f[k] = (float)dice.span(-1024, 1024) / 256.0f;
        part[i].id = i; part[i].mass = (float)(0.5 + dice.unit()); part[i].species = dice.below(3);
        part[i].spare = 0;
    }
    for (int i = 0; i < n; ++i) std::swap(part[i].id, part[std::min(n - 1, i + dice.below(64))].id);
    int *d_cell = blank<int>(n); float *d_energy = blank<float>(n); float2 *d_shadow = blank<float2>(n);
    Particle *d_part = to_device(part);
    RUN4(aos_push_strided, blocks_for(n, 224), 224, 0, n, d_part, dt, d_cell, d_energy, d_shadow);
    std::vector<int> cell = to_host(d_cell, n); std::vector<float> energy = to_host(d_energy, n);
    std::vector<float2> shadow = to_host(d_shadow, n); bool good = true;
    for (int i = 0; i < n; ++i) {
        const Particle &p = part[i];
        double x = p.x + (double)p.vx * dt, y = p.y + (double)p.vy * dt, z = p.z + (double)p.vz * dt;
        int c = (((int)std::floor(z) & 63) * 64 + ((int)std::floor(y) & 63)) * 64 + ((int)std::floor(x) & 63);
        double e = 0.5 * p.mass * ((double)p.vx * p.vx + (double)p.vy * p.vy + (double)p.vz * p.vz);
        good = good && cell[i] == c && close_to(energy[i], e, 1e-5, 1e-6) && shadow[p.id].x == (float)x && shadow[p.id].y == (float)y;
    }
    report("aos_push_strided", good);
}

__host__ __device__ inline double transposed_value(double v, int i, int j) { return i < j ? v + 1.0 : i > j ? 0.5 * v : v - 3.0; }

// In-place transposition of a square double matrix, one block per pair of mirrored tiles.
__global__ void __launch_bounds__(256) transpose_inplace_f64(double *m, int n) {
    __shared__ double up[32][33], down[32][33];
    int t = blockIdx.x; int c = (int)((sqrtf(8.0f * (float)t + 1.0f) - 1.0f) * 0.5f);
    while ((c + 1) * (c + 2) / 2 <= t) ++c; while (c * (c + 1) / 2 > t) --c;
    int r = t - c * (c + 1) / 2; int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        up[y][x] = m[(size_t)(r * 32 + y) * n + c * 32 + x];
        if (r != c) down[y][x] = m[(size_t)(c * 32 + y) * n + r * 32 + x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        int i = r * 32 + y, j = c * 32 + x;
        m[(size_t)i * n + j] = transposed_value(r != c ? down[x][y] : up[x][y], i, j);
        if (r != c) {
            i = c * 32 + y; j = r * 32 + x; m[(size_t)i * n + j] = transposed_value(up[x][y], i, j);
        }
    }
}

static void run_transpose() {
    Dice dice(24); const int tiles = 44, n = tiles * 32; std::vector<double> m((size_t)n * n), want, other;
    for (auto &f : m) f = 16.0 * dice.span(-100000, 100000);
    want = m; other.resize(m.size());
    for (int turn = 0; turn < 4; ++turn) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) other[(size_t)i * n + j] = transposed_value(want[(size_t)j * n + i], i, j);
        want.swap(other);
    }
    double *d_m = to_device(m); RUN4(transpose_inplace_f64, tiles * (tiles + 1) / 2, dim3(32, 8), 0, d_m, n);
    report("transpose_inplace_f64", to_host(d_m, m.size()) == want);
}

// Ring buffer: a warp copies one unaligned message byte by byte behind a 4-byte length header.
__global__ void ring_write_messages(int count, const int *__restrict__ offset, const unsigned char *__restrict__ payload,
                                    const unsigned *__restrict__ position, unsigned char *__restrict__ ring, unsigned mask) {
    int m = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (m >= count) return;
    int from = offset[m], len = offset[m + 1] - from; unsigned at = position[m];
    if (lane < 4) ring[(at + lane) & mask] = (unsigned char)(len >> (8 * lane));
    for (int i = lane; i < len; i += 32) ring[(at + 4u + i) & mask] = payload[from + i];
}

static void run_ring() {
    Dice dice(25); const int count = 60000; const unsigned size = 1u << 23, mask = size - 1u;
    std::vector<int> offset(1, 0); std::vector<unsigned> position(count);
    std::vector<unsigned char> payload, want(size, 0); unsigned at = size * 5u - 2000003u;
    for (int m = 0; m < count; ++m) {
        int len = dice.span(8, 200); position[m] = at;
        for (int k = 0; k < 4; ++k) want[(at + k) & mask] = (unsigned char)(len >> (8 * k));
        for (int k = 0; k < len; ++k) {
            payload.push_back((unsigned char)dice.below(256)); want[(at + 4u + k) & mask] = payload.back();
        }
        offset.push_back((int)payload.size()); at += (unsigned)len + 4u;
    }
    int *d_offset = to_device(offset);
    unsigned char *d_payload = to_device(payload), *d_ring = blank<unsigned char>(size);
    unsigned *d_position = to_device(position);
    RUN4(ring_write_messages, blocks_for(count, 3), 96, 0, count, d_offset, d_payload, d_position, d_ring, mask);
    report("ring_write_messages", to_host(d_ring, size) == want);
}

#define SUN_DX 180
#define SUN_DY 75
#define SUN_RISE 37
#define SUN_STEPS 60

// Height-map shadows: integer rays marched through a 16-bit 2-D texture until blocked.
__global__ void heightmap_shadow_tex2d(cudaTextureObject_t heights, int width, int height, unsigned char *__restrict__ blocked) {
    int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int ray = (int)tex2D<unsigned short>(heights, x + 0.5f, y + 0.5f) * 16 + 8;
    int fx = x * 256 + 128, fy = y * 256 + 128, hit = 0;
    for (int s = 1; s <= SUN_STEPS; ++s) {
        fx += SUN_DX; fy += SUN_DY; ray += SUN_RISE;
        int h = tex2D<unsigned short>(heights, (float)(fx >> 8) + 0.5f, (float)(fy >> 8) + 0.5f);
        if (h * 16 > ray) {
            hit = s;
            break;
        }
    }
    blocked[y * width + x] = (unsigned char)hit;
}

static void run_heightmap() {
    Dice dice(26); const int w = 1000, h = 900; std::vector<unsigned short> map(w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            map[y * w + x] =
                (unsigned short)(2000.0 + 300.0 * std::sin(x * 0.011) * std::cos(y * 0.017) + 60.0 * std::sin(x * 0.09 + y * 0.05) + dice.below(12));
    std::vector<unsigned char> want(w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int ray = map[y * w + x] * 16 + 8, hit = 0;
            for (int s = 1; s <= SUN_STEPS && !hit; ++s) {
                int px = std::min(w - 1, (x * 256 + 128 + s * SUN_DX) >> 8);
                int py = std::min(h - 1, (y * 256 + 128 + s * SUN_DY) >> 8);
                if (map[py * w + px] * 16 > ray + s * SUN_RISE) hit = s;
            }
            want[y * w + x] = (unsigned char)hit;
        }
    cudaArray_t array = nullptr; cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned short>();
    CK(cudaMallocArray(&array, &format, w, h));
    CK(cudaMemcpy2DToArray(array, 0, 0, map.data(), w * sizeof(unsigned short), w * sizeof(unsigned short), h, cudaMemcpyHostToDevice));
    cudaResourceDesc res; std::memset(&res, 0, sizeof(res)); res.resType = cudaResourceTypeArray;
    res.res.array.array = array; cudaTextureDesc desc; std::memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = cudaAddressModeClamp; desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModePoint; desc.readMode = cudaReadModeElementType; desc.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    unsigned char *d_blocked = blank<unsigned char>(w * h);
    RUN4(heightmap_shadow_tex2d, dim3(blocks_for(w, 16), blocks_for(h, 16)), dim3(16, 16), 0, tex, w, h, d_blocked);
    report("heightmap_shadow_tex2d", to_host(d_blocked, w * h) == want);
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(array));
}

// Single block: exclusive offsets of 4096 bucket counts.
__global__ void __launch_bounds__(1024)
    tiny_offsets_scan(const uint4 *__restrict__ counts, uint4 *__restrict__ offsets, unsigned *__restrict__ total) {
    __shared__ unsigned warp_sum[32];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5; uint4 c = counts[tid];
    unsigned sum = c.x + c.y + c.z + c.w, upto = sum;
    for (int o = 1; o < 32; o <<= 1) {
        unsigned other = __shfl_up_sync(ALL, upto, o);
        if (lane >= o) upto += other;
    }
    if (lane == 31) warp_sum[warp] = upto;
    __syncthreads();
    if (warp == 0) {
        unsigned w = warp_sum[lane];
        for (int o = 1; o < 32; o <<= 1) {
            unsigned other = __shfl_up_sync(ALL, w, o);
            if (lane >= o) w += other;
        }
        warp_sum[lane] = w;
    }
    __syncthreads(); unsigned base = upto - sum + (warp ? warp_sum[warp - 1] : 0u);
    offsets[tid] = make_uint4(base, base + c.x, base + c.x + c.y, base + c.x + c.y + c.z);
    if (tid == 1023) *total = base + sum;
}

static void run_tiny_offsets() {
    Dice dice(27); std::vector<uint4> counts(1024); unsigned *flat = (unsigned *)counts.data();
    std::vector<unsigned> want(4096); unsigned running = 0;
    for (int i = 0; i < 4096; ++i) {
        flat[i] = (unsigned)dice.skewed(5000, 4.0); want[i] = running; running += flat[i];
    }
    uint4 *d_counts = to_device(counts);
    unsigned *d_offsets = blank<unsigned>(4096), *d_total = blank<unsigned>(1);
    RUN4(tiny_offsets_scan, 1, 1024, 0, d_counts, (uint4 *)d_offsets, d_total);
    report("tiny_offsets_scan", to_host(d_offsets, 4096) == want && to_host(d_total, 1)[0] == running);
}

// Single block: final mean, variance, minimum and maximum from partial results in double.
__global__ void __launch_bounds__(256)
    tiny_finalize_f64(int n, const double2 *__restrict__ moments, const double2 *__restrict__ range, double samples, double *__restrict__ result) {
    __shared__ double part[4][8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5; double s = 0.0, q = 0.0, lo = 1e300, hi = -1e300;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        double2 m = moments[i], r = range[i]; s += m.x; q += m.y; lo = fmin(lo, r.x); hi = fmax(hi, r.y);
    }
    for (int o = 16; o > 0; o >>= 1) {
        s += __shfl_down_sync(ALL, s, o); q += __shfl_down_sync(ALL, q, o);
        lo = fmin(lo, __shfl_down_sync(ALL, lo, o)); hi = fmax(hi, __shfl_down_sync(ALL, hi, o));
    }
    if (lane == 0) {
        part[0][warp] = s; part[1][warp] = q; part[2][warp] = lo; part[3][warp] = hi;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) {
            s += part[0][w]; q += part[1][w]; lo = fmin(lo, part[2][w]); hi = fmax(hi, part[3][w]);
        }
        double mean = s / samples; result[0] = mean; result[1] = q / samples - mean * mean; result[2] = lo;
        result[3] = hi;
    }
}

static void run_tiny_finalize() {
    Dice dice(28); const int n = 1500; const double samples = n * 100.0;
    std::vector<double2> moments(n), range(n); double s = 0.0, q = 0.0, lo = 1e300, hi = -1e300;
    for (int i = 0; i < n; ++i) {
        moments[i] = make_double2(100.0 * (dice.unit() - 0.3), 100.0 * (1.0 + dice.unit()));
        range[i] = make_double2(-4.0 * dice.unit(), 4.0 * dice.unit()); s += moments[i].x; q += moments[i].y;
        lo = std::min(lo, range[i].x); hi = std::max(hi, range[i].y);
    }
    double2 *d_moments = to_device(moments), *d_range = to_device(range); double *d_result = blank<double>(4);
    RUN4(tiny_finalize_f64, 1, 256, 0, n, d_moments, d_range, samples, d_result);
    std::vector<double> got = to_host(d_result, 4); double mean = s / samples;
    report("tiny_finalize_f64",
           close_to(got[0], mean, 1e-10, 1e-12) && close_to(got[1], q / samples - mean * mean, 1e-9, 1e-12) && got[2] == lo && got[3] == hi);
}

// Few blocks: lower bound of a thousand 64-bit timestamps in a sorted index.
__global__ void tiny_lower_bound_u64(int queries, const u64 *__restrict__ query, int n, const u64 *__restrict__ sorted, int *__restrict__ answer) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= queries) return;
    u64 want = query[i]; int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (__ldg(&sorted[mid]) < want) lo = mid + 1; else hi = mid;
    }
    answer[i] = lo;
}

static void run_tiny_lower_bound() {
    Dice dice(29); const int n = 100000, queries = 1000; std::vector<u64> sorted(n), query(queries);
    std::vector<int> want(queries); u64 clock = 1600000000000ull;
    for (auto &v : sorted) v = clock += (u64)dice.skewed(9000, 3.0);
    for (int i = 0; i < queries; ++i) {
        query[i] = dice.below(2) ? sorted[dice.below(n)] : 1600000000000ull + (u64)(dice.unit() * 2.3e8);
        want[i] = (int)(std::lower_bound(sorted.begin(), sorted.end(), query[i]) - sorted.begin());
    }
    u64 *d_sorted = to_device(sorted), *d_query = to_device(query); int *d_answer = blank<int>(queries);
    RUN4(tiny_lower_bound_u64, blocks_for(queries, 128), 128, 0, queries, d_query, n, d_sorted, d_answer);
    report("tiny_lower_bound_u64", to_host(d_answer, queries) == want);
}

int main() {
    void (*cases[])() = {
        run_pagerank_push, run_triangles,  run_sssp,         run_list_chase,    run_louvain,         run_coo,        run_spgemm,       run_ilu,
        run_cuckoo,        run_groupby,    run_bloom,        run_collatz,       run_merge_path,      run_samplesort, run_segment_sort, run_scan_apply,
        run_join,          run_dictionary, run_unpack,       run_rle,           run_tokens,          run_myers,      run_aos,          run_transpose,
        run_ring,          run_heightmap,  run_tiny_offsets, run_tiny_finalize, run_tiny_lower_bound};
    for (auto one : cases) {
        one(); drop_buffers();
    }
    std::printf("finished, %d failing\n", failures);
    return failures ? 1 : 0;
}
