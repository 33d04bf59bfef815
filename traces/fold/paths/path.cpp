#include "traces/fold/paths/path.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace gpumodel {
namespace {

using Kind = PathToken::Kind;

bool begins_with(const Path& path, const Path& base) {
    return path.tokens.size() >= base.tokens.size() && path.accesses.size() >= base.accesses.size() &&
           std::equal(base.tokens.begin(), base.tokens.end(), path.tokens.begin());
}

// Written for the vectoriser: no early exit.
bool moved_by(const LaneAddresses& from, const LaneAddresses& to, std::int64_t step) {
    std::int64_t difference = 0;
    for (std::size_t lane = 0; lane < from.size(); ++lane) {
        difference |= to[lane] ^ (from[lane] + step);
    }
    return difference == 0;
}

}  // namespace

void Path::add_piece(int begin, int end, std::uint32_t active) {
    tokens.push_back({Kind::straight, begin, end, active, 0});
    check_size();
}

void Path::add_access(const PathAccess& access, const LaneAddresses& addresses_of_lanes) {
    accesses.push_back(access);
    addresses.push_back(addresses_of_lanes);
    check_size();
}

void Path::append(const Path& other) {
    append(other, 0, 0);
}

void Path::append(const Path& other, std::size_t first_token, std::size_t first_access) {
    const auto tokens_from = other.tokens.begin() + static_cast<std::ptrdiff_t>(first_token);
    const auto skip = static_cast<std::ptrdiff_t>(first_access);
    tokens.insert(tokens.end(), tokens_from, other.tokens.end());
    accesses.insert(accesses.end(), other.accesses.begin() + skip, other.accesses.end());
    addresses.insert(addresses.end(), other.addresses.begin() + skip, other.addresses.end());
    check_size();
}

void Path::check_size() const {
    if (accesses.size() <= max_path_accesses && tokens.size() <= max_path_tokens) {
        return;
    }
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, "",
                       fmt::format("a warp executes more than {} pieces of code or {} accesses that do not "
                                   "repeat regularly: too irregular for a program",
                                   max_path_tokens, max_path_accesses)}});
}

void Path::clear() {
    tokens.clear();
    accesses.clear();
    addresses.clear();
}

int Path::loop_depth() const {
    int depth = 0;
    int deepest = 0;
    for (const auto& token : tokens) {
        depth += token.kind == Kind::loop_begin ? 1 : token.kind == Kind::loop_end ? -1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

bool uniform_steps(const Path& before, const Path& after, std::vector<std::int64_t>& steps) {
    steps.clear();
    if (before.tokens != after.tokens || before.accesses.size() != after.accesses.size()) {
        return false;
    }
    for (std::size_t i = 0; i < before.accesses.size(); ++i) {
        const auto step = after.addresses[i][0] - before.addresses[i][0];
        if (!(before.accesses[i] == after.accesses[i]) ||
            !moved_by(before.addresses[i], after.addresses[i], step)) {
            return false;
        }
        steps.push_back(step);
    }
    return true;
}

bool follows(const Path& base, std::span<const std::int64_t> steps, std::int64_t times, const Path& path,
             bool whole) {
    if (!begins_with(path, base) || (whole && (path.tokens.size() != base.tokens.size() ||
                                               path.accesses.size() != base.accesses.size()))) {
        return false;
    }
    for (std::size_t i = 0; i < base.accesses.size(); ++i) {
        if (!(base.accesses[i] == path.accesses[i]) ||
            !moved_by(base.addresses[i], path.addresses[i], times * steps[i])) {
            return false;
        }
    }
    return true;
}

void append_loop(Path& path, std::span<const Path> parts, std::span<const std::vector<std::int64_t>> steps,
                 std::int64_t trips) {
    path.tokens.push_back({Kind::loop_begin, 0, 0, 0, trips});
    for (std::size_t part = 0; part < parts.size(); ++part) {
        auto next = path.accesses.size();
        path.append(parts[part]);
        for (const auto step : steps[part]) {
            auto& access = path.accesses[next++];
            access.stride.at(access.depth) = step;
            ++access.depth;
        }
    }
    path.tokens.push_back({Kind::loop_end, 0, 0, 0, 0});
}

}  // namespace gpumodel
