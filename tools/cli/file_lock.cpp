#include "tools/cli/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/diagnostics.h"

namespace gpumodel::cli {

FileLock::FileLock(const std::string& path, const std::string& option) {
    std::error_code fault;
    const auto type = std::filesystem::status(path, fault).type();
    const bool lockable =
        type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
    if (path.empty() || !lockable) {
        return;
    }
    constexpr mode_t everyone = 0666;
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, everyone);
    if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor_);
        throw InputError(InputErrorKind::usage,
                         {{path, 0, 0, option, "another run is writing this file; wait for it or end it"}});
    }
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

}  // namespace gpumodel::cli
