// The one place that knows which spec a name means: canonical names, names as people type them, near misses.
#pragma once

#include <string>
#include <vector>

namespace gpumodel {

struct NamedSpec {
    std::string file;
    // Products that the name could also mean: `file` is then the default product of the generation that they
    // all belong to ("v100" is v100_sxm2, and could be v100_pcie). Empty: the name means one.
    std::vector<std::string> others;
};

// A file's name without .yaml, else what gpu_name.h reads in it, compared with the names, marketing names and
// aliases of all products on the search path, else a compute capability. Throws InputError (usage): unknown,
// with the nearest name (the same series of products, then letters), or several products, one line each.
[[nodiscard]] NamedSpec find_named_spec(const std::string& name, const std::vector<std::string>& search_path);

}  // namespace gpumodel
