"""A cubin whose loop is overwritten: what make_loops.py and make_mixes.py share."""
import os
import re
import struct

NOP = (0x7918, 0x000FC00000000000)
CONTROL = (1 << 41) - 1  # of the high word: what lies below the control fields


def functions(path):
    """name -> [address, text, low, high] of each instruction of a listing (cuobjdump -sass)."""
    found, name = {}, None
    for line in open(path):
        if match := re.search(r"Function : (\S+)", line):
            name = match[1]
            found[name] = []
        elif match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?);\s*/\* 0x([0-9a-f]{16}) \*/", line):
            found[name].append([int(match[1], 16), match[2].strip(), int(match[3], 16), 0])
        elif (match := re.match(r"\s+/\* 0x([0-9a-f]{16}) \*/", line)) and name and found[name]:
            found[name][-1][3] = int(match[1], 16)
    return found


def first_loop(code):
    for at, text, _, _ in code:
        match = re.search(r"BRA 0x([0-9a-f]+)", text)
        if match and int(match[1], 16) < at:
            return [x for x in code if int(match[1], 16) <= x[0] <= at]


def section_offset(blob, name):
    table, = struct.unpack_from("<Q", blob, 0x28)
    count, names = struct.unpack_from("<HH", blob, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", blob, table + 64 * i) for i in range(count)]
    for section in sections:
        start = sections[names][4] + section[0]
        if blob[start:blob.index(b"\0", start)].decode() == name:
            return section[4]


def control(high, stall=1, yields=1):
    """The high word with these control fields, no barriers and no reuse."""
    return (high & CONTROL) | stall << 41 | yields << 45 | 7 << 46 | 7 << 49


class Frame:
    """frame.cu's cubin and its listing."""

    def __init__(self, cubin, listing, output):
        self.blob, self.output = open(cubin, "rb").read(), output
        self.text_at = section_offset(self.blob, ".text.body")
        loop = first_loop(functions(listing)["body"])
        self.begin, self.end = loop[0][0], loop[-1][0]
        self.count_up = next(x for x in loop if x[1].startswith("UIADD3"))
        self.compare = next(x for x in loop if "ISETP" in x[1])
        self.branch = loop[-1]
        self.ffma_form = next(x for x in loop if "FFMA" in x[1])
        os.makedirs(output, exist_ok=True)

    def ffma(self, d, a, b, c, reuse=0, stall=1, yields=1):
        low = (self.ffma_form[2] & 0xFFFF) | d << 16 | a << 24 | b << 32
        return low, control(self.ffma_form[3] & ~0xFF, stall, yields) | c | reuse << 58

    def write(self, name, body):
        """body: (low, high) of the instructions; the loop's counter, comparison and branch are added."""
        out, at = bytearray(self.blob), self.begin

        def put(low, high):
            nonlocal at
            struct.pack_into("<QQ", out, self.text_at + at, low & (2**64 - 1), high & (2**64 - 1))
            at += 16

        for i, (low, high) in enumerate(body):
            if i == 2:
                put(self.count_up[2], self.count_up[3] & ~(0x3F << 52))
            if i == len(body) // 2:
                put(self.compare[2], self.compare[3] & ~(0x3F << 52))
            put(low, high)
        assert at < self.end, name
        words = (self.begin - (at + 16)) // 4
        put((self.branch[2] & 0xFF00FFFF) | (words & 0xFF) << 16 | (words >> 8) << 34, self.branch[3])
        while at <= self.end:
            put(*NOP)
        open(os.path.join(self.output, name + ".cubin"), "wb").write(out)
