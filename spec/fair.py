#!/usr/bin/env python3
"""An independent checker of the logs of a table, written from fair.md alone; it needs nothing but Python.

    python3 fair.py LOG            says whether all fits, and names the first line that does not
    python3 fair.py LOG --trace    also writes number, kind and roll key of every line
    python3 fair.py LOG --most N   reads at most N bytes (without it, a thousand million)

It checks seals, signatures, chain, numbers, witnesses and dice. It is no second engine: which dice a program throws, and what
they come to, it knows for sums such as `3d6+2` only. Other outcomes are counted as `unjudged`, and said to be so: of them it knows that the dice
are those of the stream, not that the program throws them, nor what they come to, nor which code a failure has.

Exit code 0: what it can judge fits. 1: it does not. 3: the log is of a version or language that it does not know.
"""
import hashlib, hmac, json, re, struct, sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
I = pow(2, (P - 1) // 4, P)
BASE_Y = 4 * pow(5, -1, P) % P


class Wrong(Exception):
    pass


class Unknown(Wrong):
    """Of another version: nothing is said about it."""


def need(holds, what):
    if not holds:
        raise Wrong(what)


# Ed25519, in extended coordinates.
def plus(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def twice(p):
    a, b, c = p[0] * p[0] % P, p[1] * p[1] % P, 2 * p[2] * p[2] % P
    h, g = a + b, a - b
    e, f = h - (p[0] + p[1]) ** 2 % P, c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def point(data):
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    need(y < P, "a point is not encoded canonically")
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * I % P
    need(v * x * x % P == u and not (x == 0 and sign), "a point is not on the curve")
    x = x if x & 1 == sign else P - x
    p = (x, y, 1, x * y % P)
    eight = twice(twice(twice(p)))
    need(eight[0] != 0 or eight[1] != eight[2], "a point is of small order")
    return p


def pairs(p):  # 0 to 15 times p
    table = [(0, 1, 1, 0), p]
    while len(table) < 16:
        table.append(plus(table[-1], p))
    return table


BASE = pairs(point(BASE_Y.to_bytes(32, "little")))
KEYS = {}


def signed(key, text, sig):
    if key not in KEYS:
        x, y, z, t = point(key)
        KEYS[key] = pairs((P - x, y, z, P - t))
    point(sig[:32])
    s = int.from_bytes(sig[32:], "little")
    need(s < L, "a signature is not strict")
    k = int.from_bytes(hashlib.sha512(sig[:32] + key + text).digest(), "little") % L
    at = (0, 1, 1, 0)
    for shift in range(252, -4, -4):
        at = twice(twice(twice(twice(at))))
        at = plus(plus(at, BASE[s >> shift & 15]), KEYS[key][k >> shift & 15])
    over = pow(at[2], -1, P)
    x, y = at[0] * over % P, at[1] * over % P
    need((y | (x & 1) << 255).to_bytes(32, "little") == sig[:32], "a signature does not fit")


# The formulas.
def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tag(text):
    return text.encode() + b"\0"


def seal(value):
    return H(tag("astragal sealed v1"), value)


def text_of(name, *parts):
    return "".join(f"{part}\n" for part in (name,) + parts).encode()


def words(key):  # the keystream of ChaCha8 as words
    quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for block in range(2**64):
        first = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), block & 0xFFFFFFFF, block >> 32, 0, 0]
        x = first[:]
        for _ in range(4):
            for a, b, c, d in quarters:
                for to, by, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[to] = x[to] + x[by] & 0xFFFFFFFF
                    x[into] ^= x[to]
                    x[into] = x[into] << turn & 0xFFFFFFFF | x[into] >> 32 - turn
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(x, first))


def throw(stream, sides):
    bits = 32 if sides <= 2**32 else 64
    while True:
        word = next(stream) if bits == 32 else next(stream) | next(stream) << 32
        if word * sides % 2**bits >= 2**bits % sides:
            return (word * sides >> bits) + 1


