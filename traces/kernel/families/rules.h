// Validity rules of kernel families, checked in order: the first broken one is kept, with its values, as
// the reason why a combination is infeasible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpumodel {

// A named value of a rule: "BM*BK = 1024". Without a name, the value alone.
struct Quantity {
    std::string_view name;
    std::int64_t value = 0;
};

// Factors of a quantity, multiplied in 64 bits.
template <class... Factors>
[[nodiscard]] constexpr std::int64_t times(Factors... factors) {
    return (std::int64_t{1} * ... * factors);
}

class RuleCheck {
public:
    // "BM*BK = 1024 must be a multiple of 4*THREADS = 512"
    RuleCheck& multiple(Quantity value, Quantity of);
    // "(BN/WN)*(BM/WM) = 2 must equal THREADS/32 = 4"
    RuleCheck& equal(Quantity value, Quantity to);
    // "shared memory = 65536 must be at most 49152"
    RuleCheck& at_most(Quantity value, Quantity limit);

    [[nodiscard]] bool ok() const { return reason_.empty(); }
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    RuleCheck& check(bool holds, Quantity value, std::string_view relation, Quantity to);
    std::string reason_;
};

}  // namespace gpumodel
