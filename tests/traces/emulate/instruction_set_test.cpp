// The instruction forms that compilers emit (validate/instructions): all are read, and what is not executed
// is said in the manual with the reason.
#include "traces/emulate/instruction_set.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

const std::filesystem::path root = GPUMODEL_SOURCE_DIR;

std::vector<std::string> listings() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(root / "validate/instructions/forms")) {
        paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

TEST_CASE("instruction forms: 1500 and more of each compiler and generation are known by name") {
    REQUIRE(listings().size() >= 10);
    for (const auto& path : listings()) {
        INFO(path);
        const auto module = read_sass_file(path);
        REQUIRE(module.functions.size() == 1);
        std::set<std::string> mnemonics;
        for (const auto& form : instruction_forms(module.functions[0])) {
            INFO(form.mnemonic);
            mnemonics.insert(form.mnemonic);
            CHECK(form.reason != "is not known");
            CHECK((form.support == InstructionSupport::executed) == form.reason.empty());
        }
        CHECK(mnemonics.size() >= 1500);
    }
}

TEST_CASE("instruction forms: the manual lists what is not executed") {
    std::vector<SassModule> modules;
    std::vector<const SassFunction*> functions;
    for (const auto& path : listings()) {
        modules.push_back(read_sass_file(path));
    }
    for (const auto& module : modules) {
        functions.push_back(&module.functions[0]);
    }
    std::ifstream file(root / "docs/instruction_set.md");
    std::ostringstream text;
    text << file.rdbuf();
    // validate/instructions/make_docs.sh writes it
    CHECK(text.str().find(instruction_set_document(functions)) != std::string::npos);
}
