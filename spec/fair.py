#!/usr/bin/env python3
"""An independent checker of the logs of a table, written from fair.md alone; with fair_ed25519.py and fair_stream.py beside it, it needs nothing but Python.

    python3 fair.py LOG            says whether all fits, and names the first line that does not
    python3 fair.py LOG --trace    also writes number, kind and roll key of every line
    python3 fair.py LOG --most N   reads at most N bytes (without it, a thousand million)

It checks seals, signatures, chain, numbers, witnesses and dice. It is no second engine: which dice a program throws, and what they come to, it knows for sums such
as `3d6+2` only. Other outcomes are counted as `unjudged`: of them it knows that the dice are those of the stream, not that the program throws them.

Exit code 0: what it can judge fits. 1: it does not. 3: the log is of a version or language that it does not know.
"""
import hashlib, hmac, json, re, sys
from types import SimpleNamespace as Record

from fair_ed25519 import is_signed, point
from fair_stream import plain_sum, throw, words

LONGEST = 1048576  # bytes of a line, with its line feed
MOST = {"text": 16384, "rules": 32768, "throws": 10000, "steps": 5000000}
OWNERS, ROLLS = ("strike", "call", "rules", "end"), ("roll", "close", "hidden", "close-hidden", "reveal", "typed")
RESTS_WHILE_ASKED = ("roll", "hidden", "ask", "ask-hidden", "reseal", "language", "move", "end")
COUNTS = "lines rolls witnessed alone house missing deserted vetoed silent unsealed hidden revealed typed struck refused older unjudged"


class Wrong(Exception):
    pass


class Unknown(Wrong):
    """Of another version: nothing is said about it."""


def need(holds, what, otherwise=Wrong):
    if not holds:
        raise otherwise(what)


# One way of writing. A form says of a value whether it may stand in a field; fields are written as `name:form`, bytes by their number.
def rows(*forms):
    return lambda value: all(type(row) is list and len(row) == len(forms) and all(map(fits, forms, row)) for row in value)


def choice(*texts):
    return lambda value: value in texts


def short(most):
    return lambda value: len(value) <= most


def is_name(value):
    return 1 <= len(value) <= 64 and not re.search("[\x00-\x1f\x7f-\x9f]", value)


def is_rising(value):
    return all(fits("number", one) for one in value) and all(a < b for a, b in zip(value, value[1:]))


def is_inputs(value):
    return rows("name", "input")(value) and len(value) <= 64 and len({name for name, _ in value}) == len(value)


FORMS = {
    "number": (int, lambda value: 0 <= value < 2**53),
    "text": (str, short(2**53)), "name": (str, is_name), "input": (str, short(256)), "long": (str, short(4096)),
    "witness": (str, choice("always", "owner", "never")), "role": (str, choice("owner", "player", "door")), "how": (str, choice("value", "fails", "refused")),
    "some": (str, choice("all", "owner", "self")), "rising": (list, is_rising), "inputs": (list, is_inputs),
    "limits": (dict, lambda value: list(value) == list(MOST) and all(fits("number", one) for one in value.values())),
    "asked": (list, rows("number", "number")), "opened": (list, rows("number", "32", "32", "64")), "values": (list, rows("number", "32")),
    "dice": (list, lambda value: all(type(run) is list and len(run) > 1 and all(fits("number", one) for one in run) for run in value)),
    "outcome": (list, lambda value: rows("how", "text")([value])), "vouched": (list, lambda value: rows("number", "64")([value])),
    "seats": (list, lambda value: value and is_rising(value)),
}
LINE, REQUEST = "seq:number prev:32 kind:text ", "v:number table:16 seat:number n:number after:32 "
SIGNED, UNSEEN, CLOSED = "request:text sig:64 ", "seat:number n:number after:32 hash:32 sig:64 ", "sealed:32 opened:opened missed:rising "
SHOWN = "dice:dice outcome:outcome "
LINES = {
    "table": "v:number table:16 house:32 nonce:16 language:number library:32 witness:witness limits:limits", "seat": SIGNED + "vouched:null|vouched sealed:32",
    "roll": SIGNED + "house:32 sealed:32 " + SHOWN, "hidden": UNSEEN + "sealed:32", "ask": SIGNED + "witnesses:asked", "ask-hidden": UNSEEN + "witnesses:asked",
    "again": "of:number opened:opened missed:rising witnesses:asked", "close": "of:number house:32 " + CLOSED + SHOWN, "close-hidden": "of:number " + CLOSED,
    "reveal": SIGNED + "roll:text house:32 " + SHOWN, "typed": SIGNED + "outcome:outcome", "present": "seats:rising", "reseal": "retired:values sealed:values",
    "language": "language:number library:32", "move": "house:32 sig:64",
} | dict.fromkeys("strike call keep set rules say seal left end".split(), SIGNED)
REQUESTS = {
    "seat": "name:name role:role key:32 seal:32", "roll": "salt:32 text:text inputs:inputs to:some|seats for:null|number|32", "reveal": "of:number",
    "typed": "text:text inputs:inputs faces:long for:null|number|32", "strike": "of:number words:32", "call": "text:text inputs:inputs to:some|seats label:null|32",
    "keep": "whose:null|number name:name text:text inputs:inputs", "set": "whose:null|number name:name value:long", "rules": "text:text",
    "say": "to:some|seats words:32", "seal": "seal:32", "left": "", "end": "",
}