# One way of writing. A form is a type, a length of bytes in hexadecimal, a tuple of texts to choose from, a list, a dictionary, or a function.
def fit(form, value):
    if isinstance(form, dict):
        need(type(value) is dict and list(value) == list(form), f"its fields should be {', '.join(form)}")
        for name in form:
            fit(form[name], value[name])
    elif form is int:
        need(type(value) is int and 0 <= value < 2**53, "a whole number should stand there")
    elif form is str:
        need(type(value) is str, "a text should stand there")
    elif type(form) is int:
        need(type(value) is str and re.fullmatch(f"[0-9a-f]{{{2 * form}}}", value), f"{form} bytes should stand there")
    elif type(form) is tuple:
        need(type(value) is str and value in form, f"one of {form} should stand there")
    elif type(form) is list and len(form) == 1:
        need(type(value) is list, "a list should stand there")
        for one in value:
            fit(form[0], one)
    elif type(form) is list:
        need(type(value) is list and len(value) == len(form), "a list should stand there")
        for inner, one in zip(form, value):
            fit(inner, one)
    else:
        form(value)


def read(text, form):
    try:
        value = json.loads(text)
        need(json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text, "it is not in the one way of writing")
        need(not re.search("[\ud800-\udfff]", text), "there is a surrogate")
    except (ValueError, RecursionError):
        raise Wrong("it is no JSON") from None
    fit(form, value)
    return value


def rising(seats):
    need(all(a < b for a, b in zip(seats, seats[1:])), "seats are not in rising order")


def to(value):
    if type(value) is list:
        fit([int], value)
        rising(value)
        need(value, "a list of seats is empty")
    else:
        fit(("all", "owner", "self"), value)


def null_or(*forms):
    def check(value):
        if value is not None:
            fit(forms[0] if type(value) is int or len(forms) == 1 else forms[1], value)
    return check


def name(value):
    fit(str, value)
    need(1 <= len(value) <= 64 and not re.search("[\x00-\x1f\x7f-\x9f]", value), "a name is not 1 to 64 characters")


def at_most(most):
    def check(value):
        fit(str, value)
        need(len(value) <= most, "a text is too long")
    return check


def inputs(value):
    fit([[name, at_most(256)]], value)
    need(len(value) <= 64 and len({one for one, _ in value}) == len(value), "inputs stand twice, or are too many")


def outcome(value):
    fit([("value", "fails", "refused"), str], value)


def vouched(value):
    if value is not None:
        fit([int, 64], value)


def runs(value):
    fit([[int]], value)
    need(all(len(run) > 1 for run in value), "a run of dice is empty")


DICE, RISING = runs, lambda value: (fit([int], value), rising(value))
SIGNED, ROLL = {"request": str, "sig": 64}, {"salt": 32, "text": str, "inputs": inputs, "to": to, "for": null_or(int, 32)}
UNSEEN = {"seat": int, "n": int, "after": 32, "hash": 32, "sig": 64}
CLOSED = {"sealed": 32, "opened": [[int, 32, 32, 64]], "missed": RISING}
LINES = {
    "table": {"v": int, "table": 16, "house": 32, "nonce": 16, "language": int, "library": 32, "witness": ("always", "owner", "never"), "limits": {"text": int, "rules": int, "throws": int, "steps": int}},
    "seat": SIGNED | {"vouched": vouched, "sealed": 32},
    "roll": SIGNED | {"house": 32, "sealed": 32, "dice": DICE, "outcome": outcome},
    "hidden": UNSEEN | {"sealed": 32},
    "ask": SIGNED | {"witnesses": [[int, int]]},
    "ask-hidden": UNSEEN | {"witnesses": [[int, int]]},
    "again": {"of": int, "opened": [[int, 32, 32, 64]], "missed": RISING, "witnesses": [[int, int]]},
    "close": {"of": int, "house": 32} | CLOSED | {"dice": DICE, "outcome": outcome},
    "close-hidden": {"of": int} | CLOSED,
    "reveal": SIGNED | {"roll": str, "house": 32, "dice": DICE, "outcome": outcome},
    "typed": SIGNED | {"outcome": outcome},
    "present": {"seats": RISING},
    "reseal": {"retired": [[int, 32]], "sealed": [[int, 32]]},
    "language": {"language": int, "library": 32},
    "move": {"house": 32, "sig": 64},
}
REQUESTS = {
    "seat": {"name": name, "role": ("owner", "player", "door"), "key": 32, "seal": 32},
    "roll": ROLL,
    "reveal": {"of": int},
    "typed": {"text": str, "inputs": inputs, "faces": at_most(4096), "for": null_or(int, 32)},
    "strike": {"of": int, "words": 32},
    "call": {"text": str, "inputs": inputs, "to": to, "label": null_or(32, 32)},
    "keep": {"whose": null_or(int), "name": name, "text": str, "inputs": inputs},
    "set": {"whose": null_or(int), "name": name, "value": at_most(4096)},
    "rules": {"text": str},
    "say": {"to": to, "words": 32},
    "seal": {"seal": 32},
    "left": {},
    "end": {},
}
LINES |= {kind: SIGNED for kind in ("strike", "call", "keep", "set", "rules", "say", "seal", "left", "end")}
LINES = {kind: {"seq": int, "prev": 32, "kind": str} | fields for kind, fields in LINES.items()}
REQUESTS = {kind: {"v": int, "table": 16, "seat": int, "n": int, "after": 32} | fields for kind, fields in REQUESTS.items()}
HEAD = {"kind": ("head",), "table": 16, "seq": int, "hash": 32, "sig": 64}
OWNERS, MOST = ("strike", "call", "rules", "end"), {"text": 16384, "rules": 32768, "throws": 10000, "steps": 5000000}
RESTS_WHILE_ASKED = ("roll", "hidden", "ask", "ask-hidden", "reseal", "language", "move", "end")
LONGEST = 1048576  # bytes of a line, with its line feed
b = bytes.fromhex


