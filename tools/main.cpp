// The gpumodel command.
#include "tools/run_command.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#endif

namespace {

// GPUMODEL_PARENT: the process for which alone this one works, and after whose end it need not.
void end_with_parent() {
#ifdef __linux__
    const char* parent = std::getenv("GPUMODEL_PARENT");
    if (parent == nullptr || parent != std::to_string(getppid())) {
        return;  // none, or another's that started us in between
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (parent != std::to_string(getppid())) {
        std::_Exit(1);  // it ended before it could be told
    }
#endif
}

}  // namespace

int main(int argc, char** argv) {
    end_with_parent();
    return gpumodel::cli::run_command({argv + 1, argv + argc});
}
