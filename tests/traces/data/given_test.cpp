// What --args gives allocations: rules, raw files and .npy files.
#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "base/diagnostics.h"
#include "tests/support/temporary_folder.h"
#include "traces/emulate/data/npy.h"
#include "traces/emulate/prepare/kernel_arguments.h"

using namespace gpumodel;

namespace {

std::uint64_t element(const std::string& argument, std::int64_t i, int bytes) {
    return parse_arguments(argument).list.at(0).data->read(i * bytes, bytes);
}

std::string fault_of(const std::string& arguments) {
    try {
        static_cast<void>(parse_arguments(arguments));
    } catch (const InputError& error) {
        return to_string(error.diagnostics().front());
    }
    return "";
}

// As NumPy writes it: the header padded with blanks to a multiple of 64 bytes.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
    std::string file = "\x93NUMPY";
    file += version;
    file += '\0';
    const std::size_t front = version == 1 ? 10 : 12;
    std::string header = dictionary;
    header.resize((front + header.size() + 64) / 64 * 64 - front - 1, ' ');
    header += '\n';
    for (std::size_t i = 0; i < front - 8; ++i) {
        file += static_cast<char>(header.size() >> 8 * i & 0xffU);
    }
    return file + header + data;
}

}  // namespace

TEST_CASE("zeros and iota") {
    CHECK(element("ptr:64B=zeros", 3, 4) == 0);
    CHECK(element("ptr:64B=iota", 3, 4) == 3);
    CHECK(element("a=ptr:64B=iota:u8", 9, 1) == 9);
    CHECK(element("ptr:64B=iota:i64", 7, 8) == 7);
    CHECK(element("ptr:64B=iota:f32", 5, 4) == std::bit_cast<std::uint32_t>(5.0F));
    CHECK(element("ptr:64B=iota:f64", 5, 8) == std::bit_cast<std::uint64_t>(5.0));
    CHECK(element("ptr:64B=iota:i16", 1, 4) == (3U << 16U | 2U));  // two elements at once
    CHECK(parse_arguments("ptr:1KiB=zeros").list[0].allocation_bytes == 1024);
}

TEST_CASE("random values lie in their range, all over it, and hang on the seed alone") {
    std::set<std::uint64_t> seen;
    for (std::int64_t i = 0; i < 2000; ++i) {
        const auto value = element("ptr:8000B=random:5..12", i, 4);
        CHECK(value >= 5);
        CHECK(value <= 12);
        seen.insert(value);
        const auto real =
            std::bit_cast<float>(static_cast<std::uint32_t>(element("ptr:8000B=random:1", i, 4)));
        CHECK(real >= 0);
        CHECK(real < 1);
        const auto byte = static_cast<std::int8_t>(element("ptr:8000B=random:3:-4..-2:i8", i, 1));
        CHECK(byte >= -4);
        CHECK(byte <= -2);
    }
    CHECK(seen.size() == 8);
    CHECK(element("ptr:8000B=random:1:0..100000", 9, 4) == element("ptr:4000B=random:1:0..100000", 9, 4));
    CHECK(element("ptr:8000B=random:1:0..100000", 9, 4) != element("ptr:8000B=random:2:0..100000", 9, 4));
    const auto number = std::bit_cast<double>(element("ptr:80B=random:-2.5..-1.5:f64", 1, 8));
    CHECK(number >= -2.5);
    CHECK(number < -1.5);
}

TEST_CASE("what is no contents of an allocation is named") {
    using Catch::Contains;
    CHECK_THAT(fault_of("ptr=zeros"), Contains("need a size"));
    CHECK_THAT(fault_of("ptr:4KiB="), Contains("no contents") && Contains("allowed"));
    CHECK_THAT(fault_of("ptr:4KiB=ones"), Contains("'ones'") && Contains("zeros, iota"));
    CHECK_THAT(fault_of("ptr:4KiB=iota:i128"), Contains("'i128' is no type"));
    CHECK_THAT(fault_of("ptr:4KiB=random:9..2"), Contains("lower one first"));
    CHECK_THAT(fault_of("ptr:4KiB=random:0..300:u8"), Contains("beyond u8"));
    CHECK_THAT(fault_of("ptr:4KiB=random:0.5..3:i32"), Contains("whole numbers"));
    CHECK_THAT(fault_of("ptr:4KiB=random:u32"), Contains("need a range"));
    CHECK_THAT(fault_of("ptr:4KiB=random:1:2"), Contains("not understood"));
    CHECK_THAT(fault_of("x=@/nowhere/data.bin"), Contains("cannot read"));
}

TEST_CASE("a raw file is the allocation's contents") {
    const TemporaryFile file(std::string("\x01\x00\x00\x00\xff\xff\xff\xff", 8), "raw");
    const auto plain = parse_arguments("index=@" + file.path()).list.at(0);
    CHECK(plain.name == "index");
    CHECK(plain.allocation_bytes == 8);
    CHECK(plain.data->read(4, 4) == 0xffffffffU);
    const auto part = parse_arguments("ptr:1KiB=@" + file.path()).list.at(0);
    CHECK(part.allocation_bytes == 1024);
    CHECK(part.data->bytes() == 8);
    CHECK_THAT(fault_of("ptr:4B=@" + file.path()), Catch::Contains("more than the allocation's 4"));
}

TEST_CASE("a .npy file gives its array") {
    const std::string data(24, '\x02');
    for (const char version : {'\1', '\2'}) {
        const TemporaryFile file(
            npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", data, version), "good.npy");
        const auto argument = parse_arguments("@" + file.path()).list.at(0);
        CHECK(argument.allocation_bytes == 24);
        CHECK(argument.data->read(20, 4) == 0x02020202U);
    }
    const auto header =
        read_npy_header(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (3,), }", data));
    CHECK(header.fault.empty());  // one dimension has one order
    CHECK(header.shape == std::vector<std::int64_t>{3});
    CHECK(header.dtype == "<f8");
}

TEST_CASE("a .npy file that is no plain array of numbers is refused with the reason") {
    using Catch::Contains;
    const std::string data(24, '\0');
    const auto fault = [&](const std::string& dictionary) {
        return read_npy_header(npy(dictionary, data)).fault;
    };
    CHECK_THAT(fault("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"), Contains("Fortran"));
    CHECK_THAT(fault("{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }"), Contains("little-endian"));
    CHECK_THAT(fault("{'descr': '|O', 'fortran_order': False, 'shape': (6,), }"), Contains("'|O'"));
    CHECK_THAT(fault("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }"),
               Contains("little-endian"));
    CHECK_THAT(fault("{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }"), Contains("takes 28"));
    CHECK_THAT(fault("{'descr': '<f4', 'fortran_order': False, 'shape': (-6,), }"), Contains("no shape"));
    CHECK_THAT(
        fault("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }"),
        Contains("no shape"));
    CHECK_THAT(fault("{'fortran_order': False}"), Contains("little-endian"));
    CHECK_THAT(read_npy_header("\x93NUMPY").fault, Contains("no .npy"));
    CHECK_THAT(read_npy_header(std::string("\x93NUMPY\x01\x00\xff\xff", 10) + "{}").fault,
               Contains("header"));
    const TemporaryFile file("no array", "bad.npy");
    CHECK_THAT(fault_of("@" + file.path()), Contains("no .npy file"));
}