class Log:
    def __init__(self):
        self.seq, self.prev, self.at, self.kinds, self.seats = 0, "0" * 64, {}, [], []
        self.seen, self.unseen, self.ask, self.moved, self.over, self.language_at = set(), {}, None, False, False, 0
        self.struck, self.has_rules = set(), False
        self.counts = dict(lines=0, rolls=0, witnessed=0, alone=0, house=0, missing=0, deserted=0, vetoed=0, silent=0, unsealed=0)
        self.counts.update(hidden=0, revealed=0, typed=0, struck=0, refused=0, unjudged=0)

    def line(self, text):
        """Takes one line of the chain; gives its kind and, of a roll, its key."""
        found = re.match(r'\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","kind":"([a-z-]+)"', text)
        need(found and found[1] in LINES, "its beginning is not that of a line")
        kind = found[1]
        line = read(text, LINES[kind])
        need(line["seq"] == self.seq, f"its number should be {self.seq}")
        need(line["prev"] == self.prev, "it does not follow the line before")
        need((kind == "table") == (self.seq == 0), "`table` is the first line, and no other")
        need(not self.over, "the table was closed")
        need(not self.moved or kind == "reseal", "a `reseal` follows a `move`")
        need(not (self.ask and kind in RESTS_WHILE_ASKED), "an ask is open")
        self.digest = H(text.encode()).hex()
        key = self.signed_line(kind, line) if "sig" in line and kind != "move" else getattr(self, kind.replace("-", "_"))(line)
        self.kinds.append(kind)
        self.at[self.digest] = self.seq
        self.prev, self.seq = self.digest, self.seq + 1
        self.counts["lines"] += 1
        return kind, key

    def known(self, holds):
        if not holds:
            raise Unknown("it is of another version")

    def lay(self, one):
        need(one not in self.seen, "a seal stands twice")
        self.seen.add(one)
        return one

    def table(self, line):
        self.known(line["v"] == 1 and line["language"] == 1)
        need(H(tag("astragal table v1"), b(line["house"]), b(line["nonce"])).hex()[:32] == line["table"], "the table's id does not fit its house")
        need(all(line["limits"][one] <= MOST[one] for one in MOST), "a limit is too large")
        point(b(line["house"]))
        self.id, self.house, self.rule, self.limits = line["table"], b(line["house"]), line["witness"], line["limits"]
        self.engine = line["language"], line["library"]

    # What a seat has signed.
    def signed_line(self, kind, line):
        called = {"ask": "roll", "ask-hidden": "hidden"}.get(kind, kind)
        if "request" in line:
            request = self.request(called, line["request"])
            asked = {one: request[one] for one in ("seat", "n", "after")} | {"hash": H(line["request"].encode()).hex()}
        else:
            request, asked = None, {one: line[one] for one in ("seat", "n", "after", "hash")}
        if kind == "seat":
            need(asked["seat"] == len(self.seats) < 64, "the number of the seat is not the next")
            need(all(one["key"] != request["key"] for one in self.seats), "the key is on another seat")
            self.vouching(line["vouched"], request["role"], asked["hash"])
            self.seats.append(dict(request, n=0, newest=0, here=True, left=False, m=0, seal=self.lay(request["seal"])))
        need(asked["seat"] < len(self.seats), "there is no such seat")
        seat = self.seats[asked["seat"]]
        need(not seat["left"], "the seat has left")
        need(asked["n"] == seat["n"], f"its n should be {seat['n']}")
        need(asked["after"] in self.at, "`after` is no earlier line")
        after = self.at[asked["after"]]
        need(kind == "seat" or after >= seat["newest"], "`after` is older than the newest line of the seat")
        signed(b(seat["key"]), text_of("astragal request v1", called, self.id, asked["seat"], asked["n"], asked["after"], asked["hash"]), b(line["sig"]))
        need(not self.ask or asked["seat"] != self.ask["seat"], "the roller's ask is open")
        need(kind not in OWNERS or seat["role"] == "owner", "only an owner may")
        seat["n"], seat["newest"] = seat["n"] + 1, self.seq
        if kind == "seat":
            seat["sealed"], seat["sealed_at"] = self.lay(line["sealed"]), self.seq
        elif called in ("roll", "hidden"):
            return self.roll(kind, line, request, asked, after, seat)
        elif kind == "reveal":
            return self.reveal(line, request, after, seat)
        else:
            self.act(kind, line, request, asked["seat"], after, seat)

    def vouching(self, by, role, digest):
        if role != "owner" or all(one["role"] != "owner" for one in self.seats):
            return need(by is None, "nobody has to vouch for the seat")
        need(by is not None and by[0] < len(self.seats), "an owner should vouch for the seat")
        owner = self.seats[by[0]]
        need(owner["role"] == "owner" and not owner["left"], "an owner should vouch for the seat")
        signed(b(owner["key"]), text_of("astragal owner v1", self.id, by[0], digest), b(by[1]))

    def request(self, kind, text):
        request = read(text, REQUESTS["roll" if kind == "hidden" else kind])
        need(request["v"] == 1 and request["table"] == self.id, "the request is for another table")
        need(len(request.get("text", "").encode()) <= self.limits["rules" if kind == "rules" else "text"], "the text is too long")
        return request

    def refers(self, request, after):
        called = request.get("for")
        need(type(called) is not int or called <= after and self.kinds[called] == "call", "`for` is no earlier call")
        if type(request.get("to")) is list:
            need(request["to"][-1] < len(self.seats), "there is no such seat")

    def act(self, kind, line, request, number, after, seat):
        self.refers(request, after)
        if kind == "strike":
            need(request["of"] <= after and self.kinds[request["of"]] in ("roll", "close", "hidden", "close-hidden", "reveal", "typed"), "`of` is no roll")
            self.counts["struck"] += request["of"] not in self.struck
            self.struck.add(request["of"])
        elif kind in ("keep", "set"):
            need(request["whose"] == number or seat["role"] == "owner", "only an owner may")
            need(request["whose"] is None or request["whose"] < len(self.seats), "there is no such seat")
        elif kind in ("seal", "left"):
            need(not self.ask or number not in self.ask["asked"], "the seat was asked")
            if kind == "seal":
                seat.update(here=True, m=seat["m"] + 1, seal=self.lay(request["seal"]))
            seat["left"] = kind == "left"
        elif kind == "typed":
            need(line["outcome"][0] != "refused" or line["outcome"][1] == "program", "it cannot be refused for this")
            self.counts["typed"] += 1
        self.over, self.has_rules = kind == "end", self.has_rules or kind == "rules"

    # Rolls, open and hidden.
    def roll(self, kind, line, request, asked, after, seat):
        if request:
            self.refers(request, after)
            need(request["to"] == "all", "an open roll is for all")
        made = dict(asked, request=request, witnesses=[], missed=[], sealed=seat["sealed"], why=None, others=False, left=False)
        needs = self.rule == "always" or (self.rule == "owner" and seat["role"] in ("owner", "door"))
        if after < seat["sealed_at"]:
            made["why"] = "late"
        elif after < self.language_at:
            made["why"] = "language"
        elif needs and seat["role"] != "door" and not seat["seal"]:
            made["why"] = "unsealed"
        able = [(n, one) for n, one in enumerate(self.seats) if one["role"] != "door" and not one["left"] and one["seal"]]
        can = [[n, one["m"]] for n, one in able if one is seat or one["here"]] if needs and not made["why"] else []
        if kind in ("ask", "ask-hidden"):
            need(can and line["witnesses"] == can, f"the witnesses should be {can}")
            made["others"] = any(n != asked["seat"] for n, _ in can)
            self.asking(dict(made, kind=kind), can)
            return None
        need(not can, f"the witnesses {can} should have been asked")
        return self.done(kind, line, made, seat)

    def testified(self, line):
        """Takes the answers of those who were asked; gives those who missed."""
        ask = self.ask
        need(ask and line["of"] == ask["of"], "it is about no open ask")
        opened = [one[0] for one in line["opened"]]
        rising(opened)
        need(sorted(opened + line["missed"]) == list(ask["asked"]), "who was asked stands neither in `opened` nor in `missed`")
        for n, value, following, sig in line["opened"]:
            seat = self.seats[n]
            need(seal(b(value)).hex() == ask["asked"][n], "a testimony does not fit its seal")
            signed(b(seat["key"]), text_of("astragal testimony v1", self.id, ask["line"], n, seat["m"], value, following), b(sig))
            seat.update(m=seat["m"] + 1, seal=self.lay(following))
        ask["missed"] += line["missed"]

    def asking(self, made, witnesses):
        made.update(asked={n: self.seats[n]["seal"] for n, _ in witnesses}, of=self.seq, line=self.digest)
        for n, _ in witnesses:
            self.seats[n]["seal"] = None
        self.ask = made

    def again(self, line):
        self.testified(line)
        can = [[one[0], self.seats[one[0]]["m"]] for one in line["opened"]]
        need(line["missed"] and self.ask["seat"] not in line["missed"], "it should be closed")
        need(can and line["witnesses"] == can, f"the witnesses should be {can}")
        self.asking(self.ask, can)

    def close(self, line, kind="close"):
        made = self.ask
        self.testified(line)
        need(made["kind"] == kind.replace("close", "ask"), "it is not closed so")
        silent = made["seat"] in line["missed"]
        need(silent or not line["missed"] or not line["opened"], "some missed: the others should be asked again")
        if silent:
            made["why"] = "silent"
        else:
            made["witnesses"], made["left"] = [b(one[1]) for one in line["opened"]], all(one[0] == made["seat"] for one in line["opened"])
        self.ask = None
        self.seats[made["seat"]]["newest"] = self.seq
        return self.done(kind, line, made, self.seats[made["seat"]])

    def close_hidden(self, line):
        return self.close(line, "close-hidden")

    def done(self, kind, line, made, seat):
        self.counts[self.called(made, seat)] += 1
        self.counts["refused"] += bool(made["why"])
        key = None
        if kind in ("hidden", "close-hidden"):
            self.counts["hidden"] += 1
            self.unseen[self.seq] = made
        else:
            self.counts["rolls"] += 1
            key = self.shown(line, made)
        seat["sealed"], seat["sealed_at"] = self.lay(line["sealed"]), self.seq
        return key

    def called(self, made, seat):
        if made["why"]:
            return made["why"] if made["why"] in ("silent", "unsealed") else "vetoed"
        if made["others"]:
            return "deserted" if made["left"] else "missing" if made["missed"] else "witnessed"
        return "house" if seat["role"] == "door" else "alone"

    def reveal(self, line, request, after, seat):
        of = request["of"]
        need(of <= after and of in self.unseen, "`of` is no hidden roll")
        made = self.unseen[of]
        roll = self.request("roll", line["roll"])
        need(made["seat"] == request["seat"] or seat["role"] == "owner" and roll["to"] != "self", "only the roller or an owner may")
        need(H(line["roll"].encode()).hex() == made["hash"], "the request is not the one that was hidden")
        need(all(roll[one] == made[one] for one in ("seat", "n", "after")), "the request is not the one that was signed")
        self.refers(roll, self.at[roll["after"]])
        need(roll["to"] != "all", "a hidden roll is not for all")
        before = dict(self.counts, revealed=self.counts["revealed"] + 1)
        key = self.shown(line, dict(made, request=roll))
        if made.get("revealed"):  # roller and owner may both reveal it
            self.counts = dict(before, revealed=before["revealed"] - 1)
        else:
            self.counts["revealed"], made["revealed"] = before["revealed"], True
        return key

    def shown(self, line, made):
        need(seal(b(line["house"])).hex() == made["sealed"], "the opened value does not fit its seal")
        key = hmac.new(b(line["house"]), tag("astragal roll key v1") + b(made["hash"]) + b"".join(made["witnesses"]), "sha256").digest()
        what, text = line["outcome"]
        if made["why"] or what == "refused":
            need(what == "refused" and text == (made["why"] or "program"), f"it should be refused: {made['why'] or 'program'}")
            need(line["dice"] == [], "what is refused throws no dice")
            self.counts["refused"] += not made["why"]
        stream, before, thrown = words(key), 0, []
        for sides, *shown in line["dice"]:
            need(sides > 0 and sides != before and shown, "runs of dice are not as long as they can be")
            need(len(thrown) + len(shown) <= self.limits["throws"], "there are too many throws")
            for one in shown:
                side = throw(stream, sides)
                need(side == one, f"a d{sides} shows {one} and should show {side}")
            thrown.extend(shown)
            before = sides
        self.judge(made["request"], line, thrown, what, text)
        return key.hex()

    def judge(self, request, line, thrown, what, text):
        plain = re.fullmatch(r"(\d{0,3})d([1-9]\d{0,8})([+-]\d{1,9})?", request["text"], re.ASCII)
        count = int(plain[1] or 1) if plain else 0
        if not plain or not 0 < count <= self.limits["throws"] or request["inputs"] or self.limits["steps"] < 5000 or self.has_rules:
            self.counts["unjudged"] += 1
        elif what != "refused" or text == "program":
            need([run[0] for run in line["dice"]] == [int(plain[2])] and len(thrown) == count, "other dice should have been thrown")
            need([what, text] == ["value", str(sum(thrown) + int(plain[3] or 0))], "the value is not the sum of the dice")

    # What the house writes.
    def present(self, line):
        need(all(n < len(self.seats) and not self.seats[n]["left"] for n in line["seats"]), "there is no such seat")
        for n, seat in enumerate(self.seats):
            seat["here"] = n in line["seats"]

    def reseal(self, line):
        self.moved = False
        staying = [n for n, seat in enumerate(self.seats) if not seat["left"]]
        need([n for n, _ in line["retired"]] == staying == [n for n, _ in line["sealed"]], "each seat should stand there once")
        for (n, value), (_, following) in zip(line["retired"], line["sealed"]):
            need(seal(b(value)).hex() == self.seats[n]["sealed"], "a retired value does not fit its seal")
            self.seats[n].update(sealed=self.lay(following), sealed_at=self.seq)

    def language(self, line):
        self.known(line["language"] == 1)
        need((line["language"], line["library"]) != self.engine, "neither language nor library changes")
        self.engine, self.language_at = (line["language"], line["library"]), self.seq

    def move(self, line):
        signed(self.house, text_of("astragal move v1", self.id, self.seq, self.prev, line["house"]), b(line["sig"]))
        point(b(line["house"]))
        self.house, self.moved = b(line["house"]), True

    def head(self, text):
        head = read(text, HEAD)
        need(head["table"] == self.id and head["seq"] == self.seq - 1 and head["hash"] == self.prev, "it is the head of another log")
        signed(self.house, text_of("astragal head v1", self.id, head["seq"], head["hash"]), b(head["sig"]))


