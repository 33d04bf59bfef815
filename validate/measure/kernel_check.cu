#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "validate/measure/kernel_check.cuh"
#include "validate/microbench/microbench.cuh"

namespace gpumodel::measure {
namespace {

using Words = std::vector<float>;

Words random_words(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    Words words(count);
    for (float& word : words) {
        word = uniform(engine);
    }
    return words;
}

class Matrix : public microbench::DeviceArray<float> {
public:
    explicit Matrix(const Words& words) : DeviceArray(words.size()) {
        require(cudaMemcpy(data(), words.data(), words.size() * sizeof(float), cudaMemcpyHostToDevice),
                "cudaMemcpy");
    }
};

// alpha*A*B + beta*C on the host, or alpha*A*transpose(A) + beta*C, with what each result may be off by:
// K+2 roundings of a sum of its magnitude, each half a unit of 2^-23, twice over.
struct Problem {
    Shape shape;
    float alpha, beta;
    Words a, b, c;
    std::vector<double> expected, bound;

    Problem(Shape s, float alpha_, float beta_, bool transposed)
        : shape(s),
          alpha(alpha_),
          beta(beta_),
          a(random_words(std::size_t(s.m) * std::size_t(s.k), 1)),
          b(random_words(std::size_t(s.k) * std::size_t(s.n), 2)),
          c(random_words(std::size_t(s.m) * std::size_t(s.n), 3)) {
        for (int i = 0; i < s.m; ++i) {
            for (int j = 0; j < s.n; ++j) {
                add_result(i, j, transposed);
            }
        }
    }