def fits(form, value):
    if form.isdigit():
        return type(value) is str and re.fullmatch(f"[0-9a-f]{{{2 * int(form)}}}", value) is not None
    return type(value) is FORMS[form][0] and FORMS[form][1](value)


def read(text, shape):
    """A record, if it has this shape and is written in the one way. The shape may depend on the record."""
    try:
        value = json.loads(text)
        need(type(value) is dict and json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text, "it is not in the one way of writing")
        need(not re.search("[\ud800-\udfff]", text), "there is a surrogate")
    except (ValueError, RecursionError):
        raise Wrong("it is no JSON") from None
    fields = dict(field.split(":") for field in (shape(value) if callable(shape) else shape).split())
    need(list(value) == list(fields), f"its fields should be {', '.join(fields)}")
    for name, forms in fields.items():
        fitting = any(value[name] is None if form == "null" else fits(form, value[name]) for form in forms.split("|"))
        need(fitting, f"`{name}` should be {forms}")
    return value


def shape_of_line(value):
    kind = value.get("kind")
    need(type(kind) is str and kind in LINES, "there is no such kind of line")
    return LINE + LINES[kind]


# The formulas.
b = bytes.fromhex


def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tag(text):
    return text.encode() + b"\0"


def seal(value):
    return H(tag("astragal sealed v1"), b(value)).hex()


def signed(key, sig, *parts):
    need(is_signed(key, "".join(f"{part}\n" for part in parts).encode(), b(sig)), "a signature does not fit")


