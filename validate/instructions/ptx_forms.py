"""PTX statements of every kind that the PTX ISA has for scalar, memory, synchronising and texture work.

Each form is (text, result): `text` reads r0-r3 (32 bits), h0-h3 (16), d0-d3 (64), f0-f3, e0-e3 (double), p0, and
addresses: a0 (global), s0 (shared), l0 (local), g0 (generic), c0 (constant); `result` names the register written,
"" for none. What a target does not have, its assembler refuses: collect.py drops it there.
Source of the lists: PTX ISA 7.8 and 9.0, section "Instruction Set".
"""

from itertools import product

INT32 = ("u32", "s32")
INT64 = ("u64", "s64")
INT16 = ("u16", "s16")
CLASS = {"16": "h", "32": "r", "64": "d", "f32": "f", "f64": "e", "f16": "h", "f16x2": "r", "bf16": "h", "bf16x2": "r"}


def register(kind):
    return CLASS.get(kind) or CLASS[kind[1:]]


def alu(opcode, kind, count, result_kind=None):
    c, to = register(kind), register(result_kind or kind)
    sources = ", ".join(f"{c}{i}" for i in range(count))
    return f"{opcode}.{kind} {to}4, {sources};", f"{to}4"


def integers():
    for t in INT16 + INT32 + INT64:
        for op, n in (("add", 2), ("sub", 2), ("min", 2), ("max", 2), ("div", 2), ("rem", 2)):
            yield alu(op, t, n)
        for half in ("lo", "hi"):
            yield alu(f"mul.{half}", t, 2)
            yield alu(f"mad.{half}", t, 3)
    for t in ("s16", "s32", "s64"):
        yield alu("abs", t, 1)
        yield alu("neg", t, 1)
    for t in INT32:
        for half in ("lo", "hi"):
            yield alu(f"mul24.{half}", t, 2)
            yield alu(f"mad24.{half}", t, 3)
        yield alu("sad", t, 3)
        yield f"mad24.hi.sat.s32 r4, r0, r1, r2;", "r4"
    for t in INT16 + INT64:
        yield alu("sad", t, 3)
    yield "add.sat.s32 r4, r0, r1;", "r4"
    yield "sub.sat.s32 r4, r0, r1;", "r4"
    yield "mad.hi.sat.s32 r4, r0, r1, r2;", "r4"
    for t in ("s32",):
        for op in ("min", "max"):
            yield f"{op}.relu.s32 r4, r0, r1;", "r4"
    for t in ("u16x2", "s16x2"):
        for op in ("add", "min", "max", "min.relu", "max.relu"):
            yield f"{op}.{t} r4, r0, r1;", "r4"
            yield f"{op}.{t} r5, r0, r1; add.{t} r4, r5, r2;", "r4"
            for other in ("min", "max"):
                yield f"{op}.{t} r5, r0, r1; {other}.{t} r4, r5, r2;", "r4"
    for t in INT32:
        for a, b in product(("add", "min", "max", "min.relu", "max.relu", "sub"), ("min", "max", "min.relu", "max.relu")):
            yield f"{a}.{t} r5, r0, r1; {b}.{t} r4, r5, r2;", "r4"
            yield f"{a}.{t} r5, r0, r1; {b}.{t} r5, r5, r2; {b}.{t} r4, r5, r3;", "r4"
    for t, w in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        a, to = register(t), register(w)
        yield f"mul.wide.{t} {to}4, {a}0, {a}1;", f"{to}4"
        yield f"mad.wide.{t} {to}4, {a}0, {a}1, {to}2;", f"{to}4"
    for t in ("u32", "s32", "u64", "s64"):
        c = register(t)
        yield f"add.cc.{t} {c}5, {c}0, {c}1; addc.{t} {c}4, {c}2, {c}3; xor.b{t[1:]} {c}4, {c}4, {c}5;", f"{c}4"
        yield f"sub.cc.{t} {c}5, {c}0, {c}1; subc.{t} {c}4, {c}2, {c}3; xor.b{t[1:]} {c}4, {c}4, {c}5;", f"{c}4"
        yield f"mad.lo.cc.{t} {c}5, {c}0, {c}1, {c}2; madc.hi.{t} {c}4, {c}0, {c}1, {c}3; xor.b{t[1:]} {c}4, {c}4, {c}5;", f"{c}4"
        yield f"mad.hi.cc.{t} {c}5, {c}0, {c}1, {c}2; madc.lo.cc.{t} {c}6, {c}2, {c}1, {c}3; addc.{t} {c}4, {c}5, {c}6;", f"{c}4"
    for s, t in product(("lo", "hi"), INT32):
        yield f"dp4a.{t}.{t} r4, r0, r1, r2;", "r4"
        yield f"dp2a.{s}.{t}.{t} r4, r0, r1, r2;", "r4"
    for a, b in (("u32", "s32"), ("s32", "u32")):
        yield f"dp4a.{a}.{b} r4, r0, r1, r2;", "r4"
        yield f"dp2a.lo.{a}.{b} r4, r0, r1, r2;", "r4"
        yield f"dp2a.hi.{a}.{b} r4, r0, r1, r2;", "r4"


