"""Makes the fonts in this folder from Debian's package fonts-croscore; see README.md.

    python3 subset.py /usr/share/fonts/truetype/croscore

needs fontTools 4.68. The same input gives the same bytes.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

# What people write in names and titles: Latin, Greek, Cyrillic, punctuation, arrows, mathematics.
RANGES = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x2C6, 0x2DD), (0x370, 0x3FF),
    (0x400, 0x45F), (0x490, 0x491), (0x2010, 0x2027), (0x2030, 0x203A), (0x2070, 0x209C), (0x20AC, 0x20AC),
    (0x2116, 0x2122), (0x2150, 0x215E), (0x2190, 0x2195), (0x2200, 0x22FF), (0x25A0, 0x25CF), (0x2660, 0x2666),
]

here = Path(__file__).parent
for style in ["Regular", "Bold"]:
    options = subset.Options()
    options.hinting = False
    options.layout_features = []
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    options.notdef_outline = True
    font = subset.load_font(str(Path(sys.argv[1]) / f"Arimo-{style}.ttf"), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[at for first, last in RANGES for at in range(first, last + 1)])
    cutter.subset(font)
    subset.save_font(font, str(here / f"Arimo-{style}.ttf"), options)

print("//! How wide the letters of our font are; written by `fonts/subset.py`.\n")
for style in ["Regular", "Bold"]:
    font = TTFont(here / f"Arimo-{style}.ttf")
    glyphs, advances = font.getBestCmap(), font["hmtx"]
    assert font["head"].unitsPerEm == 2048
    widths = [advances[glyphs[at]][0] for at in range(0x20, 0x7F)]
    print(f"/// The signs of ASCII from the blank on, in parts of 2048 of the letters' size.")
    print(f"pub(crate) const {style.upper()}: [u16; 95] = [")
    for at in range(0, 95, 12):
        print("    " + " ".join(f"{width}," for width in widths[at:at + 12]))
    print("];")