def check(path, trace=False, most=10**9):
    log, number, ended, size = Log(), 0, False, 0
    told = lambda **more: dict(more, asking=log.ask["of"] if log.ask else None, **log.counts)
    try:
        with open(path, "rb") as file:
            while data := file.readline(LONGEST + 1):
                number, size = number + 1, size + len(data)
                need(size <= most, f"the log has more than {most} bytes; --most allows more")
                need(not ended, "there is something after the head")
                need(data.endswith(b"\n") and len(data) <= LONGEST, "it does not end with a line feed, or is too long")
                text = data[:-1].decode("utf-8")
                if text.startswith('{"kind":"head"'):
                    need(log.seq, "a head without a log")
                    need(not log.moved, "a `reseal` follows a `move`")
                    log.head(text)
                    ended = True
                else:
                    kind, key = log.line(text)
                    if trace:
                        print(log.seq - 1, kind, key or "-")
        number += 1
        need(ended, "the head is missing")
    except UnicodeDecodeError:
        return told(fits=False, unknown=False, line=number, why="it is no UTF-8")
    except Wrong as wrong:
        return told(fits=False, unknown=isinstance(wrong, Unknown), line=number, why=str(wrong))
    return told(fits=True, unknown=False, line=None, why=None)


if __name__ == "__main__":
    options = sys.argv[2:]
    most = int(options[options.index("--most") + 1]) if "--most" in options else 10**9
    told = check(sys.argv[1], "--trace" in options, most)
    if told["unjudged"]:
        print(f"{told['unjudged']} outcomes are NOT JUDGED: their dice fit, what they come to is not known here", file=sys.stderr)
    if told["fits"] and told["asking"] is not None:
        print(f"line {told['asking']} asks witnesses, and the log ends before they answer", file=sys.stderr)
    print(json.dumps(told))
    sys.exit(3 if told["unknown"] else 0 if told["fits"] else 1)
