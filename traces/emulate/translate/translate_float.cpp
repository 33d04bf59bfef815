// Floating-point arithmetic, bit for bit but for MUFU, whose tables are not published: its results here are
// those of the C library, rounded to single precision.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <utility>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 saturate_bit = 1;
constexpr u32 flush_bit = 2;       // .FTZ: subnormals in and out are zeros of the same sign
constexpr u32 rounding_shift = 2;  // 0 to nearest, 1 down, 2 up, 3 to zero
constexpr double two_pi = 6.283185307179586476925;

u32 rounding_option(const Translator& t) {
    const u32 mode = t.has("RM") ? 1 : t.has("RP") ? 2 : t.has("RZ") ? 3 : 0;
    return mode << rounding_shift;
}
int host_rounding(u32 option) {
    constexpr std::array modes{FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    return modes[option >> rounding_shift & 3U];
}

float flushed(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

u32 finish(float value, u32 option) {
    value = (option & flush_bit) != 0 ? flushed(value) : value;
    if ((option & saturate_bit) != 0) {
        value = std::isnan(value) ? 0.0F : std::fmin(std::fmax(value, 0.0F), 1.0F);
    }
    return float_bits(value);
}

// volatile keeps the operation between the changes of the rounding mode.
template <auto F>
float rounded_by(int mode, float a, float b, float c) {
    volatile float x = a, y = b, z = c;
    std::fesetround(mode);
    volatile float result = F(x, y, z);
    std::fesetround(FE_TONEAREST);
    return result;
}
template <auto F>
double rounded_by(int mode, double a, double b, double c) {
    volatile double x = a, y = b, z = c;
    std::fesetround(mode);
    volatile double result = F(x, y, z);
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class Real>
Real add(Real a, Real b, Real) {
    return a + b;
}
template <class Real>
Real multiply(Real a, Real b, Real) {
    return a * b;
}
template <class Real>
Real fuse(Real a, Real b, Real c) {
    return std::fma(a, b, c);
}

template <auto F>
void map_floats(Warp& warp, const MicroOp& op, u32 mask) {
    const int mode = host_rounding(op.option);
    const bool flushes = (op.option & flush_bit) != 0;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto source = [&](std::size_t k) {
            const float value = as_float(from(warp, op, k).at[i]);
            return flushes ? flushed(value) : value;
        };
        const float value = mode == FE_TONEAREST ? F(source(0), source(1), source(2))
                                                 : rounded_by<F>(mode, source(0), source(1), source(2));
        result.at[i] = finish(value, op.option);
    }
    assign(to(warp, op), result, mask);
}

// The most frequent form, nothing flushed, saturated or rounded away from nearest: compilers turn it into
// vector code.
template <auto F>
[[gnu::always_inline]] inline void map_plain(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = float_bits(F(as_float(a.at[i]), as_float(b.at[i]), as_float(c.at[i])));
    }
    assign(to(warp, op), result, mask);
}

template <auto F>
void map_doubles(Warp& warp, const MicroOp& op, u32 mask) {
    const int mode = host_rounding(op.option);
    Lanes low, high;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto source = [&](std::size_t k) {
            return as_double(from(warp, op, k).at[i], from(warp, op, k + 1).at[i]);
        };
        const u64 bits =
            double_bits(mode == FE_TONEAREST ? F(source(0), source(2), source(4))
                                             : rounded_by<F>(mode, source(0), source(2), source(4)));
        low.at[i] = low_word(bits);
        high.at[i] = high_word(bits);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

template <auto F>
void run_plain(Warp& warp, const MicroOp& op, u32 mask) {
    map_plain<F>(warp, op, mask);
}

// One instruction of the processor where it has one, as all since 2013; elsewhere a call of the C library for
// each lane.
#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2,fma")]] void fuse_in_vectors(Warp& warp, const MicroOp& op, u32 mask) {
    map_plain<fuse<float>>(warp, op, mask);
}
Handler plain_fuse() {
    static const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_fma ? &fuse_in_vectors : &run_plain<fuse<float>>;
}
#else
Handler plain_fuse() {
    return &run_plain<fuse<float>>;
}
#endif

template <auto F>
void floats(Translator& t) {
    Handler plain = &run_plain<F>;
    if constexpr (F == &fuse<float>) {
        plain = plain_fuse();
    }
    auto op = t.simple(plain, std::min<std::size_t>(t.value_count(), 3), Reading::fp32);
    op.option = (t.has("SAT") ? saturate_bit : 0) | (t.has("FTZ") ? flush_bit : 0) | rounding_option(t);
    if (op.option != 0) {
        op.run = &map_floats<F>;
    }
    t.add(op);
}

template <auto F>
void doubles(Translator& t) {
    auto op = t.make(&map_doubles<F>);
    op.option = rounding_option(t);
    for (std::size_t i = 0; i < std::min<std::size_t>(t.value_count(), 3); ++i) {
        op.from[2 * i] = t.value(i, Reading::fp64, 0);
        op.from[2 * i + 1] = t.value(i, Reading::fp64, 1);
    }
    op.to = {t.result(0), t.result(1)};
    t.add(op);
}

// FMUL's .D2 to .D8 and .M2 to .M8: the product times a power of two, before it is rounded. That order shows
// only where the product alone would leave the range of normal numbers: ignored.
template <int TIMES, int OVER>
float multiply_and_scale(float a, float b, float) {
    return a * b * (static_cast<float>(TIMES) / static_cast<float>(OVER));
}

void translate_fmul(Translator& t) {
    using Scaled = std::pair<const char*, void (*)(Translator&)>;
    constexpr std::array<Scaled, 6> scaled{{{"D2", floats<multiply_and_scale<1, 2>>},
                                            {"D4", floats<multiply_and_scale<1, 4>>},
                                            {"D8", floats<multiply_and_scale<1, 8>>},
                                            {"M2", floats<multiply_and_scale<2, 1>>},
                                            {"M4", floats<multiply_and_scale<4, 1>>},
                                            {"M8", floats<multiply_and_scale<8, 1>>}}};
    const auto* const found =
        std::find_if(scaled.begin(), scaled.end(), [&](const Scaled& s) { return t.has(s.first); });
    found != scaled.end() ? found->second(t) : floats<multiply<float>>(t);
}

// Volta's MUFU.SIN takes turns, Kepler's what RRO made of radians (RRO is the identity here).
template <auto F>
void special_function(Warp& warp, const MicroOp& op, u32 mask) {
    map_floats<[](float a, float, float) { return static_cast<float>(F(static_cast<double>(a))); }>(warp, op,
                                                                                                    mask);
}

// The upper word of a double in and out.
template <auto F>
void upper_word_function(Warp& warp, const MicroOp& op, u32 mask) {
    map1<[](u32 a) { return high_word(double_bits(F(as_double(0, a)))); }>(warp, op, mask);
}

double reciprocal(double x) {
    return 1.0 / x;
}
double reciprocal_root(double x) {
    return 1.0 / std::sqrt(x);
}

Handler special_handler(const Translator& t) {
    const auto has = [&](std::string_view name) { return t.has(name); };
    if (has("RCP64H")) {
        return &upper_word_function<reciprocal>;
    }
    if (has("RSQ64H")) {
        return &upper_word_function<reciprocal_root>;
    }
    if (has("RCP")) {
        return &special_function<reciprocal>;
    }
    if (has("RSQ")) {
        return &special_function<reciprocal_root>;
    }
    if (has("SQRT")) {
        return &special_function<[](double x) { return std::sqrt(x); }>;
    }
    if (has("LG2")) {
        return &special_function<[](double x) { return std::log2(x); }>;
    }
    if (has("EX2")) {
        return &special_function<[](double x) { return std::exp2(x); }>;
    }
    if (has("TANH")) {
        return &special_function<[](double x) { return std::tanh(x); }>;
    }
    if (has("SIN")) {
        return t.before_volta() ? &special_function<[](double x) { return std::sin(x); }>
                                : &special_function<[](double x) { return std::sin(two_pi * x); }>;
    }
    if (has("COS")) {
        return t.before_volta() ? &special_function<[](double x) { return std::cos(x); }>
                                : &special_function<[](double x) { return std::cos(two_pi * x); }>;
    }
    return nullptr;
}

void translate_mufu(Translator& t) {
    const auto run = special_handler(t);
    if (run == nullptr) {
        t.unsupported("is not emulated");
        return;
    }
    const bool wide = t.has("RCP64H") || t.has("RSQ64H");
    auto op = t.simple(run, 1, Reading::fp32);
    op.option = t.has("SAT") && !wide ? saturate_bit : 0;
    t.add(op);
}

// Range reduction and its like: the value itself.
void translate_identity(Translator& t) {
    t.add(t.simple(&map1<[](u32 a) { return a; }>, 1, Reading::fp32));
}

// FCHK: does a / b need the slow path? So the H200 has it for all exponents, whatever the mantissas; a zero
// above is of exponent 0 (validate/data/h200_sxm_division.csv).
bool needs_slow_division(float a, float b) {
    const auto exponent = [](float x) { return static_cast<int>(float_bits(x) >> 23 & 0xffU); };
    const int numerator = exponent(a), denominator = exponent(b);
    return numerator < 25 || numerator > 254 || denominator < 2 || denominator > 251 ||
           numerator - denominator > 126 || denominator - numerator > 124;
}

void check_division(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 slow = lanes_where<[](u32 a, u32 b) { return needs_slow_division(as_float(a), as_float(b)); }>(
        from(warp, op, 0), from(warp, op, 1));
    warp.set_predicate(op.predicate_to[0], slow, mask);
}

void translate_fchk(Translator& t) {
    auto op = t.simple(&check_division, 2, Reading::fp32);
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& float_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"FADD", floats<add<float>>},    {"FADD32I", floats<add<float>>},
        {"FMUL", translate_fmul},        {"FMUL32I", floats<multiply<float>>},
        {"FFMA", floats<fuse<float>>},   {"FFMA32I", floats<fuse<float>>},
        {"DADD", doubles<add<double>>},  {"DMUL", doubles<multiply<double>>},
        {"DFMA", doubles<fuse<double>>}, {"MUFU", translate_mufu},
        {"RRO", translate_identity},     {"FCHK", translate_fchk},
        {"UFADD", floats<add<float>>},   {"UFMUL", floats<multiply<float>>},
        {"UFFMA", floats<fuse<float>>},
    };
    return entries;
}

}  // namespace gpumodel::emulate
