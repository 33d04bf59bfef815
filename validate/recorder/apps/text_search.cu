// A word in a text: compared letter by letter at each place, and by an automaton over pieces.
#include <string>
#include "app.cuh"
__global__ void compare(const char* text, int n, const char* word, int m, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > n) return;
    int k = 0;
    while (k < m && text[i + k] == word[k]) ++k;
    if (k == m) atomicAdd(count, 1);
}
__global__ void automaton(const char* text, int n, const unsigned char* table, int m, int piece, int* count) {
    extern __shared__ unsigned char t[];
    for (int i = threadIdx.x; i < (m + 1) * 4; i += blockDim.x) t[i] = table[i];
    __syncthreads();
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece, end = min(begin + piece + m - 1, n);
    int state = 0, c = 0;
    for (int i = begin; i < end; ++i) {
        state = t[state * 4 + text[i]];
        c += state == m;
    }
    if (c) atomicAdd(count, c);
}
int main() {
    const int n = 500000, m = 6, piece = 64;
    Random random(12);
    std::vector<char> text(n), word{0, 1, 0, 0, 1, 2};
    for (auto& c : text) c = char(random.below(3));
    std::vector<unsigned char> table((m + 1) * 4);
    for (int s = 0; s <= m; ++s)
        for (int c = 0; c < 4; ++c) {
            std::string seen(word.begin(), word.begin() + s);
            seen += char(c);
            int k = std::min<int>(m, int(seen.size()));
            while (k > 0 && seen.substr(seen.size() - k) != std::string(word.begin(), word.begin() + k)) --k;
            table[s * 4 + c] = static_cast<unsigned char>(k);
        }
    int want = 0;
    for (int i = 0; i + m <= n; ++i) want += std::equal(word.begin(), word.end(), text.begin() + i);
    Buffer<char> X(text), W(word);
    Buffer<unsigned char> A(table);
    Buffer<int> C(1), D(1);
    compare<<<(n + 255) / 256, 256>>>(X.p, n, W.p, m, C.p);
    const int pieces = (n + piece - 1) / piece;
    automaton<<<(pieces + 127) / 128, 128, (m + 1) * 4>>>(X.p, n, A.p, m, piece, D.p);
    return finish(C.host()[0] == want && D.host()[0] == want, "text_search");
}
