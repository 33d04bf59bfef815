// The built-in kernel families of the design, as data and code. A family validates its parameters
// (every rejection names the rule), and lowers (shape, parameters, generation) to tiles: a program that
// counts instead of listing instructions, for the code generator alone. Everybody else takes make_program
// (traces/codegen/make_program.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "traces/kernel/compiler/kernel_code.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct ParamSpec {
    std::string name;  // "BM"
    std::int64_t default_value = 0;
    std::int64_t min = 1;
    std::int64_t max = 0;
    std::string meaning;                  // "rows of C per block"
    bool fixed = false;                   // only the default is valid (e.g. BK of bank_linearize)
    bool argument = false;                // of the launch, where the others are constants of the code
    std::vector<std::string> words = {};  // names of the values 0, 1, ...; empty: numbers
    // The last of its kernel's template arguments, which has an overload without it for the default.
    bool further_argument = false;
};

struct ProblemShape {
    std::int64_t m = 4096, n = 4096, k = 4096;
};

using ParamValues = std::map<std::string, std::int64_t>;

// What the parameters imply, under the name that the literature gives it: THREADS of a block tile. It may be
// given beside them, if it says the same.
struct DerivedParam {
    std::string name;
    std::string formula;  // "BM*BN/(TM*TN)"
    std::string meaning;
    // nullopt where the parameters break a rule that the formula needs (a division with a remainder).
    std::optional<std::int64_t> (*value)(const ParamValues& resolved) = nullptr;
};

// What the compiler's choices depend on; taken from the ArchSpec by target_of().
struct Target {
    ComputeCapability cc;
    int warp_size = 32;
    int max_threads_per_block = 1024;
    int max_registers_per_thread = 255;
    std::int64_t registers_per_block = 65536;
    std::int64_t max_shared_per_block = 49152;  // bytes, of a launch that asks for it
    int sm_count = 1;                           // the grid of persistent kernels
};
[[nodiscard]] Target target_of(const ArchSpec& arch);

// Infeasible is a value with a reason, not an error: the rule that rejects the combination.
struct FamilyResult {
    std::optional<KernelProgram> program;
    KernelCode code;                // what the compiler made of it
    std::string infeasible_reason;  // empty exactly when program has a value
};

enum class ProblemDepth : unsigned char {
    any,
    fixed,    // K is default_shape's
    ignored,  // K means nothing
};

// How the kernel is called, as --args has it: M, N, K, alpha, A, B, beta, C.
[[nodiscard]] std::string gemm_arguments(const KernelProgram& program, const ParamValues& resolved);

// All that anybody needs to know about a family.
struct Family {
    std::string name;
    std::string summary;  // one line for `kernels list`
    std::vector<ParamSpec> params;
    std::vector<DerivedParam> derived;
    std::vector<std::string> rules;  // the validity rules in words, for `kernels show`
    ProblemShape default_shape;      // 4096^3; K = 32 for the guides' kernels
    ProblemDepth depth = ProblemDepth::any;
    int min_compute_capability = 10;  // 80 for doublebuffer_async
    // "sm_90a": code for this target, which runs on no other generation, later ones included; "" = any.
    std::string only_target;
    // Arguments of its kernel of validate/kernels, in declaration order.
    std::string (*arguments)(const KernelProgram& program, const ParamValues& resolved) = gemm_arguments;
    // And their types; "" = no kernel of ours (library tiles).
    std::string signature = "int, int, int, float, const float*, const float*, float, float*";
    // False: there is no code generator; programs are of compiled or shipped code alone (traces/provide), and
    // lowering gives the launch without a body.
    bool generated = true;
    // Defaults that hang on other parameters: fills in what is not `given`, behind the specs' own defaults.
    void (*imply)(const ParamValues& given, ParamValues& resolved) = nullptr;
    // Blocks of a cluster, one behind the other in x; nullptr: one.
    std::int64_t (*cluster)(const ParamValues& resolved) = nullptr;
    // Template arguments of that kernel behind those that are parameters here.
    std::size_t further_template_arguments = 0;
    // All parameters present (resolve_params). Pure.
    FamilyResult (*lower)(const ParamValues& params, const ProblemShape& shape,
                          const Target& target) = nullptr;
};

[[nodiscard]] std::span<const Family> families();

// Those with a code generator: the first of them all.
[[nodiscard]] std::span<const Family> generated_families();

// nullptr if unknown.
[[nodiscard]] const Family* find_family(std::string_view name);

// nullptr if the family derives no such parameter.
[[nodiscard]] const DerivedParam* find_derived(const Family& family, std::string_view name);

// Fills in defaults, rejects unknown names, out-of-range values and derived parameters other than the rest
// implies (InputError, kind usage, nearest valid name, the implied value). `given` is `KEY=VALUE` pairs as
// with -p; derived ones are checked and left out of the result.
[[nodiscard]] ParamValues resolve_params(const Family& family, const ParamValues& given);

// The launch at tile level (kernel_program.h).
[[nodiscard]] FamilyResult lower_tiles(const Family& family, const ParamValues& resolved,
                                       const ProblemShape& shape, const Target& target);

// As -p takes it: a number, UNROLL=auto for 0, or one of the parameter's words.
[[nodiscard]] std::string param_text(const ParamSpec& spec, std::int64_t value);

// Of the families' parameters of this name; empty for numbers.
[[nodiscard]] std::vector<std::string> param_words(std::string_view name);

// The value that a text stands for, where families agree on what a name's words mean; nullopt for neither a
// number nor such a word.
[[nodiscard]] std::optional<std::int64_t> param_value(std::string_view name, std::string_view text);

// "BM=128;BN=128;BK=16;UNROLL=auto" in the family's parameter order; UNROLL=0 is written auto.
[[nodiscard]] std::string canonical_params(const Family& family, const ParamValues& resolved);

}  // namespace gpumodel
