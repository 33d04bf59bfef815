#include "traces/kernel/families/rules.h"

#include <fmt/format.h>

namespace gpumodel {

namespace {

std::string text(Quantity q) {
    return q.name.empty() ? fmt::format("{}", q.value) : fmt::format("{} = {}", q.name, q.value);
}

}  // namespace

RuleCheck& RuleCheck::check(bool holds, Quantity value, std::string_view relation, Quantity to) {
    if (ok() && !holds) {
        reason_ = fmt::format("{} must {} {}", text(value), relation, text(to));
    }
    return *this;
}

RuleCheck& RuleCheck::multiple(Quantity value, Quantity of) {
    return check(of.value > 0 && value.value > 0 && value.value % of.value == 0, value, "be a multiple of",
                 of);
}

RuleCheck& RuleCheck::equal(Quantity value, Quantity to) {
    return check(value.value == to.value, value, "equal", to);
}

RuleCheck& RuleCheck::at_most(Quantity value, Quantity limit) {
    return check(value.value <= limit.value, value, "be at most", limit);
}

}  // namespace gpumodel
