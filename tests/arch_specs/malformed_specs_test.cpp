// Every tests/arch_specs/bad/<name>.yaml must give exactly the faults of <name>.expected, in that order.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arch_specs/loader.h"
#include "tests/support/temporary_folder.h"

namespace malformed_specs_test {

using namespace gpumodel;

namespace {

namespace fs = std::filesystem;

// Faults cite the path as given; relative ones keep the expectations independent of the checkout.
class InTestData {
public:
    InTestData() : before_(fs::current_path()) { fs::current_path(GPUMODEL_TEST_DATA); }
    ~InTestData() { fs::current_path(before_); }
    InTestData(const InTestData&) = delete;
    InTestData& operator=(const InTestData&) = delete;

private:
    fs::path before_;
};

std::vector<std::string> spec_path() {
    return {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};
}

std::string text_of(const fs::path& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::string joined(const std::vector<Diagnostic>& faults) {
    std::string text;
    for (const auto& fault : faults) {
        text.append(to_string(fault)).append("\n");
    }
    return text;
}

std::vector<std::string> fixtures() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator("bad")) {
        if (entry.path().extension() == ".yaml") {
            names.push_back((entry.path().parent_path() / entry.path().stem()).string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

TEST_CASE("malformed specs give exactly their expected faults", "[spec]") {
    const InTestData here;
    const auto names = fixtures();
    CHECK(names.size() >= 25);
    for (const auto& name : names) {
        INFO(name);
        REQUIRE(fs::exists(name + ".expected"));
        CHECK(joined(check_arch(name + ".yaml", spec_path())) == text_of(name + ".expected"));
    }
}

TEST_CASE("loading a malformed spec throws the same faults as checking it", "[spec]") {
    const InTestData here;
    for (const auto& name : fixtures()) {
        INFO(name);
        try {
            (void)load_arch(name + ".yaml", {}, spec_path());
            FAIL("loaded");
        } catch (const InputError& error) {
            CHECK(error.kind() == InputErrorKind::invalid_input);
            CHECK(joined(error.diagnostics()) == text_of(name + ".expected"));
        }
    }
}

TEST_CASE("input that is no spec at all is refused, not obeyed", "[spec]") {
    const InTestData here;
    CHECK(joined(check_arch("bad", spec_path())) == "bad: this is a directory; a spec is a YAML file\n");
    CHECK(joined(check_arch("bad/no_such.yaml", spec_path())) == "bad/no_such.yaml: cannot read this file\n");

    const TemporaryFile huge(std::string(300 * 1024, 'x'), "huge.yaml");
    CHECK(joined(check_arch(huge.path(), spec_path())) ==
          huge.path() + ": larger than 256 KiB: this is no spec\n");
}

}  // namespace malformed_specs_test
