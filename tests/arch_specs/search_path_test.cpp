// An installed command finds the specs beside its own bin/: tried with a copy of this very program.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "arch_specs/loader.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
    struct Close {
        void operator()(FILE* pipe) const { ::pclose(pipe); }
    };
    const std::unique_ptr<FILE, Close> pipe(::popen(command.c_str(), "r"));
    REQUIRE(pipe != nullptr);
    std::string text;
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
        text += buffer.data();
    }
    return text;
}

}  // namespace

TEST_CASE("print the default search path", "[.][print-search-path]") {
    for (const auto& directory : gpumodel::default_spec_path()) {
        std::cout << "path=" << directory << "\n";
    }
    std::cout << "k40=" << gpumodel::load_arch("k40").file << "\n";
}

TEST_CASE("an installed program prefers the specs beside it", "[unit]") {
    const TemporaryFolder prefix_folder;
    const auto& prefix = prefix_folder.path();
    const auto specs = prefix / "share/gpumodel/arch_specs";
    fs::create_directories(prefix / "bin");
    fs::create_directories(specs);
    fs::copy_file("/proc/self/exe", prefix / "bin/program");
    for (const char* folder : {"products", "generations"}) {
        fs::copy(fs::path(GPUMODEL_SOURCE_DIR) / "arch_specs" / folder, specs / folder,
                 fs::copy_options::recursive);
    }
    const auto text = output_of("cd / && " + (prefix / "bin/program").string() + " '[print-search-path]'");
    INFO(text);
    CHECK(text.find("path=" + specs.string() + "\n") != std::string::npos);
    CHECK(text.find("k40=" + (specs / "products/kepler/k40.yaml").string() + "\n") != std::string::npos);
}