def bits():
    for op, n in (("and", 2), ("or", 2), ("xor", 2), ("not", 1), ("cnot", 1)):
        for w in ("b16", "b32", "b64"):
            yield alu(op, w, n)
        yield f"{op}.pred p4, p0{', p1' if n == 2 else ''}; selp.u32 r4, r0, r1, p4;" if op != "cnot" else "mov.u32 r4, r0;", "r4"
    for lut in (0x80, 0xE8, 0x96, 0x1B, 0xFE, 0x2A, 0x78):
        yield f"lop3.b32 r4, r0, r1, r2, {lut};", "r4"
        yield f"lop3.or.b32 r4|p4, r0, r1, r2, {lut}, p0; selp.u32 r4, r4, r1, p4;", "r4"
        yield f"lop3.and.b32 r4|p4, r0, r1, r2, {lut}, p0; selp.u32 r4, r4, r1, p4;", "r4"
    for w in ("16", "32", "64"):
        c = CLASS[w]
        yield f"shl.b{w} {c}4, {c}0, r1;", f"{c}4"
        for s in "us":
            yield f"shr.{s}{w} {c}4, {c}0, r1;", f"{c}4"
    for side, mode in product("lr", ("clamp", "wrap")):
        yield f"shf.{side}.{mode}.b32 r4, r0, r1, r2;", "r4"
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        yield f"prmt.b32{mode} r4, r0, r1, r2;", "r4"
    for w in ("32", "64"):
        c = CLASS[w]
        yield f"popc.b{w} r4, {c}0;", "r4"
        yield f"clz.b{w} r4, {c}0;", "r4"
        yield f"brev.b{w} {c}4, {c}0;", f"{c}4"
        yield f"bfi.b{w} {c}4, {c}0, {c}1, r2, r3;", f"{c}4"
        for s in "us":
            yield f"bfe.{s}{w} {c}4, {c}0, r2, r3;", f"{c}4"
            yield f"bfind.{s}{w} r4, {c}0;", "r4"
            yield f"bfind.shiftamt.{s}{w} r4, {c}0;", "r4"
    for mode, s in product(("clamp", "wrap"), "us"):
        yield f"szext.{mode}.{s}32 r4, r0, r1;", "r4"
        yield f"bmsk.{mode}.b32 r4, r0, r1;", "r4"
    yield "fns.b32 r4, r0, r1, r2;", "r4"
    yield "isspacep.shared p4, d0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "isspacep.local p4, d0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "isspacep.global p4, d0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "isspacep.const p4, d0; selp.u32 r4, r0, r1, p4;", "r4"


