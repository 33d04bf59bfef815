// The gpumodel command.
#include "tools/run_command.h"

int main(int argc, char** argv) {
    return gpumodel::cli::run_command({argv + 1, argv + argc});
}
