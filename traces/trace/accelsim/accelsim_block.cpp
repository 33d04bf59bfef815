#include "traces/trace/accelsim/accelsim_block.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "base/parse.h"

namespace gpumodel {

namespace {

// The value of `key = value`; empty if the line is another.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key) {
    if (!text.starts_with(key)) {
        return std::nullopt;
    }
    text = trim(text.substr(key.size()));
    if (!text.starts_with('=')) {
        return std::nullopt;
    }
    return trim(text.substr(1));
}

}  // namespace

void AccelSimBlockParser::fault(int number, const std::string& key, const std::string& message) {
    faults_.push_back({file_, number, 0, key, message});
}

void AccelSimBlockParser::begin(int /*number*/) {
    has_id_ = has_warp_ = false;
    warps_ = 0;
    left_ = 0;
}

void AccelSimBlockParser::line(std::string_view text, int number) {
    if (left_ > 0) {
        if (trim(text).empty()) {
            return;
        }
        --left_;
        if (text.starts_with("warp") || text.starts_with("insts")) {
            fault(number, "insts", fmt::format("{} instruction lines are missing", left_ + 1));
            left_ = 0;
        } else {
            if (table_.parse(text, number, parsed_, faults_, file_)) {
                handler_.instruction(parsed_);
            }
            return;
        }
    }
    if (const auto content = trim(text); !content.empty()) {
        directive(content, number);
    }
}

void AccelSimBlockParser::directive(std::string_view text, int number) {
    if (const auto id = value_of(text, "thread block")) {
        block_id(*id, number);
    } else if (const auto warp = value_of(text, "warp")) {
        warp_id(*warp, number);
    } else if (const auto count = value_of(text, "insts")) {
        const auto value = parse_number<std::int64_t>(*count);
        if (!value || *value < 0) {
            fault(number, "insts", fmt::format("'{}' is no count", *count));
        } else if (!std::exchange(has_warp_, false)) {
            fault(number, "insts", "no warp before it");
        } else {
            left_ = *value;
        }
    } else {
        fault(number, "", "expected 'thread block =', 'warp =', 'insts =' or #END_TB");
    }
}

void AccelSimBlockParser::block_id(std::string_view value, int number) {
    std::array<std::int64_t, 3> id{};
    const std::array<std::int64_t, 3> high{grid_.x, grid_.y, grid_.z};
    auto rest = value;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const auto part = parse_number<std::int64_t>(trim(rest.substr(0, rest.find(','))));
        if (!part || *part < 0 || *part >= high.at(i) ||
            (rest.find(',') == std::string_view::npos) != (i == 2)) {
            fault(number, "thread block",
                  fmt::format("'{}' is no block of the grid {},{},{}", value, grid_.x, grid_.y, grid_.z));
            return;
        }
        id.at(i) = *part;
        rest.remove_prefix(std::min(rest.size(), rest.find(',')));
        rest.remove_prefix(rest.empty() ? 0 : 1);
    }
    if (std::exchange(has_id_, true)) {
        fault(number, "thread block", "given twice");
        return;
    }
    handler_.block({id[0], id[1], id[2]});
}

void AccelSimBlockParser::warp_id(std::string_view value, int number) {
    const auto id = parse_number<std::int64_t>(value);
    const auto warps = (threads_ + 31) / 32;
    if (!has_id_) {
        fault(number, "warp", "no thread block before it");
    } else if (!id || *id < 0 || *id >= warps) {
        fault(number, "warp", fmt::format("'{}' is no warp of the block, allowed 0 to {}", value, warps - 1));
    } else if ((warps_ >> *id & 1) != 0) {
        fault(number, "warp", fmt::format("warp {} is given twice", *id));
    } else {
        warps_ |= std::uint64_t{1} << *id;
        has_warp_ = true;
        handler_.warp(static_cast<int>(*id));
    }
}

void AccelSimBlockParser::end(int number) {
    if (left_ > 0) {
        fault(number, "insts", fmt::format("{} instruction lines are missing", left_));
    } else if (!has_id_) {
        fault(number, "thread block", "missing in the block");
    } else if (const auto warps = (threads_ + 31) / 32; std::popcount(warps_) != warps) {
        fault(number, "warp",
              fmt::format("{} of the block's {} warps are missing", warps - std::popcount(warps_), warps));
    }
}

}  // namespace gpumodel
