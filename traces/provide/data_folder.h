// Where files that come with gpumodel lie, beside the specs.
#pragma once

#include <optional>
#include <string>

namespace gpumodel {

enum class DataFolder : unsigned char { programs, kernels };  // compiled code; the families' CUDA sources

// The first there is: under $GPUMODEL_DATA_PATH, under share/gpumodel of the running program's installation,
// in the source tree that it was built from, under the prefix it was to be installed to.
[[nodiscard]] std::optional<std::string> data_folder(DataFolder folder);

}  // namespace gpumodel
