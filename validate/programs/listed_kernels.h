// The entries of a listing of validate/kernels or validate/general, found by what was measured.
#pragma once

#include <map>
#include <string>

#include "traces/sass/sass_module.h"
#include "validate/accuracy/measurements.h"

namespace gpumodel {

class ListedKernels {
public:
    // A listing by cuobjdump -sass, plain or packed. Throws InputError as the readers do.
    explicit ListedKernels(const std::string& path);

    // The entry of these template arguments, for family "sass" the one with the row's label in its name;
    // nullptr if there is none.
    [[nodiscard]] const SassFunction* find(const Measurement& measured) const;

private:
    SassModule module_;
    std::map<std::string, const SassFunction*> by_instance_;  // instance_key()
};

}  // namespace gpumodel
