#include "validate/recorder/preload/code_images.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace gpumodel::recorder {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t wrapper_magic = 0x466243b1, fatbin_magic = 0xba55ed50;

struct Wrapper {
    std::uint32_t magic, version;
    const void* fatbin;
    const void* file;
};

struct FatbinHeader {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;  // behind the header
};

// What stands in front of each piece of a fatbin; further fields follow.
struct PieceHeader {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;
};
constexpr std::uint16_t piece_is_cubin = 2;

// Copies: nothing of a file is aligned for certain.
template <class T>
std::optional<T> at(Bytes bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
        return std::nullopt;
    }
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t count) {
    return offset > bytes.size() || count > bytes.size() - offset ? Bytes() : bytes.subspan(offset, count);
}

bool is_elf(const void* code) {
    return std::memcmp(code, ELFMAG, SELFMAG) == 0;
}

// The tables of sections and segments end a cubin.
std::uint64_t elf_bytes(const void* code) {
    Elf64_Ehdr header;
    std::memcpy(&header, code, sizeof header);
    const std::uint64_t sections = header.e_shoff + std::uint64_t{header.e_shentsize} * header.e_shnum;
    const std::uint64_t segments = header.e_phoff + std::uint64_t{header.e_phentsize} * header.e_phnum;
    std::uint64_t end = std::max(sections, segments);
    const auto* table = static_cast<const std::uint8_t*>(code) + header.e_shoff;
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr section;
        std::memcpy(&section, table + std::uint64_t{i} * header.e_shentsize, sizeof section);
        if (section.sh_type != SHT_NOBITS) {
            end = std::max(end, section.sh_offset + section.sh_size);
        }
    }
    return end;
}

std::string_view text_at(Bytes bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) {
        return {};
    }
    const auto* begin = reinterpret_cast<const char*>(bytes.data()) + offset;  // NOLINT: bytes as text
    return {begin, strnlen(begin, bytes.size() - offset)};
}

// Attributes follow one another: form, number, 16 bits of length or value. Forms and numbers: as cuobjdump
// -elf prints them (EIFMT_*, EIATTR_KPARAM_INFO).
std::vector<ParameterPlace> parameters_of(Bytes info) {
    constexpr std::uint8_t form_sized = 4, parameter_info = 0x17;
    constexpr unsigned size_shift = 18;
    std::vector<ParameterPlace> list;
    for (std::uint64_t i = 0; i + 4 <= info.size();) {
        const auto form = info[i], number = info[i + 1];
        const auto length = *at<std::uint16_t>(info, i + 2);
        const auto payload = i + 4;
        i = payload + (form == form_sized ? length : 0U);
        if (form != form_sized || number != parameter_info || length != 12) {
            continue;
        }
        const auto ordinal = at<std::uint16_t>(info, payload + 4);
        const auto offset = at<std::uint16_t>(info, payload + 6);
        const auto size = at<std::uint32_t>(info, payload + 8);
        if (ordinal && offset && size) {
            list.resize(std::max<std::size_t>(list.size(), *ordinal + 1U));
            list[*ordinal] = {*offset, *size >> size_shift};
        }
    }
    return list;
}

std::vector<ParameterPlace> parameters_in_cubin(Bytes cubin, std::string_view kernel) {
    const auto header = at<Elf64_Ehdr>(cubin, 0);
    if (!header) {
        return {};
    }
    const auto section_at = [&](unsigned i) {
        return at<Elf64_Shdr>(cubin, header->e_shoff + std::uint64_t{i} * header->e_shentsize);
    };
    const auto names = section_at(header->e_shstrndx);
    const auto name_bytes = names ? part(cubin, names->sh_offset, names->sh_size) : Bytes();
    const auto wanted = ".nv.info." + std::string(kernel);
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto section = section_at(i);
        if (section && text_at(name_bytes, section->sh_name) == wanted) {
            return parameters_of(part(cubin, section->sh_offset, section->sh_size));
        }
    }
    return {};
}

}  // namespace

CodeImage image_at(const void* code) {
    if (code == nullptr) {
        return {};
    }
    std::uint32_t magic = 0;
    std::memcpy(&magic, code, sizeof magic);
    if (magic == wrapper_magic) {
        Wrapper wrapper;
        std::memcpy(&wrapper, code, sizeof wrapper);
        return wrapper.fatbin == code ? CodeImage() : image_at(wrapper.fatbin);
    }
    const auto* begin = static_cast<const std::uint8_t*>(code);
    if (magic == fatbin_magic) {
        FatbinHeader header;
        std::memcpy(&header, code, sizeof header);
        return {CodeKind::fatbin, {begin, header.header_bytes + header.bytes}};
    }
    if (is_elf(code)) {
        return {CodeKind::cubin, {begin, elf_bytes(code)}};
    }
    // the driver takes text with a zero at its end
    return {CodeKind::ptx, {begin, std::strlen(static_cast<const char*>(code))}};
}

std::vector<ParameterPlace> described_parameters(const CodeImage& image, std::string_view kernel) {
    if (image.kind == CodeKind::cubin) {
        return parameters_in_cubin(image.bytes, kernel);
    }
    const auto header = at<FatbinHeader>(image.bytes, 0);
    if (image.kind != CodeKind::fatbin || !header) {
        return {};
    }
    for (std::uint64_t i = header->header_bytes;;) {
        const auto piece = at<PieceHeader>(image.bytes, i);
        if (!piece || piece->header_bytes == 0) {
            return {};
        }
        const auto content = part(image.bytes, i + piece->header_bytes, piece->bytes);
        if (piece->kind == piece_is_cubin && content.size() > SELFMAG && is_elf(content.data())) {
            if (auto found = parameters_in_cubin(content, kernel); !found.empty()) {
                return found;
            }
        }
        i += piece->header_bytes + piece->bytes;
    }
}

}  // namespace gpumodel::recorder
