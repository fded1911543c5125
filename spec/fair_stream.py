"""Stream v2 of fair.md, and what sums such as `3d6+2` come to: the only programs that the independent checker knows."""
import re, struct

QUARTERS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]


def words(key):
    """The keystream of ChaCha with 8 rounds, as words of 32 bits."""
    for block in range(2**64):
        first = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), block & 0xFFFFFFFF, block >> 32, 0, 0]
        x = first[:]
        for _ in range(4):
            for a, b, c, d in QUARTERS:
                for to, by, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[to] = x[to] + x[by] & 0xFFFFFFFF
                    x[into] ^= x[to]
                    x[into] = x[into] << turn & 0xFFFFFFFF | x[into] >> 32 - turn
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(x, first))


def throw(stream, sides):
    """The side that a die shows, from 1."""
    bits = 32 if sides <= 2**32 else 64
    while True:
        word = next(stream) if bits == 32 else next(stream) | next(stream) << 32
        if word * sides % 2**bits >= 2**bits % sides:
            return (word * sides >> bits) + 1


def plain_sum(text):
    """Number of dice, sides and what is added, of a sum; None of any other program."""
    found = re.fullmatch(r"(\d{0,3})d([1-9]\d{0,8})([+-]\d{1,9})?", text, re.ASCII)
    return (int(found[1] or 1), int(found[2]), int(found[3] or 0)) if found and found[1] not in ("0", "00", "000") else None