def floats():
    ftz_sat = [a + b for a in ("", ".ftz") for b in ("", ".sat")]
    for rnd, mods in product((".rn", ".rz", ".rm", ".rp", ""), ftz_sat):
        for op in ("add", "sub", "mul"):
            yield alu(f"{op}{rnd}{mods}", "f32", 2)
        if rnd:
            yield alu(f"fma{rnd}{mods}", "f32", 3)
    for rnd in (".rn", ".rz", ".rm", ".rp"):
        for op, n in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1), ("sqrt", 1)):
            yield alu(f"{op}{rnd}", "f64", n)
        for ftz in ("", ".ftz"):
            for op, n in (("div", 2), ("rcp", 1), ("sqrt", 1)):
                yield alu(f"{op}{rnd}{ftz}", "f32", n)
    for ftz in ("", ".ftz"):
        for op, n in (("div.approx", 2), ("div.full", 2), ("rcp.approx", 1), ("sqrt.approx", 1), ("rsqrt.approx", 1),
                      ("sin.approx", 1), ("cos.approx", 1), ("lg2.approx", 1), ("ex2.approx", 1), ("abs", 1), ("neg", 1)):
            yield alu(op + ftz, "f32", n)
        for op, nan, xor in product(("min", "max"), ("", ".NaN"), ("", ".xorsign.abs")):
            yield alu(op + ftz + nan + xor, "f32", 2)
    yield alu("tanh.approx", "f32", 1)
    for op, n in (("min", 2), ("max", 2), ("abs", 1), ("neg", 1), ("rsqrt.approx", 1), ("rcp.approx.ftz", 1),
                  ("rsqrt.approx.ftz", 1)):
        yield alu(op, "f64", n)
    for kind in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
        for t in ("f32", "f64"):
            yield f"testp.{kind}.{t} p4, {CLASS[t]}0; selp.u32 r4, r0, r1, p4;", "r4"
    for t in ("f32", "f64"):
        yield alu("copysign", t, 2)
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        for op, n in (("add", 2), ("sub", 2), ("mul", 2), ("fma.rn", 3), ("neg", 1), ("abs", 1)):
            for mods in ("", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"):
                yield alu(op + mods, t, n)
                if not op.startswith(("fma", "neg", "abs")):
                    yield alu(op + ".rn" + mods, t, n)
        for op, ftz, nan, xor in product(("min", "max"), ("", ".ftz"), ("", ".NaN"), ("", ".xorsign.abs")):
            yield alu(op + ftz + nan + xor, t, 2)
        yield alu("ex2.approx" + (".ftz" if "b" in t else ""), t, 1)
        yield alu("tanh.approx", t, 1)
        yield alu("fma.rn.oob", t, 3)
        yield alu("fma.rn.oob.relu", t, 3)


def comparisons():
    ints = ("eq", "ne", "lt", "le", "gt", "ge")
    floats_ = ints + ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
    for t in INT16 + INT32 + INT64 + ("b16", "b32", "b64"):
        c = register(t)
        for op in ints[:2] if t[0] == "b" else ints:
            for join in ("", ".and", ".or", ".xor"):
                more = ", p0" if join else ""
                yield f"setp.{op}{join}.{t} p4, {c}0, {c}1{more}; selp.u32 r4, r0, r1, p4;", "r4"
                yield f"setp.{op}{join}.{t} p4|p5, {c}0, {c}1{more}; selp.u32 r4, r0, r1, p4; @p5 add.u32 r4, r4, r2;", "r4"
            yield f"set.{op}.u32.{t} r4, {c}0, {c}1;", "r4"
            yield f"set.{op}.and.f32.{t} f4, {c}0, {c}1, p0;", "f4"
    for t in ("f32", "f64"):
        c = CLASS[t]
        for op, ftz in product(floats_, ("", ".ftz") if t == "f32" else ("",)):
            for join in ("", ".and", ".or", ".xor"):
                more = ", p0" if join else ""
                yield f"setp.{op}{join}{ftz}.{t} p4, {c}0, {c}1{more}; selp.u32 r4, r0, r1, p4;", "r4"
                yield f"set.{op}{join}{ftz}.u32.{t} r4, {c}0, {c}1{more};", "r4"
                yield f"set.{op}{join}{ftz}.f32.{t} f4, {c}0, {c}1{more};", "f4"
    for t in ("f16", "bf16"):
        for op, ftz, join in product(floats_, ("", ".ftz"), ("", ".and", ".or", ".xor")):
            more = ", p0" if join else ""
            yield f"setp.{op}{join}{ftz}.{t} p4, h0, h1{more}; selp.u32 r4, r0, r1, p4;", "r4"
            yield f"setp.{op}{join}{ftz}.{t}x2 p4|p5, r0, r1{more}; selp.u32 r4, r0, r1, p4; @p5 add.u32 r4, r4, r2;", "r4"
        for op, ftz in product(floats_, ("", ".ftz")):
            yield f"set.{op}{ftz}.{t}x2.{t}x2 r4, r0, r1;", "r4"
            yield f"set.{op}{ftz}.u32.{t}x2 r4, r0, r1;", "r4"
            yield f"set.{op}{ftz}.u32.{t} r4, h0, h1;", "r4"
    for t in ("b16", "b32", "b64", "f32", "f64"):
        c = register(t)
        yield f"selp.{t} {c}4, {c}0, {c}1, p0;", f"{c}4"
        yield f"slct.{t}.s32 {c}4, {c}0, {c}1, r2;", f"{c}4"
        yield f"slct.{t}.f32 {c}4, {c}0, {c}1, f2;", f"{c}4"


def conversions():
    ints = {"u8": "r", "s8": "r", "u16": "h", "s16": "h", "u32": "r", "s32": "r", "u64": "d", "s64": "d"}
    flts = {"f16": "h", "f32": "f", "f64": "e", "bf16": "h"}
    for a, b in product(ints, ints):
        for sat in ("", ".sat"):
            yield f"cvt{sat}.{a}.{b} {ints[a]}4, {ints[b]}0;", f"{ints[a]}4"
    for a, b in product(ints, flts):
        for rnd, ftz, sat in product((".rni", ".rzi", ".rmi", ".rpi"), ("", ".ftz"), ("", ".sat")):
            yield f"cvt{rnd}{ftz}{sat}.{a}.{b} {ints[a]}4, {flts[b]}0;", f"{ints[a]}4"
        for rnd, sat in product((".rn", ".rz", ".rm", ".rp"), ("", ".sat")):
            yield f"cvt{rnd}{sat}.{b}.{a} {flts[b]}4, {ints[a]}0;", f"{flts[b]}4"
    for a, b in product(flts, flts):
        for rnd, ftz, sat in product(("", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"), ("", ".ftz"), ("", ".sat")):
            yield f"cvt{rnd}{ftz}{sat}.{a}.{b} {flts[a]}4, {flts[b]}0;", f"{flts[a]}4"
    for rnd, relu, t in product((".rn", ".rz", ".rna"), ("", ".relu", ".satfinite"), ("f16x2", "bf16x2")):
        yield f"cvt{rnd}{relu}.{t}.f32 r4, f0, f1;", "r4"
    for rnd, relu, t in product((".rn", ".rz", ".rna"), ("", ".relu"), ("bf16", "f16")):
        yield f"cvt{rnd}{relu}.{t}.f32 h4, f0;", "h4"
    for rnd, relu in product((".rn", ".rz", ".rna"), ("", ".relu", ".satfinite")):
        yield f"cvt{rnd}{relu}.tf32.f32 r4, f0;", "r4"
    for relu, t in product(("", ".relu"), ("e4m3x2", "e5m2x2")):
        yield f"cvt.rn.satfinite{relu}.{t}.f32 h4, f0, f1;", "h4"
        yield f"cvt.rn.satfinite{relu}.{t}.f16x2 h4, r0;", "h4"
        yield f"cvt.rn{relu}.f16x2.{t} r4, h0;", "r4"
    for n, t in product((8, 16), "us"):
        for s in "us":
            yield f"cvt.pack.sat.{t}{n}.{s}32{'.b32' if n == 8 else ''} r4, r0, r1{', r2' if n == 8 else ''};", "r4"
    for a, b in (("u4", "s32"), ("s4", "s32"), ("u2", "s32"), ("s2", "s32")):
        yield f"cvt.pack.sat.{a}.{b}.b32 r4, r0, r1, r2;", "r4"


VECTOR = {"": 1, ".v2": 2, ".v4": 4}


def wide(kind, count, first=4):
    c = register(kind)
    return (f"{c}{first}" if count == 1 else "{" + ", ".join(f"{c}{first + i}" for i in range(count)) + "}"), [
        f"{c}{first + i}" for i in range(count)]


def memory():
    spaces = {"global": "a0", "shared": "s0", "local": "l0", "const": "c0", "": "g0"}
    widths = (("u8", "r"), ("s8", "r"), ("u16", "h"), ("s16", "h"), ("u32", "r"), ("u64", "d"), ("f64", "e"))
    load_ops = ("", ".ca", ".cg", ".cs", ".lu", ".cv", ".volatile", ".nc", ".ca.nc", ".cg.nc", ".cs.nc",
                ".L1::evict_last", ".L1::evict_first", ".L1::no_allocate", ".L1::evict_unchanged",
                ".nc.L1::no_allocate", ".nc.L1::evict_last", ".L2::64B", ".L2::128B", ".L2::256B", ".nc.L2::128B")
    store_ops = ("", ".wb", ".cg", ".cs", ".wt", ".volatile", ".L1::evict_last", ".L1::no_allocate", ".L1::evict_first")
    orders = [f".{o}.{s}" for o in ("relaxed", "acquire") for s in ("cta", "cluster", "gpu", "sys")]
    for space, address in spaces.items():
        dot = f".{space}" if space else ""
        for (t, c), (v, n) in product(widths, VECTOR.items()):
            if n == 4 and c in "de":
                continue
            c_regs = [f"{c}{4 + i}" for i in range(n)]
            out = c_regs[0] if n == 1 else "{" + ", ".join(c_regs) + "}"
            data = f"{c}0" if n == 1 else "{" + ", ".join(f"{c}{i}" for i in range(n)) + "}"
            for op in load_ops:
                mode, tail = (op, "") if op == ".volatile" else ("", op)
                yield f"ld{mode}{dot}{tail}{v}.{t} {out}, [{address}+16];", c_regs
            if space == "const":
                continue
            for order in orders if (t, v) in (("u32", ""), ("u64", ""), ("u16", ""), ("u32", ".v4")) else ():
                yield f"ld{order}{dot}{v}.{t} {out}, [{address}+16];", c_regs
                st = order.replace("acquire", "release")
                yield f"st{st}{dot}{v}.{t} [{address}+16], {data};", ""
            for op in store_ops:
                mode, tail = (op, "") if op == ".volatile" else ("", op)
                yield f"st{mode}{dot}{tail}{v}.{t} [{address}+16], {data};", ""
    for level in ("L1", "L2"):
        for space, address in (("global", "a0"), ("local", "l0"), ("", "g0")):
            yield f"prefetch{'.' + space if space else ''}.{level} [{address}];", ""
    yield "prefetchu.L1 [g0];", ""
    yield "prefetch.global.L2::evict_last [a0];", ""
    yield "prefetch.global.L2::evict_normal [a0];", ""
    yield "discard.global.L2 [a0], 128;", ""
    yield "applypriority.global.L2::evict_normal [a0], 128;", ""
    yield "createpolicy.fractional.L2::evict_last.b64 d4, 0.5;", "d4"
    yield "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 d4, 1.0;", "d4"
    yield "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 d4, [a0], r0, r1;", "d4"
    for n, level, size in ((4, "ca", 4), (8, "ca", 8), (16, "ca", 16), (16, "cg", 16)):
        for hint in ("", ".L2::64B", ".L2::128B", ".L2::256B"):
            yield f"cp.async.{level}.shared.global{hint} [s0], [a0], {size};", ""
            yield f"cp.async.{level}.shared.global{hint} [s0], [a0], {size}, r0;", ""
    yield "cp.async.commit_group;", ""
    yield "cp.async.commit_group; cp.async.wait_group 1;", ""
    yield "cp.async.wait_all;", ""


def atomics():
    ops = {"u32": "and or xor exch add inc dec min max", "s32": "add min max", "b32": "and or xor exch cas", "u64": "add min max exch",
           "s64": "min max", "b64": "and or xor exch cas", "f32": "add", "f64": "add", "b16": "cas", "f16": "add.noftz",
           "f16x2": "add.noftz", "bf16": "add.noftz", "bf16x2": "add.noftz"}
    for space, address in (("global", "a0"), ("shared", "s0"), ("", "g0")):
        dot = f".{space}" if space else ""
        for t, names in ops.items():
            c = register(t)
            for op in names.split():
                third = f", {c}1" if op == "cas" else ""
                for order, scope in (("", ""), ("", ".cta"), ("", ".gpu"), ("", ".sys"), (".relaxed", ".gpu"), (".acquire", ".gpu"),
                                     (".release", ".sys"), (".acq_rel", ".cta")):
                    if True:
                        yield f"atom{order}{scope}{dot}.{op}.{t} {c}4, [{address}], {c}0{third};", f"{c}4"
                        if op not in ("exch", "cas") and order in ("", ".relaxed", ".release"):
                            yield f"red{order}{scope}{dot}.{op}.{t} [{address}], {c}0;", ""
    for t, n in (("f32", 2), ("f32", 4), ("f16x2", 2), ("f16x2", 4), ("bf16x2", 4), ("f16", 2), ("f16", 4), ("f16", 8)):
        c = register(t)
        op = "add" if t == "f32" else "add.noftz"
        data = ", ".join(f"{c}{i % 4}" for i in range(n))
        to = ", ".join(f"{c}{4 + i}" for i in range(n))
        yield f"atom.global.v{n}.{t}.{op} {{{to}}}, [a0], {{{data}}};".replace(f"v{n}.{t}.{op}", f"{op}.v{n}.{t}"), [f"{c}4"]
        yield f"red.global.{op}.v{n}.{t} [a0], {{{data}}};", ""


def warps():
    for mode, b in product(("up", "down", "bfly", "idx"), ("r1", "1")):
        yield f"shfl.sync.{mode}.b32 r4, r0, {b}, 0x1f, 0xffffffff;", "r4"
        yield f"shfl.sync.{mode}.b32 r4|p4, r0, {b}, r2, 0xffffffff; selp.u32 r4, r4, r1, p4;", "r4"
        yield f"shfl.{mode}.b32 r4|p4, r0, {b}, r2; selp.u32 r4, r4, r1, p4;", "r4"
    for mode in ("all", "any", "uni"):
        yield f"vote.sync.{mode}.pred p4, p0, 0xffffffff; selp.u32 r4, r0, r1, p4;", "r4"
        yield f"vote.{mode}.pred p4, p0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "vote.sync.ballot.b32 r4, p0, 0xffffffff;", "r4"
    yield "vote.ballot.b32 r4, p0;", "r4"
    yield "activemask.b32 r4;", "r4"
    for w in ("32", "64"):
        yield f"match.any.sync.b{w} r4, {CLASS[w]}0, 0xffffffff;", "r4"
        yield f"match.all.sync.b{w} r4|p4, {CLASS[w]}0, 0xffffffff; selp.u32 r4, r4, r1, p4;", "r4"
    for op, t in product(("add", "min", "max"), INT32):
        yield f"redux.sync.{op}.{t} r4, r0, 0xffffffff;", "r4"
    for op in ("and", "or", "xor"):
        yield f"redux.sync.{op}.b32 r4, r0, 0xffffffff;", "r4"
    yield "elect.sync r4|p4, 0xffffffff; selp.u32 r4, r4, r1, p4;", "r4"
    for reg in ("tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "laneid", "warpid", "nwarpid", "ctaid.x", "ctaid.y", "ctaid.z",
                "nctaid.x", "nctaid.y", "nctaid.z", "smid", "nsmid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
                "lanemask_gt", "clock", "clock_hi", "pm0", "pm1", "pm2", "pm3", "envreg0", "envreg1", "globaltimer_lo",
                "globaltimer_hi", "dynamic_smem_size", "total_smem_size", "aggr_smem_size", "clusterid.x", "clusterid.y", "nclusterid.x", "cluster_ctaid.x",
                "cluster_ctaid.y", "cluster_nctaid.x", "cluster_ctarank", "cluster_nctarank", "reserved_smem_offset_begin",
                "reserved_smem_offset_end", "reserved_smem_offset_cap"):
        yield f"mov.u32 r4, %{reg};", "r4"
    for reg in ("clock64", "gridid", "globaltimer", "pm0_64", "pm1_64"):
        yield f"mov.u64 d4, %{reg};", "d4"
    yield "mov.pred p4, %is_explicit_cluster; selp.u32 r4, r0, r1, p4;", "r4"


def synchronisation():
    for text in ("bar.sync 0;", "bar.sync 1, 64;", "bar.arrive 1, 64;", "bar.sync r0;", "bar.sync r0, r1;", "bar.arrive r0, r1;",
                 "barrier.sync 0;", "barrier.sync 1, 64;", "barrier.arrive 1, 64;", "barrier.sync.aligned 2;", "bar.warp.sync 0xffffffff;",
                 "bar.warp.sync r0;", "membar.cta;", "membar.gl;", "membar.sys;", "fence.proxy.alias;", "fence.proxy.async;",
                 "fence.proxy.async.global;", "fence.proxy.async.shared::cta;", "fence.mbarrier_init.release.cluster;",
                 "barrier.cluster.arrive;", "barrier.cluster.arrive.relaxed;", "barrier.cluster.arrive.release.aligned;",
                 "barrier.cluster.wait;", "barrier.cluster.wait.acquire.aligned;", "nanosleep.u32 20;", "nanosleep.u32 r0;", "trap;",
                 "brkpt;", "exit;", "pmevent 3;", "griddepcontrol.launch_dependents;", "griddepcontrol.wait;", "setmaxnreg.inc.sync.aligned.u32 64;",
                 "setmaxnreg.dec.sync.aligned.u32 32;"):
        yield text, ""
    for o, s in product(("sc", "acq_rel", "acquire", "release"), ("cta", "cluster", "gpu", "sys")):
        yield f"fence.{o}.{s};", ""
    for b in ("0", "r3"):
        yield f"bar.red.popc.u32 r4, {b}, p0;", "r4"
        yield f"bar.red.popc.u32 r4, {b}, 64, p0;", "r4"
        for op in ("and", "or"):
            yield f"bar.red.{op}.pred p4, {b}, p0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "mbarrier.init.shared.b64 [s0], r0;", ""
    yield "mbarrier.inval.shared.b64 [s0];", ""
    yield "mbarrier.arrive.shared.b64 d4, [s0];", "d4"
    yield "mbarrier.arrive.shared.b64 d4, [s0], r0;", "d4"
    yield "mbarrier.arrive.noComplete.shared.b64 d4, [s0], r0;", "d4"
    yield "mbarrier.arrive_drop.shared.b64 d4, [s0];", "d4"
    yield "mbarrier.arrive_drop.noComplete.shared.b64 d4, [s0], r0;", "d4"
    yield "mbarrier.arrive.expect_tx.shared.b64 d4, [s0], r0;", "d4"
    yield "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [s0], r0;", ""
    yield "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [s0];", ""
    yield "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s0], r0;", ""
    yield "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s0], r0;", ""
    yield "mbarrier.test_wait.shared.b64 p4, [s0], d0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "mbarrier.test_wait.parity.shared.b64 p4, [s0], r2; selp.u32 r4, r0, r1, p4;", "r4"
    yield "mbarrier.try_wait.shared.b64 p4, [s0], d0; selp.u32 r4, r0, r1, p4;", "r4"
    yield "mbarrier.try_wait.parity.shared.b64 p4, [s0], r2, r3; selp.u32 r4, r0, r1, p4;", "r4"
    yield "mbarrier.pending_count.b64 r4, d0;", "r4"
    yield "cp.async.mbarrier.arrive.shared.b64 [s0];", ""
    yield "cp.async.mbarrier.arrive.noinc.shared.b64 [s0];", ""
    yield "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s0], [a0], r0, [s0+64];", ""
    yield "cp.async.bulk.global.shared::cta.bulk_group [a0], [s0], r0;", ""
    yield "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s0], [s0+128], r0, [s0+64];", ""
    yield "cp.async.bulk.prefetch.L2.global [a0], r0;", ""
    for op, t in product(("add", "min", "max", "and", "or", "xor", "inc", "dec"), ("u32", "s32", "u64", "b32", "f16", "bf16")):
        yield f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{t} [a0], [s0], r0;", ""
    yield "cp.async.bulk.commit_group;", ""
    yield "cp.async.bulk.wait_group 0;", ""
    yield "cp.async.bulk.wait_group.read 1;", ""
    for n in range(1, 6):
        at = ", ".join(f"r{i % 4}" for i in range(n))
        yield f"cp.async.bulk.tensor.{n}d.shared::cluster.global.mbarrier::complete_tx::bytes [s0], [g0, {{{at}}}], [s0+64];", ""
        yield f"cp.async.bulk.tensor.{n}d.global.shared::cta.bulk_group [g0, {{{at}}}], [s0];", ""
        yield f"cp.async.bulk.prefetch.tensor.{n}d.L2.global [g0, {{{at}}}];", ""
    yield "mapa.shared::cluster.u32 r4, r0, r1;", "r4"
    yield "mapa.u64 d4, d0, r1;", "d4"
    yield "getctarank.u64 r4, d0;", "r4"
    yield "getctarank.shared::cluster.u32 r4, r0;", "r4"
    yield "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [s0], r0, [s0+64];", ""
    yield "ld.shared::cluster.u32 r4, [s0];", "r4"
    yield "st.shared::cluster.u32 [s0], r0;", ""


def video():
    for op, n in (("vadd", 0), ("vsub", 0), ("vabsdiff", 0), ("vmin", 0), ("vmax", 0)):
        for d, a, b, sat in product(INT32, INT32, INT32, ("", ".sat")):
            yield f"{op}.{d}.{a}.{b}{sat} r4, r0, r1;", "r4"
            for second in ("add", "min", "max"):
                yield f"{op}.{d}.{a}.{b}{sat}.{second} r4, r0, r1, r2;", "r4"
        yield f"{op}.s32.u32.u32 r4.b1, r0.b2, r1.h1, r2;", "r4"
        yield f"{op}.u32.s32.u32 r4.h1, r0.b3, r1.h0, r2;", "r4"
        for packed, t in product(("2", "4"), INT32):
            lanes = "h10" if packed == "2" else "b3210"
            yield f"{op}{packed}.{t}.{t}.{t} r4, r0, r1, r2;", "r4"
            yield f"{op}{packed}.{t}.{t}.{t}.sat r4, r0, r1, r2;", "r4"
            yield f"{op}{packed}.{t}.{t}.{t}.add r4, r0, r1, r2;", "r4"
            for other in INT32:
                yield f"{op}{packed}.{other}.{t}.{other} r4, r0, r1, r2;", "r4"
                yield f"{op}{packed}.{other}.{t}.{other}.sat r4, r0, r1, r2;", "r4"
    for side, mode in product(("vshl", "vshr"), ("clamp", "wrap")):
        for t in INT32:
            yield f"{side}.{t}.{t}.u32.{mode} r4, r0, r1;", "r4"
            yield f"{side}.{t}.{t}.u32.{mode}.add r4, r0, r1, r2;", "r4"
    for a, b in product(INT32, INT32):
        for shift in ("", ".shr7", ".shr15"):
            yield f"vmad.s32.{a}.{b}{shift} r4, r0, r1, r2;", "r4"
            yield f"vmad.s32.{a}.{b}.sat{shift} r4, r0.h0, r1.b1, r2;", "r4"
    for t, cmp in product(INT32, ("eq", "ne", "lt", "le", "gt", "ge")):
        yield f"vset.{t}.{t}.{cmp} r4, r0, r1;", "r4"
        yield f"vset.{t}.{t}.{cmp}.add r4, r0, r1, r2;", "r4"
        yield f"vset2.{t}.{t}.{cmp} r4, r0, r1, r2;", "r4"
        yield f"vset4.{t}.{t}.{cmp} r4, r0, r1, r2;", "r4"


def textures():
    shapes = {"1d": "{{{0}0}}", "2d": "{{{0}0, {0}1}}", "3d": "{{{0}0, {0}1, {0}2, {0}3}}", "a1d": "{{r0, {0}1}}",
              "a2d": "{{r0, {0}1, {0}2, {0}3}}", "cube": "{{f0, f1, f2, f3}}", "acube": "{{r0, f1, f2, f3}}"}
    for shape, (t, c), kind in product(shapes, (("f32", "f"), ("s32", "r")), (("f32", "f"), ("s32", "r"), ("u32", "r"))):
        at = shapes[shape].format(c)
        out = ", ".join(f"{kind[1]}{4 + i}" for i in range(4))
        regs = [f"{kind[1]}{4 + i}" for i in range(4)]
        yield f"tex.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}];", regs
        yield f"tex.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}];", regs[:1]
        yield f"tex.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}];", regs[:2]
        yield f"tex.level.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}], {c}3;", regs
        g = {"1d": ("{f0}", "{f1}"), "2d": ("{f0, f1}", "{f2, f3}"), "3d": ("{f0, f1, f2, f3}", "{f3, f2, f1, f0}")}.get(shape.lstrip("a"))
        if g:
            yield f"tex.grad.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}], {g[0]}, {g[1]};", regs
        yield f"tex.base.{shape}.v4.{kind[0]}.{t} {{{out}}}, [d0, {at}];", regs
    for comp, kind in product("rgba", (("f32", "f"), ("s32", "r"))):
        out = ", ".join(f"{kind[1]}{4 + i}" for i in range(4))
        yield f"tld4.{comp}.2d.v4.{kind[0]}.f32 {{{out}}}, [d0, {{f0, f1}}];", [f"{kind[1]}{4 + i}" for i in range(4)]
    yield "tex.2dms.v4.f32.s32 {f4, f5, f6, f7}, [d0, {r0, r1, r2, r3}];", ["f4", "f5", "f6", "f7"]
    for q in ("width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "array_size", "num_mipmap_levels"):
        yield f"txq.{q}.b32 r4, [d0];", "r4"
    for q in ("width", "height", "depth", "channel_data_type", "channel_order", "array_size"):
        yield f"suq.{q}.b32 r4, [d0];", "r4"
    at = {"1d": "{r0}", "2d": "{r0, r1}", "3d": "{r0, r1, r2, r3}", "a1d": "{r0, r1}", "a2d": "{r0, r1, r2, r3}"}
    for shape, clamp, cop in product(at, ("trap", "clamp", "zero"), ("", ".ca", ".cg", ".cs", ".cv")):
        for (t, c), (v, n) in product((("b8", "h"), ("b16", "h"), ("b32", "r"), ("b64", "d")), VECTOR.items()):
            if n == 4 and c == "d":
                continue
            regs = [f"{c}{4 + i}" for i in range(n)]
            out = regs[0] if n == 1 else "{" + ", ".join(regs) + "}"
            data = f"{c}0" if n == 1 else "{" + ", ".join(f"{c}{i}" for i in range(n)) + "}"
            if cop != ".cs" or clamp == "trap":
                yield f"suld.b.{shape}{cop}{v}.{t}.{clamp} {out}, [d0, {at[shape]}];", regs
            if cop in ("", ".cg", ".cs"):
                yield f"sust.b.{shape}{cop}{v}.{t}.{clamp} [d0, {at[shape]}], {data};", ""
        yield f"sust.p.{shape}.v4.b32.{clamp} [d0, {at[shape]}], {{r0, r1, r2, r3}};", ""
        for op, t in (("add", "u32"), ("add", "u64"), ("min", "u32"), ("min", "s32"), ("max", "s32"), ("max", "u32"), ("and", "b32"), ("or", "b32")):
            c = register(t)
            yield f"sured.b.{op}.{shape}.{t}.{clamp} [d0, {at[shape]}], {c}0;", ""


def control():
    yield "@p0 bra $L; add.u32 r0, r0, r1; bar.sync 0; $L: mov.u32 r4, r0;", "r4"
    yield "bra.uni $L; $L: mov.u32 r4, r0;", "r4"
    yield "ts: .branchtargets $A, $B, $C; brx.idx r0, ts; $A: mov.u32 r4, r1; bra $D; $B: bar.sync 1; mov.u32 r4, r2; bra $D; $C: mul.lo.u32 r4, r2, r3; $D: mov.u32 r4, r4;", "r4"
    yield "$L: add.u32 r0, r0, r1; setp.lt.u32 p4, r0, r2; @p4 bra $L; mov.u32 r4, r0;", "r4"
    yield "call.uni (r4), helper, (r0, r1);", "r4"
    yield "proto: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u32 _); call (r4), d0, (r0, r1), proto;", "r4"
    yield "mov.u64 d4, helper;", "d4"
    yield "alloca.u64 d4, 64;", "d4"
    yield "stacksave.u64 d4;", "d4"


def tensors():
    """Matrix instructions: listed so that they are refused by name."""
    yield "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r4}, [s0];", "r4"
    yield "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r4, r5, r6, r7}, [s0];", ["r4", "r5", "r6", "r7"]
    yield "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r4, r5}, [s0];", ["r4", "r5"]
    yield "stmatrix.sync.aligned.m8n8.x4.shared.b16 [s0], {r0, r1, r2, r3};", ""
    yield "movmatrix.sync.aligned.m8n8.trans.b16 r4, r0;", "r4"
    four = "{r4, r5, r6, r7}"
    f4 = "{f4, f5, f6, f7}"
    yield f"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {f4}, {{r0, r1, r2, r3}}, {{r0, r1}}, {{f0, f1, f2, f3}};", ["f4"]
    yield f"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {f4}, {{r0, r1, r2, r3}}, {{r0, r1}}, {{f0, f1, f2, f3}};", ["f4"]
    yield f"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f4}, {{r0, r1}}, {{r0}}, {{f0, f1, f2, f3}};", ["f4"]
    yield f"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {four}, {{r0, r1, r2, r3}}, {{r0, r1}}, {{r0, r1, r2, r3}};", ["r4"]
    yield f"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {{r4, r5}}, {{r0}}, {{r1}}, {{r2, r3}};", ["r4"]
    yield f"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {four}, {{r0, r1, r2, r3}}, {{r0, r1}}, {{r0, r1, r2, r3}};", ["r4"]
    yield "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {e4, e5}, {e0}, {e1}, {e2, e3};", ["e4"]
    yield f"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {four}, {{r0, r1}}, {{r0, r1}}, {{r0, r1, r2, r3}};", ["r4"]
    yield f"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {f4}, {{r0, r1, r2, r3}}, {{r0, r1, r2, r3}}, {{f0, f1, f2, f3}}, r0, 0x0;", ["f4"]
    yield "wgmma.fence.sync.aligned;", ""
    yield "wgmma.commit_group.sync.aligned;", ""
    yield "wgmma.wait_group.sync.aligned 0;", ""
    yield f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {f4}, d0, d1, 1, 1, 1, 0, 0;", ["f4"]


GROUPS = (integers, bits, floats, comparisons, conversions, memory, atomics, warps, synchronisation, video, textures, control,
          tensors)


def all_forms():
    seen = set()
    for group in GROUPS:
        for text, result in group():
            results = tuple([result] if isinstance(result, str) and result else result or ())
            if (text, results) not in seen:
                seen.add((text, results))
                yield group.__name__, text, results


if __name__ == "__main__":
    from collections import Counter

    count = Counter(name for name, _, _ in all_forms())
    print(count, sum(count.values()))
