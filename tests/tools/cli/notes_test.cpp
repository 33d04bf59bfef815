// Notes have ids, and --werror makes faults of them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "base/note.h"
#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace notes_test {

namespace {

const std::string launch = "predict --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256 --compile never";
const std::string misfit =
    "compare --arch k40 --kernel blocktile1d -p BK=8 --vs-kernel naive -m 128 -n 128 -k 128 --model analytic";

}  // namespace

TEST_CASE("ids of notes are words in kebab-case, each once, and come back from the text", "[cli][notes]") {
    std::set<std::string_view> names;
    for (const auto& kind : gpumodel::note_kinds()) {
        CHECK(names.insert(kind.name).second);
        CHECK(kind.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
        CHECK_FALSE(kind.meaning.empty());
        const gpumodel::Note note{kind.id, "of [this] launch"};
        CHECK(gpumodel::read_note(gpumodel::noted(note.id, note.text)) == note);
    }
    CHECK(gpumodel::read_note("by hand [sic]") == gpumodel::Note{gpumodel::NoteId::other, "by hand [sic]"});
}

TEST_CASE("a result's notes have the same ids in text and json", "[cli][notes]") {
    const auto text = run_gpumodel(launch + " --model analytic").out;
    const auto json = nlohmann::json::parse(run_gpumodel(launch + " --model analytic --format json").out);
    const auto& p = json["predictions"][0];
    REQUIRE_FALSE(p["gaps"].empty());
    std::size_t shown = 0;
    for (const auto& note : p["notes"]) {
        const auto id = note["id"].get<std::string>();
        CHECK(id != "other");
        const auto words = note["text"].get<std::string>();
        shown += text.find("  left out   " + words + " [" + id + "]\n") == std::string::npos ? 0U : 1U;
    }
    CHECK(shown == p["gaps"].size());
    CHECK(p["gaps"].dump().find(" [") == std::string::npos);
}

TEST_CASE("--werror makes faults of notes and leaves the result", "[cli][notes]") {
    const auto plain = run_gpumodel(misfit);
    CHECK(plain.exit_code == 0);
    CHECK(plain.out.find("-p BK=8 is left out [option-left-out]") != std::string::npos);
    for (const std::string option :
         {" --werror", " --werror=option-left-out", " --werror=no-band,option-left-out --quiet"}) {
        INFO(option);
        const auto strict = run_gpumodel(misfit + option);
        CHECK(strict.exit_code == 3);
        CHECK(strict.out == plain.out);
        CHECK(strict.err == "--werror=option-left-out: b: naive has no parameter BK; -p BK=8 is left out\n");
    }
    CHECK(run_gpumodel(misfit + " --werror=no-band").exit_code == 0);
}

TEST_CASE("remarks that hold for every launch are faults only by name", "[cli][notes]") {
    const auto analytic = launch + " --model analytic";
    CHECK(run_gpumodel(analytic + " --werror").exit_code == 0);
    const auto strict = run_gpumodel(analytic + " --werror=instruction-order");
    CHECK(strict.exit_code == 3);
    CHECK(strict.err.starts_with("--werror=instruction-order: "));
    // of many rows one fault for all
    const auto rows = run_gpumodel(
        "predict --arch k40 --jobs jobs/mixed.csv --model analytic --threads 2 --format csv --quiet "
        "--werror=instruction-order");
    CHECK(rows.exit_code == 3);
    CHECK(lines_of(rows.err).size() == 1);
}

TEST_CASE("--werror of what a run passes over, and of ids that are none", "[cli][notes]") {
    const auto listed = "GPUMODEL_ARCH_PATH=/nowhere {gpumodel} arch list";
    const auto told = run_shell(listed);
    CHECK(told.exit_code == 0);
    CHECK(told.err.find(" [spec-folder]\n") != std::string::npos);
    const auto strict = run_shell(std::string(listed) + " --werror");
    CHECK(strict.exit_code == 3);
    CHECK(strict.out == told.out);
    CHECK(strict.err.starts_with("--werror=spec-folder: GPUMODEL_ARCH_PATH: '/nowhere'"));
    const auto wrong = run_gpumodel("arch list --werror=spec-folders");
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err == "--werror: no note has the id 'spec-folders'; nearest: spec-folder\n");
    CHECK(wrong.out.empty());
}

TEST_CASE("the guide lists every id with its meaning", "[cli][notes][docs]") {
    const auto page = run_shell("cat ../../docs/commands.md").out;
    for (const auto& kind : gpumodel::note_kinds()) {
        INFO(kind.name);
        const auto row =
            "| `" + std::string(kind.name) + "` | " + (kind.warns ? "warning" : "remark") + " | ";
        CHECK(page.find(row + std::string(kind.meaning) + " |") != std::string::npos);
    }
}

}  // namespace notes_test
