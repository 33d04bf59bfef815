#include "tools/help/complete.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "tools/help/option_values_of.h"

namespace gpumodel::cli {
namespace {

// Where the words before the cursor lead.
struct Place {
    const CommandDefinition* command = nullptr;
    const OptionDefinition* waiting = nullptr;  // an option whose value comes next
    bool more_values = false;                   // ... or may come, instead of other words
    std::vector<const OptionDefinition*> seen;
    std::size_t positionals = 0;
    bool options_ended = false;  // after "--"
    GivenOptions given;
};

bool is_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-';
}

const OptionDefinition* find_option(const CommandDefinition& command, const std::string& name) {
    const auto found =
        std::find_if(command.options.begin(), command.options.end(), [&name](const OptionDefinition& option) {
            return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
        });
    return found == command.options.end() ? nullptr : &*found;
}

void note_value(Place& place, const OptionDefinition& option, const std::string& value) {
    auto& given = place.given;
    for (const auto& [known, field] : {std::pair{"--arch", &given.arch},
                                       {"--kernel", &given.kernel},
                                       {"--vs-arch", &given.vs_arch},
                                       {"--vs-kernel", &given.vs_kernel}}) {
        if (option.name == known) {
            *field = value;
        }
    }
}

void take_option(Place& place, const std::string& word) {
    place.waiting = nullptr;
    const auto equals = word.find('=');
    const auto* option = find_option(*place.command, word.substr(0, equals));
    if (option == nullptr) {
        return;
    }
    place.seen.push_back(option);
    if (equals != std::string::npos) {
        note_value(place, *option, word.substr(equals + 1));
    } else if (option->takes_value) {
        place.waiting = option;
        place.more_values = false;
    }
}

void take_value(Place& place, const std::string& word) {
    note_value(place, *place.waiting, word);
    if (place.waiting->takes_several) {
        place.more_values = true;
    } else {
        place.waiting = nullptr;
    }
}

void take_word(Place& place, const std::string& word) {
    for (const auto& sub : place.command->subcommands) {
        if (sub.name() == word && place.positionals == 0) {
            place.command = &sub;
            return;
        }
    }
    ++place.positionals;
}

Place place_of(const CommandDefinition& program, const std::vector<std::string>& words) {
    Place place;
    place.command = &program;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto& word = words[i];
        if (place.waiting != nullptr && !(place.more_values && is_option(word))) {
            take_value(place, word);
        } else if (word == "--") {
            place.options_ended = true;
        } else if (is_option(word) && !place.options_ended) {
            take_option(place, word);
        } else {
            take_word(place, word);
        }
    }
    return place;
}

void add_options(const Place& place, Completion& c) {
    for (const auto& option : place.command->options) {
        const bool given = std::find(place.seen.begin(), place.seen.end(), &option) != place.seen.end();
        if (!option.positional && !option.hidden && (!given || option.list)) {
            c.candidates.push_back({option.name, option.description});
        }
    }
}

void add_subcommands(const Place& place, Completion& c) {
    for (const auto& sub : place.command->subcommands) {
        if (!sub.hidden && place.positionals == 0) {
            c.candidates.push_back({sub.name(), sub.description});
        }
    }
}

// The positional that the next word fills; a list takes all the rest.
const OptionDefinition* next_positional(const Place& place) {
    std::size_t room = 0;
    for (const auto& option : place.command->options) {
        if (option.positional && (place.positionals < ++room || option.list)) {
            return &option;
        }
    }
    return nullptr;
}

void keep_beginning(const std::string& typed, Completion& c) {
    std::erase_if(c.candidates, [&typed](const Candidate& candidate) {
        return candidate.value.compare(0, typed.size(), typed) != 0;
    });
}

// --option=value: the candidates are whole words.
Completion attached_value(const Place& place, const std::string& typed) {
    const auto equals = typed.find('=');
    const auto* option = find_option(*place.command, typed.substr(0, equals));
    if (option == nullptr || !option->takes_value) {
        return {};
    }
    auto c = values_of(*place.command, *option, place.given, typed.substr(equals + 1));
    for (auto& candidate : c.candidates) {
        candidate.value = typed.substr(0, equals + 1) + candidate.value;
    }
    return c;
}

Completion next_words(const Place& place, const std::string& typed) {
    Completion c;
    if (is_option(typed) || typed == "-") {
        if (place.options_ended) {
            return c;
        }
        if (typed.find('=') != std::string::npos) {
            return attached_value(place, typed);
        }
        add_options(place, c);
        return c;
    }
    add_subcommands(place, c);
    if (const auto* positional = next_positional(place)) {
        const auto values = values_of(*place.command, *positional, place.given, typed);
        c.candidates.insert(c.candidates.end(), values.candidates.begin(), values.candidates.end());
        c.files = values.files;
    }
    if (c.candidates.empty() && !place.options_ended && (typed.empty() && !c.files)) {
        add_options(place, c);
    }
    return c;
}

}  // namespace

Completion complete(const CommandDefinition& program, const std::vector<std::string>& words) {
    if (words.empty()) {
        return {};
    }
    const auto place = place_of(program, words);
    const auto& typed = words.back();
    Completion c;
    try {
        c = place.waiting != nullptr && !(place.more_values && is_option(typed))
                ? values_of(*place.command, *place.waiting, place.given, typed)
                : next_words(place, typed);
    } catch (const InputError&) {
        return {};  // an unknown or unsound architecture on the line
    }
    keep_beginning(typed, c);
    return c;
}

std::string completion_lines(const Completion& c) {
    std::string text = c.files && c.nospace ? "files nospace"
                       : c.files            ? "files"
                       : c.nospace          ? "nospace"
                                            : "none";
    text += '\n';
    for (const auto& candidate : c.candidates) {
        auto meaning = candidate.meaning;
        std::replace(meaning.begin(), meaning.end(), '\n', ' ');
        std::replace(meaning.begin(), meaning.end(), '\t', ' ');
        text += candidate.value + (meaning.empty() ? "" : '\t' + meaning) + '\n';
    }
    return text;
}

}  // namespace gpumodel::cli
