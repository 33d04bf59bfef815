// One cross-field rule; consistency.cpp runs them, consistency_product.cpp adds those that compare a
// product with what its maker prints.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"

namespace gpumodel {

struct ConsistencyRule {
    std::vector<std::string> keys;  // the first is the one at fault if all were given alike
    std::function<std::string(const ArchSpec&)> broken;  // what is wrong; "" = holds
    bool compares_with_maker = false;
    // ... but two overrides that contradict each other are a fault: these keys, if all are overridden.
    std::vector<std::string> given_together = {};
    // A key that only the spec's own values name (the pipe of a class): blamed too, need not be given.
    std::function<std::string(const ArchSpec&)> further_key = {};
};

void add_product_rules(std::vector<ConsistencyRule>& rules);

}  // namespace gpumodel
