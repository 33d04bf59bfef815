#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/diagnostics.h"
#include "base/enum_table.h"
#include "base/parse.h"
#include "base/units.h"
#include "traces/emulate/textures/texture.h"

namespace gpumodel {

namespace {

constexpr std::string_view words_allowed =
    "; allowed: a format (f32, f16, u8, i8, u16, i16, u32, i32, with x2 or x4 channels), a shape (4096, "
    "1024x768, 64x64x64), zeros, iota[:TYPE], random[:SEED][:LO..HI][:TYPE], @FILE, layered, pitch, and of "
    "tex() clamp, wrap, mirror, border, point, linear, normalized, unorm";

std::optional<TexelFormat> format_of(std::string_view word) {
    const auto times = word.find('x');
    const auto type = word.substr(0, times);
    TexelFormat format;
    if (times != std::string_view::npos) {
        const auto channels = parse_number<int>(word.substr(times + 1));
        if (!channels || (*channels != 2 && *channels != 4)) {
            return std::nullopt;
        }
        format.channels = *channels;
    }
    if (type.size() < 2 || (type.front() != 'f' && type.front() != 'u' && type.front() != 'i')) {
        return std::nullopt;
    }
    const auto bits = parse_number<int>(type.substr(1));
    format.is_float = type.front() == 'f';
    format.is_signed = type.front() != 'u';
    if (!bits || (*bits != 16 && *bits != 32 && (*bits != 8 || format.is_float))) {
        return std::nullopt;
    }
    format.channel_bytes = *bits / 8;
    return format;
}

// "1024x768x4" of whole numbers.
std::optional<std::vector<std::int64_t>> shape_of(std::string_view word) {
    std::vector<std::int64_t> shape;
    for (const auto part : split(word, 'x')) {
        const auto extent = parse_number<std::int64_t>(part);
        if (!extent) {
            return std::nullopt;
        }
        shape.push_back(*extent);
    }
    return shape;
}

bool is_contents(std::string_view word) {
    return word.starts_with('@') || word == "zeros" || word.starts_with("iota") || word.starts_with("random");
}

class Reader {
public:
    explicit Reader(bool surface) { text_.texture.surface = surface; }

    TextureText read(std::string_view words) {
        for (const auto word : split(words, ',')) {
            read_word(trim(word));
        }
        finish();
        return std::move(text_);
    }

private:
    void fail(std::string what) {
        if (text_.fault.empty()) {
            text_.fault = std::move(what);
        }
    }

    void read_word(std::string_view word) {
        auto& texture = text_.texture;
        if (const auto format = format_of(word)) {
            fail_if(has_format_, word, "a second format");
            texture.format = *format;
            has_format_ = true;
        } else if (const auto shape = shape_of(word)) {
            fail_if(!shape_.empty(), word, "a second shape");
            shape_ = *shape;
        } else if (is_contents(word)) {
            fail_if(!text_.contents.empty(), word, "a second word of contents");
            text_.contents = word;
        } else if (!read_option(word)) {
            fail(fmt::format("{} is not understood in a texture{}", cite(word), words_allowed));
        }
    }

    void fail_if(bool wrong, std::string_view word, std::string_view what) {
        if (wrong) {
            fail(fmt::format("{} is {}", cite(word), what));
        }
    }

    bool read_option(std::string_view word) {
        auto& texture = text_.texture;
        if (word == "layered" || word == "pitch") {
            (word == "pitch" ? pitch_ : texture.layered) = true;
            return true;
        }
        constexpr auto borders = enum_words<TextureBorder>("clamp", "wrap", "mirror", "border");
        const auto border = std::find(borders.begin(), borders.end(), word);
        const bool known = border != borders.end() || word == "point" || word == "linear" ||
                           word == "normalized" || word == "unorm";
        fail_if(known && texture.surface, word, "no word of a surface, which has neither filter nor borders");
        if (border != borders.end()) {
            texture.border = static_cast<TextureBorder>(border - borders.begin());
        }
        texture.linear_filter = texture.linear_filter || word == "linear";
        texture.normalized = texture.normalized || word == "normalized";
        texture.reads_normalized = texture.reads_normalized || word == "unorm";
        return known;
    }

    void finish() {
        auto& texture = text_.texture;
        if (!has_format_ || shape_.empty()) {
            fail(fmt::format("needs a format and a shape, as in tex(f32,1024x1024){}", words_allowed));
            return;
        }
        const auto axes = static_cast<int>(shape_.size());
        texture.dimensions = texture.layered ? axes - 1 : axes;
        if (axes > 3 || texture.dimensions < 1) {
            fail(texture.layered ? "a layered shape is WIDTHxLAYERS or WIDTHxHEIGHTxLAYERS"
                                 : "a shape is WIDTH, WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH");
            return;
        }
        for (std::size_t i = 0; i < shape_.size(); ++i) {
            // layers are counted along z, also those of rows
            texture.extent[texture.layered && i + 1 == shape_.size() ? 2 : i] = shape_[i];
        }
        check_extents();
        check_options();
        texture.tiled = axes > 1 && !pitch_;
    }

    // Most of any texture: CUDA C++ programming guide, technical specifications.
    void check_extents() {
        const auto& texture = text_.texture;
        const std::int64_t most = shape_.size() == 1 ? std::int64_t{1} << 28 : 131072;
        for (const auto extent : shape_) {
            if (extent < 1 || extent > most) {
                fail(fmt::format("an extent of {} is out of range 1 to {}", extent, most));
                return;
            }
        }
        constexpr std::int64_t most_bytes = std::int64_t{256} << 30;
        if (texture.extent[0] * texture.extent[1] > most_bytes / texture.extent[2] / texture.format.bytes()) {
            fail("is beyond 256 GiB");
        }
    }

    void check_options() {
        const auto& texture = text_.texture;
        if (pitch_ && shape_.size() != 2) {
            fail("pitch is for WIDTHxHEIGHT; one row always lies in a line");
        }
        const bool repeats = texture.border == TextureBorder::wrap || texture.border == TextureBorder::mirror;
        if (repeats && !texture.normalized) {
            fail("wrap and mirror need normalized coordinates");
        }
        if (texture.reads_normalized && (texture.format.is_float || texture.format.channel_bytes == 4)) {
            fail("unorm is for integers of 8 and 16 bits");
        }
        if (texture.linear_filter && !texture.format.is_float && !texture.reads_normalized) {
            fail("linear needs floats, or unorm");
        }
    }

    TextureText text_;
    std::vector<std::int64_t> shape_;
    bool has_format_ = false, pitch_ = false;
};

}  // namespace

TextureText read_texture(std::string_view words, bool surface) {
    return Reader(surface).read(words);
}

}  // namespace gpumodel
