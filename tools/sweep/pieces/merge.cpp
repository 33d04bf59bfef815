#include "tools/sweep/pieces/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "base/diagnostics.h"
#include "tools/sweep/pieces/csv_records.h"
#include "tools/sweep/pieces/shard_cell.h"

namespace gpumodel::cli {
namespace {

using Faults = std::vector<Diagnostic>;

struct ShardFile {
    std::string path;
    std::string header;
    ShardCell last;  // of its last row
};

struct SplitRow {
    std::string_view rest;   // without the shard's cell
    std::string_view shard;  // which never holds a comma or a quote
};

SplitRow split_row(const CsvRecord& record) {
    const auto row = record.row();
    const auto comma = row.rfind(',');
    return comma == std::string_view::npos ? SplitRow{row, {}}
                                           : SplitRow{row.substr(0, comma), row.substr(comma + 1)};
}

// What a row's cell must be: the next points of the same shard of the same sweep.
std::string fault_of_row(const CsvRecord& record, const std::optional<ShardCell>& cell,
                         const std::optional<ShardCell>& before) {
    if (!record.complete) {
        return "the row is cut; finish this shard with --resume";
    }
    if (!cell) {
        return "the row ends with no shard's cell";
    }
    const auto range = shard_range(cell->shard, cell->points);
    if (before && (cell->identity != before->identity || cell->shard.index != before->shard.index ||
                   cell->shard.count != before->shard.count || cell->points != before->points)) {
        return "the row is of another shard than the rows before";
    }
    if (before && before->more) {
        const bool same = cell->first == before->first && cell->last == before->last;
        return same ? "" : "a model's row is missing before this one";
    }
    const auto expected = before ? before->last + 1 : range.begin;
    if (cell->first != expected) {
        return fmt::format("the row is for points {} to {}; the next point is {}", cell->first, cell->last,
                           expected);
    }
    return cell->last >= range.end ? "the row lies outside of its shard" : "";
}

// Reads all rows; what is wrong ends with the first fault.
std::optional<ShardFile> read_shard(const std::string& path, Faults& faults) {
    const auto fail = [&](int line, const std::string& what) {
        faults.push_back({path, line, line > 0 ? 1 : 0, "", what});
        return std::nullopt;
    };
    std::ifstream stream(path, std::ios::binary);
    std::error_code error;
    if (!stream || std::filesystem::is_directory(path, error)) {
        return fail(0, "cannot read this file");
    }
    CsvRecords records(stream);
    const auto header = records.next();
    if (!header || !header->complete || split_row(*header).shard != shard_column) {
        return fail(header ? 1 : 0, "no shard: the last column of 'sweep --shard' is shard");
    }
    std::optional<ShardCell> last;
    while (const auto record = records.next()) {
        const auto cell = record->complete ? parse_shard_cell(split_row(*record).shard) : std::nullopt;
        const auto fault = fault_of_row(*record, cell, last);
        if (!fault.empty()) {
            return fail(record->line, fault);
        }
        last = cell;
    }
    if (!last) {
        return fail(0, "holds no rows yet; finish this shard with --resume");
    }
    return ShardFile{path, header->text, *last};
}

void check_whole(const ShardFile& file, Faults& faults) {
    const auto& cell = file.last;
    const auto range = shard_range(cell.shard, cell.points);
    if (cell.last + 1 < range.end || cell.more) {
        faults.push_back(
            {file.path, 0, 0, "",
             fmt::format("shard {}/{} ends after point {} of {} to {}; finish it with --resume",
                         cell.shard.index, cell.shard.count, cell.last, range.begin, range.end - 1)});
    }
}

void check_together(const std::vector<ShardFile>& files, Faults& faults) {
    const auto& first = files.front();
    std::map<std::int64_t, const ShardFile*> shards;
    for (const auto& file : files) {
        const auto& cell = file.last;
        if (cell.identity != first.last.identity || cell.points != first.last.points ||
            cell.shard.count != first.last.shard.count || file.header != first.header) {
            faults.push_back(
                {file.path, 0, 0, "",
                 fmt::format("is of another sweep than {} (shard {}/{} of {} points, {}; there "
                             "1/{} of {} points, {})",
                             first.path, cell.shard.index, cell.shard.count, cell.points, cell.identity,
                             first.last.shard.count, first.last.points, first.last.identity)});
            continue;
        }
        auto& place = shards[cell.shard.index];
        if (place != nullptr) {
            faults.push_back(
                {file.path, 0, 0, "",
                 fmt::format("is shard {}/{}, as {} is", cell.shard.index, cell.shard.count, place->path)});
        } else {
            place = &file;
        }
    }
    const auto count = first.last.shard.count;
    std::int64_t next = 1;
    shards[count + 1] = nullptr;
    for (const auto& [index, file] : shards) {
        if (index > next) {
            faults.push_back({"", 0, 0, "",
                              index == next + 1 ? fmt::format("shard {}/{} is missing", next, count)
                                                : fmt::format("shards {} to {} of {} are missing", next,
                                                              index - 1, count)});
        }
        next = index + 1;
    }
}

void copy_rows(const ShardFile& file, const std::function<void(const std::string&)>& write) {
    constexpr std::size_t block = 1 << 16;
    std::ifstream stream(file.path, std::ios::binary);
    CsvRecords records(stream);
    (void)records.next();
    std::string text;
    while (const auto record = records.next()) {
        const auto row = split_row(*record);
        if (!parse_shard_cell(row.shard).value_or(ShardCell{}).rejected) {
            text.append(row.rest) += '\n';
        }
        if (text.size() >= block) {
            write(text);
            text.clear();
        }
    }
    write(text);
}

}  // namespace

void merge_shards(const std::vector<std::string>& files,
                  const std::function<void(const std::string&)>& write) {
    Faults faults;
    std::vector<ShardFile> shards;
    for (const auto& path : files) {
        if (auto shard = read_shard(path, faults)) {
            check_whole(*shard, faults);
            shards.push_back(std::move(*shard));
        }
    }
    // a file that cannot be read may be the one that is missing
    if (!shards.empty() && shards.size() == files.size()) {
        check_together(shards, faults);
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    std::sort(shards.begin(), shards.end(),
              [](const ShardFile& a, const ShardFile& b) { return a.last.shard.index < b.last.shard.index; });
    const auto& header = shards.front().header;
    write(header.substr(0, header.rfind(',')) + "\n");
    for (const auto& shard : shards) {
        copy_rows(shard, write);
    }
}

}  // namespace gpumodel::cli
