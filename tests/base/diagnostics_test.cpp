// The form of diagnostics and the search for the nearest name.
#include "base/diagnostics.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

TEST_CASE("diagnostics print as path:line:col: key: message", "[unit]") {
    CHECK(to_string(Diagnostic{"a.yaml", 3, 5, "sm.max_warps", "wrong"}) ==
          "a.yaml:3:5: sm.max_warps: wrong");
    CHECK(to_string(Diagnostic{"a.yaml", 3, 0, "", "wrong"}) == "a.yaml:3: wrong");
    CHECK(to_string(Diagnostic{"--set", 0, 0, "key", "wrong"}) == "--set: key: wrong");
    CHECK(to_string(Diagnostic{"", 0, 0, "k41", "unknown"}) == "k41: unknown");
}

TEST_CASE("an input error carries every diagnostic", "[unit]") {
    const InputError error(InputErrorKind::usage, {{"", 0, 0, "a", "x"}, {"", 0, 0, "b", "y"}});
    CHECK(std::string(error.what()) == "a: x\nb: y");
    CHECK(error.diagnostics().size() == 2);
    CHECK(static_cast<int>(error.kind()) == 2);
}

TEST_CASE("the nearest name counts slips of typing, swaps included", "[unit]") {
    const std::vector<std::string> names{"v100_sxm2", "v100_pcie", "k40", "h200_sxm"};
    CHECK(nearest_name("v100_smx2", names) == "v100_sxm2");  // swap: 1
    CHECK(nearest_name("v100_pci", names) == "v100_pcie");   // insertion
    CHECK(nearest_name("h200-sxm", names) == "h200_sxm");    // substitution
    CHECK(nearest_name("k4", names) == "k40");
    CHECK(nearest_name("fermi", names).empty());  // nothing within max(2, 5/3)
    CHECK(nearest_name("v200_sxx", {}).empty());
    CHECK(nearest_hint("k41", names) == "; nearest: k40");
    CHECK(nearest_hint("banana", names).empty());
    // Swapped neighbours are one step: two swaps reach "badc", while "dcba" is four substitutions away.
    const std::vector<std::string> letters{"abcd"};
    CHECK(nearest_name("badc", letters) == "abcd");
    CHECK(nearest_name("dcba", letters).empty());
}
