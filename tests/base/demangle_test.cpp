// Names of entries as people read them; the mangled ones by the Itanium C++ ABI.
#include "base/demangle.h"

#include <catch2/catch.hpp>

using gpumodel::readable_entry;

TEST_CASE("mangled names are read, others stay", "[unit]") {
    CHECK(readable_entry("_Z5naivePf") == "naive(float*)");
    CHECK(readable_entry("_ZN1a1bILi8EEEviPKf") == "void a::b<8>(int, float const*)");
    CHECK(readable_entry("saxpy") == "saxpy");
    CHECK(readable_entry("i") == "i");  // a type's code, but no name
    CHECK(readable_entry("_Znonsense") == "_Znonsense");
    CHECK(readable_entry("").empty());
}