class Log:
    def __init__(self):
        self.seq, self.prev, self.at, self.kinds, self.seats = 0, "0" * 64, {}, [], []
        self.laid, self.unseen, self.ask, self.moved, self.over, self.language_at = set(), {}, None, False, False, 0
        self.struck, self.rules, self.rolled_in = set(), [-1], {}
        self.counts = dict.fromkeys(COUNTS.split(), 0)

    def line(self, text):
        """Takes one line of the chain; gives its kind and, of a roll, its key."""
        line = read(text, shape_of_line)
        kind = line["kind"]
        need(line["seq"] == self.seq and line["prev"] == self.prev, f"it is not line {self.seq}, which follows {self.prev}")
        need((kind == "table") == (self.seq == 0), "`table` is the first line, and no other")
        need(not self.over, "the table was closed")
        need(not self.moved or kind == "reseal", "a `reseal` follows a `move`")
        need(not (self.ask and kind in RESTS_WHILE_ASKED), "an ask is open")
        self.digest = H(text.encode()).hex()
        by_seat = "sig" in line and kind != "move"
        key = self.by_seat(kind, line) if by_seat else getattr(self, kind.replace("-", "_"))(line)
        self.kinds.append(kind)
        self.at[self.digest] = self.seq
        self.prev, self.seq = self.digest, self.seq + 1
        self.counts["lines"] += 1
        return kind, key

    def head(self, text):
        need(self.seq and not self.moved, "a head without a log, or where a `reseal` should be")
        head = read(text, "kind:text table:16 seq:number hash:32 sig:64")
        need((head["table"], head["seq"], head["hash"]) == (self.id, self.seq - 1, self.prev), "it is the head of another log")
        signed(self.house, head["sig"], "astragal head v1", self.id, head["seq"], head["hash"])

    def lay(self, one):
        need(one not in self.laid, "a seal stands twice")
        self.laid.add(one)
        return one

    # What the house writes.
    def table(self, line):
        need(line["v"] == 1 and line["language"] == 1, "it is of another version", Unknown)
        need(H(tag("astragal table v1"), b(line["house"]), b(line["nonce"])).hex()[:32] == line["table"], "the table's id does not fit its house")
        need(all(line["limits"][one] <= MOST[one] for one in MOST), "a limit is too large")
        self.id, self.rule, self.limits, self.engine = line["table"], line["witness"], line["limits"], (line["language"], line["library"])
        self.house = self.key(line["house"])

    def key(self, key):
        need(point(b(key)), "a key is not canonical, or of small order")
        return b(key)

    def present(self, line):
        need(all(n < len(self.seats) and not self.seats[n].left for n in line["seats"]), "there is no such seat")
        for n, seat in enumerate(self.seats):
            seat.here = n in line["seats"]

    def reseal(self, line):
        self.moved = False
        staying = [n for n, seat in enumerate(self.seats) if not seat.left]
        need([n for n, _ in line["retired"]] == staying == [n for n, _ in line["sealed"]], "each seat should stand there once")
        for (n, value), (_, following) in zip(line["retired"], line["sealed"]):
            need(seal(value) == self.seats[n].sealed, "a retired value does not fit its seal")
            self.seats[n].sealed, self.seats[n].sealed_at = self.lay(following), self.seq

    def language(self, line):
        need(line["language"] == 1, "it is of another version", Unknown)
        need((line["language"], line["library"]) != self.engine, "neither language nor library changes")
        self.engine, self.language_at = (line["language"], line["library"]), self.seq

    def move(self, line):
        signed(self.house, line["sig"], "astragal move v1", self.id, self.seq, self.prev, line["house"])
        self.house, self.moved = self.key(line["house"]), True

    # What a seat has signed.
    def by_seat(self, kind, line):
        called = {"ask": "roll", "ask-hidden": "hidden"}.get(kind, kind)
        request = self.request(called, line["request"]) if "request" in line else None
        asked = Record(**{one: (request or line)[one] for one in ("seat", "n", "after")})
        asked.hash = H(line["request"].encode()).hex() if request else line["hash"]
        if kind == "seat":
            self.sits(line, request, asked)
        need(asked.seat < len(self.seats) and not self.seats[asked.seat].left, "there is no such seat")
        seat = self.seats[asked.seat]
        need(asked.n == seat.n, f"its n should be {seat.n}")
        need(asked.after in self.at, "`after` is no earlier line")
        after = asked.at = self.at[asked.after]
        need(kind == "seat" or after >= seat.newest, "`after` is older than the newest line of the seat")
        signed(b(seat.key), line["sig"], "astragal request v1", called, self.id, asked.seat, asked.n, asked.after, asked.hash)
        need(not self.ask or asked.seat != self.ask.seat, "the roller's ask is open")
        need(kind not in OWNERS or seat.role == "owner", "only an owner may")
        seat.n, seat.newest = seat.n + 1, self.seq
        if kind == "seat":
            seat.sealed, seat.sealed_at = self.lay(line["sealed"]), self.seq
        elif called in ("roll", "hidden"):
            return self.roll(kind, line, request, asked, seat)
        elif kind == "reveal":
            return self.reveal(line, request, after, seat)
        else:
            self.act(kind, line, request, after, seat)

    def sits(self, line, request, asked):
        need(asked.seat == len(self.seats) < 64, "the number of the seat is not the next")
        need(all(one.key != request["key"] for one in self.seats), "the key is on another seat")
        by, owners = line["vouched"], [one for one in self.seats if one.role == "owner"]
        if request["role"] == "owner" and owners:
            need(by and by[0] < len(self.seats) and self.seats[by[0]] in owners and not self.seats[by[0]].left, "an owner should vouch for the seat")
            signed(b(self.seats[by[0]].key), by[1], "astragal owner v1", self.id, by[0], asked.hash)
        else:
            need(by is None, "nobody has to vouch for the seat")
        seat = Record(key=request["key"], role=request["role"], n=0, newest=0, here=True, left=False, m=0, seal=self.lay(request["seal"]))
        self.key(seat.key)
        self.seats.append(seat)

    def request(self, kind, text):
        request = read(text, REQUEST + REQUESTS["roll" if kind == "hidden" else kind])
        need(request["v"] == 1 and request["table"] == self.id, "the request is for another table")
        need(len(request.get("text", "").encode()) <= self.limits["rules" if kind == "rules" else "text"], "the text is too long")
        return request

    def refers(self, request, after):
        called, to = request.get("for"), request.get("to")
        need(type(called) is not int or called <= after and self.kinds[called] == "call", "`for` is no earlier call")
        need(type(to) is not list or to[-1] < len(self.seats), "there is no such seat")

    def act(self, kind, line, request, after, seat):
        self.refers(request, after)
        if kind == "strike":
            need(request["of"] <= after and self.kinds[request["of"]] in ROLLS, "`of` is no roll")
            self.struck.add(self.rolled_in.get(request["of"], request["of"]))
            self.counts["struck"] = len(self.struck)
        elif kind in ("keep", "set"):
            need(request["whose"] == request["seat"] or seat.role == "owner", "only an owner may")
            need(request["whose"] is None or request["whose"] < len(self.seats), "there is no such seat")
        elif kind in ("seal", "left"):
            need(not self.ask or request["seat"] not in self.ask.asked, "the seat was asked")
            seat.left = kind == "left"
            if kind == "seal":
                seat.here, seat.m, seat.seal = True, seat.m + 1, self.lay(request["seal"])
        elif kind == "typed":
            need(line["outcome"][0] != "refused" or line["outcome"][1] == "program", "it cannot be refused for this")
            self.counts["typed"] += 1
        elif kind == "rules":
            self.rules.append(self.seq)
        self.over = kind == "end"

    # Rolls, open and hidden.
    def roll(self, kind, line, request, asked, seat):
        if request:
            self.refers(request, asked.at)
            need(request["to"] == "all", "an open roll is for all")
        needs = self.rule == "always" or self.rule == "owner" and seat.role != "player"
        roll = Record(**vars(asked), request=request, values=[], missed=[], sealed=seat.sealed, why=None, others=False, left=False, revealed=False)
        roll.older = asked.at < self.rules[-1]
        if asked.at < seat.sealed_at:
            roll.why = "late"
        elif asked.at < self.language_at:
            roll.why = "language"
        elif needs and seat.role != "door" and not seat.seal:
            roll.why = "unsealed"
        able = [(n, one) for n, one in enumerate(self.seats) if one.role != "door" and not one.left and one.seal]
        can = [[n, one.m] for n, one in able if one is seat or one.here] if needs and not roll.why else []
        if kind in ("roll", "hidden"):
            need(not can, f"the witnesses {can} should have been asked")
            return self.done(kind, line, roll, seat)
        need(can and line["witnesses"] == can, f"the witnesses should be {can}")
        roll.others, roll.closing = any(n != asked.seat for n, _ in can), kind.replace("ask", "close")
        self.asks(roll, can)

    def asks(self, roll, witnesses):
        roll.asked, roll.of, roll.line = {n: self.seats[n].seal for n, _ in witnesses}, self.seq, self.digest
        for n in roll.asked:
            self.seats[n].seal = None
        self.ask = roll

    def testified(self, line):
        """Takes the answers of those who were asked."""
        ask = self.ask
        need(ask and line["of"] == ask.of, "it is about no open ask")
        opened = [one[0] for one in line["opened"]]
        need(is_rising(opened) and sorted(opened + line["missed"]) == list(ask.asked), "who was asked stands neither in `opened` nor in `missed`")
        for n, value, following, sig in line["opened"]:
            seat = self.seats[n]
            need(seal(value) == ask.asked[n], "a testimony does not fit its seal")
            signed(b(seat.key), sig, "astragal testimony v1", self.id, ask.line, n, seat.m, value, following)
            seat.m, seat.seal = seat.m + 1, self.lay(following)
        ask.missed += line["missed"]
        return ask

    def again(self, line):
        ask = self.testified(line)
        can = [[one[0], self.seats[one[0]].m] for one in line["opened"]]
        need(line["missed"] and ask.seat not in line["missed"], "it should be closed")
        need(can and line["witnesses"] == can, f"the witnesses should be {can}")
        self.asks(ask, can)

    def close(self, line):
        roll = self.testified(line)
        need(roll.closing == line["kind"], "it is not closed so")
        silent = roll.seat in line["missed"]
        need(silent or not line["missed"] or not line["opened"], "some missed: the others should be asked again")
        if silent:
            roll.why = "silent"
        else:
            roll.values, roll.left = [b(one[1]) for one in line["opened"]], all(one[0] == roll.seat for one in line["opened"])
        self.ask, self.seats[roll.seat].newest = None, self.seq
        return self.done(line["kind"], line, roll, self.seats[roll.seat])

    close_hidden = close

    def done(self, kind, line, roll, seat):
        if roll.why:
            called = roll.why if roll.why in ("silent", "unsealed") else "vetoed"
        elif roll.others:
            called = "deserted" if roll.left else "missing" if roll.missed else "witnessed"
        else:
            called = "house" if seat.role == "door" else "alone"
        hidden, key = kind in ("hidden", "close-hidden"), None
        for one, count in ((called, 1), ("refused", bool(roll.why)), ("older", roll.older and not roll.why), ("hidden", hidden), ("rolls", not hidden)):
            self.counts[one] += count
        if hidden:
            self.unseen[self.seq] = roll
        else:
            key = self.shown(line, roll, roll.request)
        seat.sealed, seat.sealed_at = self.lay(line["sealed"]), self.seq
        return key

    def reveal(self, line, request, after, seat):
        roll = self.unseen.get(request["of"]) if request["of"] <= after else None
        need(roll, "`of` is no hidden roll")
        self.rolled_in[self.seq] = request["of"]
        hidden = self.request("roll", line["roll"])
        need(roll.seat == request["seat"] or seat.role == "owner" and hidden["to"] != "self", "only the roller or an owner may")
        found = [H(line["roll"].encode()).hex(), hidden["seat"], hidden["n"], hidden["after"]]
        need(found == [roll.hash, roll.seat, roll.n, roll.after], "the request is not the one that was hidden")
        self.refers(hidden, roll.at)
        need(hidden["to"] != "all", "a hidden roll is not for all")
        before = dict(self.counts)
        key = self.shown(line, roll, hidden)
        if roll.revealed:  # roller and owner may both reveal it; it is counted once
            self.counts = before
        self.counts["revealed"] += not roll.revealed
        roll.revealed = True
        return key

    def shown(self, line, roll, request):
        need(seal(line["house"]) == roll.sealed, "the opened value does not fit its seal")
        key = hmac.new(b(line["house"]), tag("astragal roll key v1") + b(roll.hash) + b"".join(roll.values), "sha256").digest()
        what, text = line["outcome"]
        if roll.why or what == "refused":
            need([what, text, line["dice"]] == ["refused", roll.why or "program", []], f"it should be refused: {roll.why or 'program'}")
            self.counts["refused"] += not roll.why
        stream, before, thrown = words(key), 0, []
        for sides, *run in line["dice"]:
            need(sides > 0 and sides != before, "runs of dice are not as long as they can be")
            thrown.extend(run)
            before = sides
            need(len(thrown) <= self.limits["throws"], "there are too many throws")
            for one in run:
                side = throw(stream, sides)
                need(side == one, f"a d{sides} shows {one} and should show {side}")
        if not roll.why:
            self.judge(request, line, thrown)
        return key.hex()

    def judge(self, request, line, thrown):
        count, sides, more = plain_sum(request["text"]) or (0, 0, 0)
        if not 0 < count <= self.limits["throws"] or request["inputs"] or self.limits["steps"] < 5000 or len(self.rules) > 1:
            self.counts["unjudged"] += 1
        else:
            need([run[0] for run in line["dice"]] == [sides] and len(thrown) == count, "other dice should have been thrown")
            need(line["outcome"] == ["value", str(sum(thrown) + more)], "the value is not the sum of the dice")


def check(path, trace, most):
    log, number, ended, size = Log(), 0, False, 0
    told = lambda **more: dict(more, asking=log.ask.of if log.ask else None, **log.counts)
    try:
        with open(path, "rb") as file:
            while data := file.readline(LONGEST + 1):
                number, size = number + 1, size + len(data)
                need(size <= most, f"the log has more than {most} bytes; --most allows more")
                need(not ended, "there is something after the head")
                need(data.endswith(b"\n") and len(data) <= LONGEST, "it does not end with a line feed, or is too long")
                text = data[:-1].decode("utf-8")
                if text.startswith('{"kind":"head"'):
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
    found = check(sys.argv[1], "--trace" in options, int(options[options.index("--most") + 1]) if "--most" in options else 10**9)
    if found["unjudged"]:
        print(f"{found['unjudged']} outcomes are NOT JUDGED: their dice fit, what they come to is not known here", file=sys.stderr)
    if found["fits"] and found["asking"] is not None:
        print(f"line {found['asking']} asks witnesses, and the log ends before they answer", file=sys.stderr)
    print(json.dumps(found))
    sys.exit(3 if found["unknown"] else 0 if found["fits"] else 1)
