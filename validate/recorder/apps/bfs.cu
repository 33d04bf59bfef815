// Breadth-first search, level by level: first over all nodes, then with a queue.
#include "app.cuh"
__global__ void level_all(const int* row, const int* col, int* depth, int level, int n, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || depth[v] != level) return;
    for (int k = row[v]; k < row[v + 1]; ++k)
        if (depth[col[k]] < 0) { depth[col[k]] = level + 1; *changed = 1; }
}
__global__ void level_queue(const int* row, const int* col, int* depth, int level, const int* queue, int count, int* next, int* next_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int v = queue[i];
    for (int k = row[v]; k < row[v + 1]; ++k)
        if (atomicCAS(&depth[col[k]], -1, level + 1) == -1) next[atomicAdd(next_count, 1)] = col[k];
}
int main() {
    const int n = 60000;
    Random random(2);
    std::vector<int> row{0}, col;
    for (int v = 0; v < n; ++v) {
        const int degree = 1 + random.below(v % 50 == 0 ? 60 : 6);
        for (int k = 0; k < degree; ++k) col.push_back(random.below(n));
        row.push_back(int(col.size()));
    }
    std::vector<int> want(n, -1), start(n, -1), frontier{0};
    want[0] = start[0] = 0;
    for (int level = 0; !frontier.empty(); ++level) {
        std::vector<int> next;
        for (int v : frontier) for (int k = row[v]; k < row[v + 1]; ++k) if (want[col[k]] < 0) { want[col[k]] = level + 1; next.push_back(col[k]); }
        frontier = next;
    }
    Buffer<int> R(row), C(col), depth(start), changed(1);
    for (int level = 0, more = 1; more; ++level) {
        OK(cudaMemset(changed.p, 0, 4));
        level_all<<<(n + 255) / 256, 256>>>(R.p, C.p, depth.p, level, n, changed.p);
        more = changed.host()[0];
    }
    const bool first = depth.host() == want;
    Buffer<int> deep(start), queue(n), next(n), count(1);
    for (int level = 0, size = 1; size > 0; ++level) {
        OK(cudaMemset(count.p, 0, 4));
        level_queue<<<(size + 127) / 128, 128>>>(R.p, C.p, deep.p, level, queue.p, size, next.p, count.p);
        size = count.host()[0];
        int* t = queue.p; queue.p = next.p; next.p = t;
    }
    return finish(first && deep.host() == want, "bfs");
}
