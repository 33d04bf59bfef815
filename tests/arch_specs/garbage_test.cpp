// No input may crash, hang or escape as anything but diagnostics.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "arch_specs/loader.h"
#include "tests/support/temporary_folder.h"

using namespace gpumodel;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> spec_path() {
    return {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};
}

std::string shipped(const std::string& file) {
    std::ifstream stream(spec_path().front() + "/" + file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<Diagnostic> faults_of(const std::string& text) {
    const TemporaryFile file(text, "garbage.yaml");
    return check_arch(file.path(), spec_path());
}

}  // namespace

TEST_CASE("mutilated specs end in diagnostics", "[property]") {
    std::mt19937 random(7);
    const std::string specs[] = {shipped("generations/sm_35.yaml"), shipped("products/volta/v100_sxm2.yaml")};
    const std::string spice = "{}[]:,&*!|>'\"%@`#-?\n\t ~0eE.\xff";
    for (int round = 0; round < 300; ++round) {
        std::string text = specs[round % 2];
        const auto at = [&] {
            return std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
        };
        for (int hit = 0; hit < 1 + round % 7; ++hit) {
            text[at()] = spice[random() % spice.size()];
        }
        if (round % 3 == 0) {
            text.resize(at());
        }
        INFO(text);
        std::vector<Diagnostic> faults;
        CHECK_NOTHROW(faults = faults_of(text));
        CHECK_FALSE(faults.empty());  // the name differs from the file's, at least
    }
}

TEST_CASE("random bytes end in diagnostics", "[property]") {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        std::string text;
        for (int i = 0; i < 200; ++i) {
            text += static_cast<char>(random() % 256);
        }
        std::vector<Diagnostic> faults;
        CHECK_NOTHROW(faults = faults_of(text));
        CHECK_FALSE(faults.empty());
    }
}

TEST_CASE("sizes at the limit are read in reasonable time", "[property]") {
    const std::size_t size = 200 * 1024;
    for (const char* unit :
         {"[", "{", "- ", "? ", "a: ", "&a ", "*a ", "!", "'", "\"", "a: b\n", "- a\n", "%"}) {
        std::string text;
        while (text.size() < size) {
            text += unit;
        }
        INFO(unit);
        CHECK_FALSE(faults_of(text).empty());
    }
}
