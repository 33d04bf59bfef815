#include "tools/sweep/pieces/shard_cell.h"

#include <fmt/format.h>

#include <charconv>

#include "base/parse.h"

namespace gpumodel::cli {
namespace {

// The number in front of `separator`, which `text` then begins behind.
bool take_number(std::string_view& text, char separator, std::int64_t& value) {
    const auto* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || value < 0 || result.ptr == end || *result.ptr != separator) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()) + 1);
    return true;
}

bool sound(const Shard& shard) {
    return shard.index >= 1 && shard.index <= shard.count;
}

constexpr std::string_view rejected_mark = ":rejected";
constexpr std::string_view more_mark = ":more";

bool take_mark(std::string_view& text, std::string_view mark) {
    const bool marked = text.ends_with(mark);
    text.remove_suffix(marked ? mark.size() : 0);
    return marked;
}

}  // namespace

std::string to_string(const ShardCell& cell) {
    return fmt::format("{}/{}:{}-{}/{}:{}{}{}", cell.shard.index, cell.shard.count, cell.first, cell.last,
                       cell.points, cell.identity, cell.rejected ? rejected_mark : "",
                       cell.more ? more_mark : "");
}

std::optional<Shard> parse_shard(std::string_view text) {
    Shard shard;
    if (!take_number(text, '/', shard.index)) {
        return std::nullopt;
    }
    shard.count = parse_number<std::int64_t>(text).value_or(0);
    return sound(shard) ? std::optional(shard) : std::nullopt;
}

std::optional<ShardCell> parse_shard_cell(std::string_view text) {
    ShardCell cell;
    if (!take_number(text, '/', cell.shard.index) || !take_number(text, ':', cell.shard.count) ||
        !take_number(text, '-', cell.first) || !take_number(text, '/', cell.last) ||
        !take_number(text, ':', cell.points) || !sound(cell.shard) || cell.first > cell.last ||
        cell.last >= cell.points || cell.shard.count > cell.points) {
        return std::nullopt;
    }
    cell.more = take_mark(text, more_mark);
    cell.rejected = take_mark(text, rejected_mark);
    cell.identity = text;
    return cell;
}

}  // namespace gpumodel::cli
