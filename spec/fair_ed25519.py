"""Ed25519 as fair.md wants it: strict, so that no two checkers differ. In extended coordinates, with nothing but Python."""
import hashlib

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
I = pow(2, (P - 1) // 4, P)
BASE_Y = 4 * pow(5, -1, P) % P
KEYS = {}


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
    """The point of 32 bytes; None if it is not encoded canonically, not on the curve, or of small order."""
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * I % P
    if y >= P or v * x * x % P != u or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    p = (x, y, 1, x * y % P)
    eight = twice(twice(twice(p)))
    return p if eight[0] != 0 or eight[1] != eight[2] else None


def to_fifteen(p):
    table = [(0, 1, 1, 0), p]
    while len(table) < 16:
        table.append(plus(table[-1], p))
    return table


BASE = to_fifteen(point(BASE_Y.to_bytes(32, "little")))


def is_signed(key, text, sig):
    """Whether R = sB - kA, without a cofactor."""
    if key not in KEYS:
        at = point(key)
        KEYS[key] = at and to_fifteen((P - at[0], at[1], at[2], P - at[3]))
    s = int.from_bytes(sig[32:], "little")
    if not KEYS[key] or not point(sig[:32]) or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(sig[:32] + key + text).digest(), "little") % L
    at = (0, 1, 1, 0)
    for shift in range(252, -4, -4):
        at = twice(twice(twice(twice(at))))
        at = plus(plus(at, BASE[s >> shift & 15]), KEYS[key][k >> shift & 15])
    over = pow(at[2], -1, P)
    x, y = at[0] * over % P, at[1] * over % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == sig[:32]
