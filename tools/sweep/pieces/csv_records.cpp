#include "tools/sweep/pieces/csv_records.h"

namespace gpumodel::cli {

namespace {

constexpr std::size_t longest_record = 1 << 20;

}  // namespace

std::optional<CsvRecord> CsvRecords::next() {
    using Traits = std::streambuf::traits_type;
    CsvRecord record;
    record.line = line_;
    bool quoted = false;
    for (auto got = in_->sbumpc(); !Traits::eq_int_type(got, Traits::eof()); got = in_->sbumpc()) {
        const char c = Traits::to_char_type(got);
        record.text += c;
        quoted = quoted != (c == '"');  // a doubled quote turns it twice
        line_ += c == '\n' ? 1 : 0;
        if (c == '\n' && !quoted) {
            record.complete = true;
            break;
        }
        if (record.text.size() >= longest_record) {
            break;  // /dev/zero is one line without an end
        }
    }
    bytes_ += static_cast<std::int64_t>(record.text.size());
    record.end = bytes_;
    return record.text.empty() ? std::nullopt : std::optional(std::move(record));
}

}  // namespace gpumodel::cli
