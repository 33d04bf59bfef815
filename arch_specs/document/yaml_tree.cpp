#include "arch_specs/document/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/units.h"

namespace gpumodel {

namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} * 1024;
constexpr std::size_t max_depth = 16;

class TreeBuilder : public YAML::EventHandler {
public:
    TreeBuilder(std::string file, std::vector<Diagnostic>& faults)
        : file_(std::move(file)), faults_(faults) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        reject_anchor(mark, anchor);
        add(node(YamlNode::Kind::null, mark));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fault(mark, "", "aliases (*name) are not part of the spec language");
        add(node(YamlNode::Kind::rejected, mark));
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  const std::string& value) override {
        reject_anchor(mark, anchor);
        auto scalar = node(YamlNode::Kind::scalar, mark);
        scalar.text = value;
        add(std::move(scalar));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        reject_anchor(mark, anchor);
        open(node(YamlNode::Kind::sequence, mark));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        reject_anchor(mark, anchor);
        open(node(YamlNode::Kind::map, mark));
    }
    void OnMapEnd() override { close(); }

    YamlNode take_root() { return std::move(root_); }

private:
    // A collection under construction; maps alternate between key and value.
    struct Frame {
        YamlNode node;
        YamlNode key;
        bool has_key = false;
    };

    static YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
        YamlNode made;
        made.kind = kind;
        made.line = mark.line + 1;
        made.column = mark.column + 1;
        return made;
    }

    void fault(const YAML::Mark& mark, const std::string& key, const std::string& message) {
        faults_.push_back({file_, mark.line + 1, mark.column + 1, key, message});
    }

    void reject_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (anchor != 0) {
            fault(mark, "", "anchors (&name) are not part of the spec language");
        }
    }

    void open(YamlNode collection) {
        if (stack_.size() == max_depth && !too_deep_) {
            too_deep_ = true;
            faults_.push_back({file_, collection.line, collection.column, "",
                               fmt::format("nested deeper than {} levels", max_depth)});
        }
        stack_.push_back({std::move(collection), {}, false});
    }

    void close() {
        auto done = std::move(stack_.back().node);
        stack_.pop_back();
        add(std::move(done));
    }

    void add(YamlNode child) {
        if (stack_.empty()) {
            root_ = std::move(child);
            return;
        }
        auto& parent = stack_.back();
        if (parent.node.kind == YamlNode::Kind::sequence) {
            parent.node.items.push_back(std::move(child));
        } else if (!parent.has_key) {
            parent.key = std::move(child);
            parent.has_key = true;
        } else {
            parent.has_key = false;
            add_member(parent.node, std::move(parent.key), std::move(child));
        }
    }

    void add_member(YamlNode& map, YamlNode key, YamlNode value) {
        if (key.kind != YamlNode::Kind::scalar) {
            faults_.push_back({file_, key.line, key.column, "", "a key must be a word"});
            return;
        }
        const auto earlier = std::find_if(map.members.begin(), map.members.end(),
                                          [&](const auto& member) { return member.key.text == key.text; });
        if (earlier != map.members.end()) {
            faults_.push_back(
                {file_, key.line, key.column, "",
                 fmt::format("duplicate key {}; first given in line {}", cite(key.text), earlier->key.line)});
            return;
        }
        map.members.push_back({std::move(key), std::move(value)});
    }

    std::string file_;
    std::vector<Diagnostic>& faults_;
    std::vector<Frame> stack_;
    YamlNode root_;
    bool too_deep_ = false;
};

// Binary files, and NUL bytes above all, confuse the scanner; they are no specs anyway.
bool only_text(const std::string& text, const std::string& file, std::vector<Diagnostic>& faults) {
    int line = 1;
    int column = 1;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f) {
            faults.push_back(
                {file, line, column, "", fmt::format("byte 0x{:02x}: this is not a text file", byte)});
            return false;
        }
        line += c == '\n' ? 1 : 0;
        column = c == '\n' ? 1 : column + 1;
    }
    return true;
}

}  // namespace

std::optional<YamlNode> parse_yaml(const std::string& text, const std::string& file,
                                   std::vector<Diagnostic>& faults) {
    if (!only_text(text, file, faults)) {
        return std::nullopt;
    }
    const auto faults_before = faults.size();
    TreeBuilder builder(file, faults);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) {
            faults.push_back({file, 0, 0, "", "the file is empty"});
            return std::nullopt;
        }
        auto root = builder.take_root();
        if (parser.HandleNextDocument(builder)) {
            const auto second = builder.take_root();
            faults.push_back(
                {file, second.line, second.column, "", "only one YAML document is allowed per file"});
        }
        return root;
    } catch (const YAML::DeepRecursion&) {
        faults.resize(faults_before);
        faults.push_back({file, 0, 0, "", fmt::format("nested deeper than {} levels", max_depth)});
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        // What the parser saw before it gave up is incomplete; faults found in it would mislead.
        faults.resize(faults_before);
        const bool placed = !error.mark.is_null();
        faults.push_back({file, placed ? error.mark.line + 1 : 0, placed ? error.mark.column + 1 : 0, "",
                          "not valid YAML: " + error.msg});
        return std::nullopt;
    }
}

std::optional<std::string> read_text_file(const std::string& path, std::vector<Diagnostic>& faults) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        faults.push_back({path, 0, 0, "", "this is a directory; a spec is a YAML file"});
        return std::nullopt;
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        faults.push_back({path, 0, 0, "", "cannot read this file"});
        return std::nullopt;
    }
    std::string text(max_file_bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_file_bytes) {
        faults.push_back(
            {path, 0, 0, "", fmt::format("larger than {} KiB: this is no spec", max_file_bytes / 1024)});
        return std::nullopt;
    }
    return text;
}

}  // namespace gpumodel