    [[nodiscard]] double worst(const Words& result) const {
        double largest = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double error = std::fabs(double(result[i]) - expected[i]) / bound[i];
            largest = error <= largest ? largest : error;  // keeps NaN
        }
        return largest;
    }

private:
    void add_result(int row, int col, bool transposed) {
        double sum = 0;
        double scale = 0;
        for (int x = 0; x < shape.k; ++x) {
            const auto right = transposed ? std::size_t(col) * std::size_t(shape.k) + std::size_t(x)
                                          : std::size_t(x) * std::size_t(shape.n) + std::size_t(col);
            const double left = double(a[std::size_t(row) * std::size_t(shape.k) + std::size_t(x)]);
            const double product = left * double((transposed ? a : b)[right]);
            sum += product;
            scale += std::fabs(product);
        }
        const double old = double(beta) * double(c[expected.size()]);
        expected.push_back(double(alpha) * sum + old);
        bound.push_back((shape.k + 2) * (std::fabs(double(alpha)) * scale + std::fabs(old)) *
                        std::ldexp(1.0, -23));
    }
};

const Problem& problem(Shape s, float alpha, float beta, bool transposed) {
    static std::map<std::vector<int>, Problem> made;
    const std::vector<int> key{s.m, s.n, s.k, transposed};
    return made.try_emplace(key, s, alpha, beta, transposed).first->second;
}

double worst_product(const Instance& instance, const Problem& p) {
    const Matrix a(p.a);
    const Matrix b(p.b);
    // The products with beta read C; what the others leave unwritten stays NaN.
    const Matrix c(instance.signature == Signature::gemm ? p.c : Words(p.c.size(), std::nanf("")));
    launch(instance, p.shape, a.data(), b.data(), c.data(), p.alpha, p.beta);
    microbench::finish(instance.family.c_str());
    return p.worst(c.host());
}

// Values of 16 bits, two to a word, and what they are as floats.
template <class Half>
std::pair<Words, Words> halves(const Words& values) {
    Words packed((values.size() + 1) / 2), rounded;
    auto* elements = reinterpret_cast<Half*>(packed.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        elements[i] = Half(values[i]);
        rounded.push_back(float(elements[i]));
    }
    return {packed, rounded};
}

// The ten bits of the fraction that a product sees.
std::pair<Words, Words> singles(const Words& values) {
    Words seen(values);
    for (float& value : seen) {
        unsigned bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        bits &= 0xffffe000u;
        std::memcpy(&value, &bits, sizeof bits);
    }
    return {values, seen};
}

std::pair<Words, Words> bytes(const Words& values) {
    Words packed((values.size() + 3) / 4), rounded;
    auto* elements = reinterpret_cast<signed char*>(packed.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        elements[i] = static_cast<signed char>(std::lround(127 * values[i]));
        rounded.push_back(float(elements[i]));
    }
    return {packed, rounded};
}

std::pair<Words, Words> elements_of(Element element, const Words& values) {
    switch (element) {
        case Element::bf16:
            return halves<__nv_bfloat16>(values);
        case Element::f16:
            return halves<__half>(values);
        case Element::s8:
            return bytes(values);
        case Element::tf32:
        case Element::f32:
            break;
    }
    return singles(values);
}

double result_at(const Instance& instance, const Words& c, std::size_t at) {
    if (instance.half_sums) {
        return double(__half2float(reinterpret_cast<const __half*>(c.data())[at]));
    }
    return instance.element == Element::s8 ? double(reinterpret_cast<const int*>(c.data())[at])
                                           : double(c[at]);
}

// As B's rows, where its columns lie one behind the other.
Words by_rows(const Words& columns, std::size_t depth, std::size_t n) {
    Words rows(columns.size());
    for (std::size_t col = 0; col < n; ++col) {
        for (std::size_t k = 0; k < depth; ++k) {
            rows[k * n + col] = columns[col * depth + k];
        }
    }
    return rows;
}

// A product on tensor cores, C only written. f32 sums: bounded as Problem's. f16 sums: one rounding to
// nearest per 16 steps and two more, each half a unit of 2^-10, twice over. Sums of integers are exact.
double worst_mma(const Instance& instance, Shape s) {
    const auto of = [&](const Words& values) { return elements_of(instance.element, values); };
    const auto [a, a_values] = of(random_words(std::size_t(s.m) * std::size_t(s.k), 1));
    const auto [b, b_values] = of(random_words(std::size_t(s.k) * std::size_t(s.n), 2));
    const std::size_t results = std::size_t(s.m) * std::size_t(s.n);
    const Matrix left(a), right(b), c(Words(results, std::nanf("")));
    launch(instance, s, left.data(), right.data(), c.data(), 1.0f, 0.0f);
    microbench::finish(instance.family.c_str());
    const Words got = c.host();
    const double unit =
        instance.half_sums ? (s.k / 16 + 2) * std::ldexp(1.0, -10) : (s.k + 2) * std::ldexp(1.0, -23);
    const std::size_t n = std::size_t(s.n), depth = std::size_t(s.k);
    const Words rows_of_b = by_columns(instance.element) ? by_rows(b_values, depth, n) : b_values;
    double worst = 0;
    for (std::size_t row = 0; row < std::size_t(s.m); ++row) {
        std::vector<double> sum(n), scale(n);
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t col = 0; col < n; ++col) {
                const double product = double(a_values[row * depth + k]) * double(rows_of_b[k * n + col]);
                sum[col] += product;
                scale[col] += std::fabs(product);
            }
        }
        for (std::size_t col = 0; col < n; ++col) {
            const std::size_t at = row * n + col;
            const double off = std::fabs(result_at(instance, got, at) - sum[col]);
            const double error =
                instance.element == Element::s8 && off > 0 ? INFINITY : off / (unit * scale[col]);
            worst = error <= worst ? worst : error;  // keeps NaN
        }
    }
    return worst;
}

// Copies and transposes.
double mismatch(const Instance& instance, Shape shape, const Words& in, const Words& expected) {
    const Matrix from(in);
    const Matrix to(Words(expected.size(), -2.0f));
    launch(instance, shape, from.data(), nullptr, to.data(), 1.0f, 0.0f);
    microbench::finish(instance.family.c_str());
    return to.host() == expected ? 0.0 : INFINITY;
}

