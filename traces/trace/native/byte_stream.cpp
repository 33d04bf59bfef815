#include "traces/trace/native/byte_stream.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace gpumodel {

namespace {

constexpr std::size_t longest_text = 1 << 16;

}  // namespace

void ByteWriter::u32(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        u8(value >> shift & 0xff);
    }
}

void ByteWriter::number(std::uint64_t value) {
    while (value >= 0x80) {
        u8(static_cast<unsigned>(value & 0x7f) | 0x80);
        value >>= 7;
    }
    u8(static_cast<unsigned>(value));
}

void ByteWriter::integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    number(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void ByteWriter::real(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    u32(static_cast<std::uint32_t>(bits));
    u32(static_cast<std::uint32_t>(bits >> 32));
}

void ByteWriter::text(std::string_view value) {
    const auto kept = value.substr(0, longest_text);
    number(kept.size());
    raw(kept);
}

void ByteReader::fail(std::string message) const {
    throw ByteFault{at_, std::move(message)};
}

void ByteReader::expect_end() const {
    if (!at_end()) {
        fail(fmt::format("{} bytes too many", left()));
    }
}

std::string_view ByteReader::raw(std::size_t size) {
    if (size > left()) {
        fail(fmt::format("{} bytes wanted, {} left", size, left()));
    }
    return bytes_.substr(std::exchange(at_, at_ + size), size);
}

std::uint8_t ByteReader::u8() {
    return static_cast<std::uint8_t>(raw(1).front());
}

std::uint32_t ByteReader::u32() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        value |= std::uint32_t{u8()} << shift;
    }
    return value;
}

std::uint64_t ByteReader::number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto byte = u8();
        if (shift == 63 && byte > 1) {
            break;
        }
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    fail("a number of more than 64 bits");
}

std::int64_t ByteReader::integer() {
    const auto folded = number();
    return static_cast<std::int64_t>(folded >> 1 ^ (folded & 1 ? ~std::uint64_t{0} : 0));
}

double ByteReader::real() {
    const std::uint64_t low = u32();
    const auto value = std::bit_cast<double>(low | std::uint64_t{u32()} << 32);
    if (!std::isfinite(value)) {
        fail("a number that is not finite");
    }
    return value;
}

std::string ByteReader::text() {
    return std::string(raw(count(longest_text, "length of a text")));
}

std::int64_t ByteReader::integer_in(std::int64_t low, std::int64_t high, std::string_view what) {
    const auto at = at_;
    const auto value = integer();
    if (value < low || value > high) {
        at_ = at;
        fail(fmt::format("{} is {}, allowed {} to {}", what, value, low, high));
    }
    return value;
}

std::uint64_t ByteReader::count(std::uint64_t high, std::string_view what) {
    const auto at = at_;
    const auto value = number();
    if (value > high) {
        at_ = at;
        fail(fmt::format("{} is {}, allowed 0 to {}", what, value, high));
    }
    return value;
}

}  // namespace gpumodel
