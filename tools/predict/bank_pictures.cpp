#include "tools/predict/bank_pictures.h"

#include <fmt/format.h>

#include "tools/report/site_access.h"
#include "tools/views/memory/memory_picture.h"

namespace gpumodel::cli {
namespace {

std::string heading(const page::SharedAccess& access) {
    const auto& conflicts = access.conflicts;
    return fmt::format("  {}: {}-bit {}, {} pass{} over the banks, {} without conflicts\n",
                       fmt::join(access.sites, ", "), access.bits,
                       access.direction == AccessDirection::load ? "load" : "store", conflicts.wavefronts,
                       conflicts.wavefronts == 1 ? "" : "es", conflicts.phases);
}

}  // namespace

std::string bank_pictures(const KernelProgram& program, const ArchSpec& arch) {
    std::string text =
        fmt::format("\n{}: worst access of a warp at each place, lanes by bank\n", bank_pictures_title);
    const auto accesses = page::shared_accesses(program, arch);
    for (const auto& access : accesses) {
        text += heading(access) + bank_picture_text(access.words, bank_geometry(arch.sm.shared_memory).banks);
    }
    return accesses.empty() ? text + "  the kernel does not access shared memory\n" : text;
}

}  // namespace gpumodel::cli
