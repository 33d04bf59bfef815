#include "tests/support/html_document.h"

#include <algorithm>
#include <array>

namespace {

constexpr std::array void_elements{"meta", "br", "hr", "input", "img", "link"};

class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    HtmlDocument read() {
        if (text_.rfind("<!DOCTYPE html>\n", 0) != 0) {
            fault("no doctype");
            return document_;
        }
        at_ = 15;
        while (at_ < text_.size()) {
            text_[at_] == '<' ? tag() : character();
        }
        for (const auto& name : open_) {
            fault("<" + name + "> is never closed");
        }
        return document_;
    }

private:
    void fault(const std::string& what) {
        document_.faults.push_back(what + " near '" + text_.substr(at_ > 40 ? at_ - 40 : 0, 80) + "'");
    }

    void character() {
        if (text_[at_] == '&') {
            const auto end = text_.find(';', at_);
            static const std::set<std::string> known{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
            if (end == std::string::npos || known.count(text_.substr(at_, end + 1 - at_)) == 0) {
                fault("a raw &");
            }
        } else if (text_[at_] == '>') {
            fault("a raw >");
        }
        if (in_cell_) {
            document_.cells.back() += text_[at_];
        }
        ++at_;
    }

    std::string name() {
        const auto begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '-' || text_[at_] == ':')) {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }

    void closing_tag() {
        at_ += 2;
        const auto closed = name();
        if (open_.empty() || open_.back() != closed) {
            fault("</" + closed + "> closes nothing");
        } else {
            open_.pop_back();
        }
        in_cell_ = in_cell_ && closed != "td";
        at_ = text_.find('>', at_) + 1;
    }

    std::map<std::string, std::string> attributes() {
        std::map<std::string, std::string> list;
        while (at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
            const auto key = name();
            if (key.empty() || text_.compare(at_, 2, "=\"") != 0) {
                fault("an attribute without a quoted value");
                return list;
            }
            const auto end = text_.find('"', at_ + 2);
            if (!list.emplace(key, text_.substr(at_ + 2, end - at_ - 2)).second) {
                fault("attribute " + key + " twice");
            }
            at_ = end + 1;
        }
        return list;
    }

    void note(const std::string& tag_name, const std::map<std::string, std::string>& list) {
        ++document_.elements[tag_name];
        const auto id = list.find("id");
        if (id != list.end() && !document_.ids.insert(id->second).second) {
            fault("id " + id->second + " twice");
        }
        for (const auto& [key, value] : list) {
            if (value.find('<') != std::string::npos) {
                fault("a raw < in attribute " + key);
            }
        }
        if (tag_name == "data" && id != list.end()) {
            document_.data[id->second] = list.at("value");
        }
        if (tag_name == "data" && list.count("class") > 0 && list.at("class") == "cell") {
            document_.cell_values.push_back(list.at("value"));
        }
        if (tag_name == "td") {
            in_cell_ = true;
            document_.cells.emplace_back();
        }
    }

    void tag() {
        if (text_.compare(at_, 2, "</") == 0) {
            closing_tag();
            return;
        }
        ++at_;
        const auto tag_name = name();
        const auto list = attributes();
        const bool closes_itself = text_.compare(at_, 2, "/>") == 0;
        at_ += closes_itself ? 1 : 0;
        if (tag_name.empty() || at_ >= text_.size() || text_[at_] != '>') {
            fault("a tag that is none");
            ++at_;
            return;
        }
        ++at_;
        note(tag_name, list);
        if (tag_name == "style" || tag_name == "script") {
            at_ = std::min(text_.find("</" + tag_name + ">", at_), text_.size());
        }
        if (!closes_itself &&
            std::find(void_elements.begin(), void_elements.end(), tag_name) == void_elements.end()) {
            open_.push_back(tag_name);
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::vector<std::string> open_;
    bool in_cell_ = false;
    HtmlDocument document_;
};

}  // namespace

HtmlDocument read_html(const std::string& text) {
    return Reader(text).read();
}

std::vector<std::string> external_resources(const std::string& text) {
    std::vector<std::string> found;
    for (const char* sign :
         {"http:", "https:", "//fonts", "src=", "srcset=", "@import", "url(", "<link", "<img", "<iframe",
          "<object", "<embed", "fetch(", "XMLHttpRequest", "localStorage"}) {
        if (text.find(sign) != std::string::npos) {
            found.emplace_back(sign);
        }
    }
    return found;
}
