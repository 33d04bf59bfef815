// Compiled code that comes with gpumodel: FOLDER/sm_XX/FAMILY.programs (program_file.h), made by
// `gpumodel kernels pack` from validate/listings, and FAMILY.best.programs, the tiles that `tune` asks for
// first. Where a generation has no file of a family, those of an earlier minor revision serve (sm_86's for
// sm_87, sm_120's for sm_121).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "traces/provide/program_file.h"

namespace gpumodel {

// The entry of `names` that is this instance of the family's kernel; empty if none is.
[[nodiscard]] std::string entry_of(const std::vector<std::string>& names, const KernelInstance& instance);

// "sm_87": sm_87, sm_86 ... sm_80, the nearest first; what is no sm_XX alone.
[[nodiscard]] std::vector<std::string> code_generations(const std::string& generation);

class ShippedPrograms : public CodeSource {
public:
    // "" = the folder that is found (data_folder.h); nothing is shipped where there is none.
    explicit ShippedPrograms(std::string folder = "");

    [[nodiscard]] std::shared_ptr<const CompiledKernel> find(const KernelInstance& instance) const override;
    [[nodiscard]] ProgramSource source() const override { return ProgramSource::shipped; }
    [[nodiscard]] std::vector<ParamValues> instances(const Family& family,
                                                     const std::string& generation) const override;

private:
    struct Programs {
        struct Entry {
            const ProgramFileReader* reader = nullptr;
            std::string name;
        };
        std::vector<std::unique_ptr<ProgramFileReader>> readers;
        std::map<std::string, Entry> entries;  // by instance_key
        std::vector<ParamValues> instances;    // in the files' order
    };
    static void read(const std::string& path, const Family& family, Programs& programs);
    [[nodiscard]] const Programs* files(const Family& family, const std::string& generation) const;

    std::string folder_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Programs> files_;  // by generation and family; without readers: not there
    mutable std::map<std::string, std::shared_ptr<const CompiledKernel>> kernels_;
};

}  // namespace gpumodel