double worst_copy(const Instance& instance) {
    const Shape shape{32, 64, 1};
    const std::size_t words = 32 * 64;
    const auto step = static_cast<std::size_t>(instance.step);
    const Words in = random_words(words * step + 32, 5);
    Words expected(in.size(), -2.0f);
    for (std::size_t i = 0; i < words; ++i) {
        const std::size_t at = instance.family == "stride_copy" ? i * step : i + step;
        expected[at] = in[at];
    }
    return mismatch(instance, shape, in, expected);
}

double worst_transpose(const Instance& instance) {
    const Shape shape{96, 160, 1};
    const Words in = random_words(96 * 160, 6);
    Words expected(in.size());
    for (std::size_t i = 0; i < 96; ++i) {
        for (std::size_t j = 0; j < 160; ++j) {
            expected[j * 96 + i] = in[i * 160 + j];
        }
    }
    return mismatch(instance, shape, in, expected);
}

}  // namespace

double worst_error(const Instance& instance) {
    switch (instance.signature) {
        case Signature::copy:
            return worst_copy(instance);
        case Signature::transpose:
            return worst_transpose(instance);
        case Signature::ab:
            return worst_product(instance, problem({96, 160, 32}, 1.0f, 0.0f, false));
        case Signature::aat:
            return worst_product(instance, problem({128, 128, 32}, 1.0f, 0.0f, true));
        case Signature::mma: {
            // As the products below; fewer steps than stages, too.
            const double first = worst_mma(instance, {256, 512, 5 * instance.bk});
            const double second = worst_mma(instance, {512, 256, instance.bk});
            return second <= first ? first : second;
        }
        case Signature::wgmma: {
            // More steps than stages, fewer, and more tiles than SMs: these blocks take two.
            const int bm = instance.bm, bn = instance.bn, bk = instance.bk, down = bm * instance.cluster;
            double worst = 0;
            for (const Shape& shape : {Shape{3 * down, 2 * bn, 9 * bk}, Shape{2 * down, 5 * bn, bk},
                                       Shape{12 * bm, 13 * bn, 3 * bk}}) {
                const bool counts = shape.k != 3 * bk || instance.persistent;
                const double error = counts ? worst_mma(instance, shape) : 0;
                worst = error <= worst ? worst : error;  // keeps NaN
            }
            return worst;
        }
        case Signature::gemm:
            break;
    }
    // Odd and even numbers of tiles along K, small multiples of any tile along M and N.
    const int bk = std::max(instance.bk, 32);
    const double first = worst_product(instance, problem({512, 256, 5 * bk}, 0.5f, 2.0f, false));
    const double second = worst_product(instance, problem({256, 512, 4 * bk}, 1.0f, 0.0f, false));
    return second <= first ? first : second;  // keeps NaN
}

double worst_error_odd_shape(const Instance& instance) {
    // The grid of the next multiples of the tile, the sizes as they are.
    const Problem& p = problem({77, 45, 33}, 1.5f, -1.0f, false);
    const Matrix a(p.a);
    const Matrix b(p.b);
    const Matrix c(p.c);
    int m = p.shape.m, n = p.shape.n, k = p.shape.k;
    float alpha = p.alpha, beta = p.beta;
    const float* left = a.data();
    const float* right = b.data();
    float* result = c.data();
    void* arguments[] = {&m, &n, &k, &alpha, &left, &right, &beta, &result};
    const dim3 grid(static_cast<unsigned>((m + instance.bm - 1) / instance.bm),
                    static_cast<unsigned>((n + instance.bn - 1) / instance.bn));
    cudaLaunchKernel(instance.kernel, grid, instance.block, arguments, 0, nullptr);
    microbench::finish(instance.family.c_str());
    return p.worst(c.host());
}

}  // namespace gpumodel::measure
