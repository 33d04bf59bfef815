#include "tests/support/listing_files.h"

#include <regex>
#include <stdexcept>

#include "base/files/byte_stream.h"
#include "traces/sass/reader/sass_reader.h"

namespace {

const std::vector<std::string> tile_2d{"BM", "BN", "BK", "TM", "TN", "UNROLL"};
const std::vector<std::string> warp_tile{"BM",     "BN", "BK", "WM",      "WN",
                                         "WNITER", "TM", "TN", "THREADS", "UNROLL"};
const std::map<std::string, std::vector<std::string>> parameter_names{
    {"smem", {"BS", "UNROLL"}},
    {"blocktile1d", {"BM", "BN", "BK", "TM", "UNROLL"}},
    {"blocktile2d", tile_2d},
    {"vectorized", tile_2d},
    {"bank_linearize", tile_2d},
    {"bank_extracol", tile_2d},
    {"autotuned", tile_2d},
    {"warptile", warp_tile},
    {"doublebuffer", warp_tile},
    {"doublebuffer_split", warp_tile},
    {"doublebuffer_async", warp_tile},
};

}  // namespace

std::string listing_text(const std::string& arch) {
    return gpumodel::read_bytes(GPUMODEL_SOURCE_DIR "/validate/listings/few/" + arch + ".sass.xz");
}

const gpumodel::SassModule& listing(const std::string& arch) {
    static std::map<std::string, gpumodel::SassModule> modules;
    auto found = modules.find(arch);
    if (found == modules.end()) {
        found = modules.emplace(arch, gpumodel::read_sass(listing_text(arch), arch)).first;
    }
    return found->second;
}

std::string KernelName::params_text() const {
    std::string text;
    for (const auto& name : parameter_names.at(family)) {
        if (name != "UNROLL") {
            text += (text.empty() ? "" : ";") + name + "=" + std::to_string(at(name));
        }
    }
    return text;
}

KernelName kernel_name(const std::string& mangled) {
    KernelName result;
    static const std::regex form("kernels([0-9]+)(.*)$");
    std::smatch match;
    if (!std::regex_search(mangled, match, form)) {
        return result;
    }
    const std::string rest = match[2];
    const auto length = static_cast<std::size_t>(std::stoi(match[1]));
    result.family = rest.substr(0, length);
    std::vector<int> values;
    static const std::regex value("Li([0-9]+)E");
    for (std::sregex_iterator it(rest.begin(), rest.end(), value), end; it != end; ++it) {
        values.push_back(std::stoi((*it)[1]));
    }
    const auto names = parameter_names.find(result.family);
    for (std::size_t i = 0; names != parameter_names.end() && i < values.size(); ++i) {
        result.params[names->second.at(i)] = values[i];
    }
    return result;
}

int products_per_tile(const KernelName& name) {
    if (name.params.empty()) {
        return 0;
    }
    if (name.family == "smem") {
        return name.at("BS");
    }
    const int results = name.at("BM") * name.at("BN");
    const int columns = name.params.contains("TN") ? name.at("TN") : 1;
    const int threads = name.params.contains("THREADS") ? name.at("THREADS")
                        : name.family == "autotuned"    ? 256
                                                        : results / (name.at("TM") * columns);
    return results * name.at("BK") / threads;
}
