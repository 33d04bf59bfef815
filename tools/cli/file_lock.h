// One writer for a file, over all processes of this machine (flock, so it ends with the process that holds
// it).
#pragma once

#include <string>

namespace gpumodel::cli {

class FileLock {
public:
    // Makes the file if it is not there. Throws InputError (usage) under `option` when another process writes
    // it; holds nothing for "", for what is no file (a pipe, a device) and for what cannot be opened.
    FileLock(const std::string& path, const std::string& option);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int descriptor_ = -1;
};

}  // namespace gpumodel::cli
