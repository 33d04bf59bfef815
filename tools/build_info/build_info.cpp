#include "tools/build_info/build_info.h"

#include "git_revision.h"

namespace gpumodel::cli {

BuildInfo build_info() {
    return {GPUMODEL_REVISION, GPUMODEL_COMPILER, GPUMODEL_BUILD_TYPE};
}

}  // namespace gpumodel::cli
