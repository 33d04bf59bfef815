// PieceResult as bytes. Both ends run the same program on the same kind of machine: native byte order.
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {
namespace {

class Packer {
public:
    template <class Number>
    void number(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        bytes_.append(bytes, sizeof value);
    }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Unpacker {
public:
    explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
    template <class Number>
    [[nodiscard]] Number number() {
        Number value{};
        require(sizeof value);
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    [[nodiscard]] std::string text() {
        const auto size = number<std::size_t>();
        require(size);
        at_ += size;
        return bytes_.substr(at_ - size, size);
    }

private:
    void require(std::size_t size) const {
        if (size > bytes_.size() - at_) {
            throw std::runtime_error("a message between ranks is cut");
        }
    }
    const std::string& bytes_;
    std::size_t at_ = 0;
};

}  // namespace

std::string packed(const PieceResult& result) {
    Packer out;
    out.number(result.points.begin);
    out.number(result.points.end);
    out.number(result.rows.size());
    for (const auto& row : result.rows) {
        out.number(row.point);
        out.number(row.arch);
        out.number(row.shape);
        out.number(row.seconds);
        out.number(row.rejected);
        out.text(row.text);
    }
    out.number(result.tally.points);
    out.number(result.tally.valid);
    out.number(result.tally.failed);
    out.number(result.tally.rules.size());
    for (const auto& [rule, count] : result.tally.rules) {
        out.text(rule);
        out.number(count);
    }
    return out.take();
}

PieceResult unpacked(const std::string& bytes) {
    Unpacker in(bytes);
    PieceResult result;
    result.points.begin = in.number<std::int64_t>();
    result.points.end = in.number<std::int64_t>();
    for (auto left = in.number<std::size_t>(); left > 0; --left) {
        SweepRow row;
        row.point = in.number<std::int64_t>();
        row.arch = in.number<std::int64_t>();
        row.shape = in.number<std::int64_t>();
        row.seconds = in.number<double>();
        row.rejected = in.number<bool>();
        row.text = in.text();
        result.rows.push_back(std::move(row));
    }
    result.tally.points = in.number<std::int64_t>();
    result.tally.valid = in.number<std::int64_t>();
    result.tally.failed = in.number<std::int64_t>();
    for (auto left = in.number<std::size_t>(); left > 0; --left) {
        auto rule = in.text();
        result.tally.rules[std::move(rule)] = in.number<std::int64_t>();
    }
    return result;
}

}  // namespace gpumodel::cli
