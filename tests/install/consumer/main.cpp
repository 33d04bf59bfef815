// Predicts one launch through the installed library.
#include <cstdio>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "traces/codegen/make_program.h"

int main() {
    using namespace gpumodel;
    const auto arch = load_arch("sm_35", {}, {ARCH_SPECS});
    const auto* family = find_family("warptile");
    const auto lowered =
        make_program(*family, resolve_params(*family, {}), family->default_shape, target_of(arch));
    const auto prediction = predict_analytic(*lowered.program, arch, {});
    std::printf("%s %.5g us from %s\n", arch.name.c_str(), prediction.time_seconds * 1e6, arch.file.c_str());
    return prediction.status == Status::ok ? 0 : 1;
}
