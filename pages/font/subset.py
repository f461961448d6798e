#!/usr/bin/env python3
"""Makes the font of the formulas, book/style/fonts/STIXTwoMath-subset.woff2.

    npm pack @fontsource/stix-two-math@5.3.0 && tar xzf fontsource-stix-two-math-5.3.0.tgz
    pip install fonttools==4.68.0 brotli==1.2.1
    python3 pages/font/subset.py package/files/stix-two-math-latin-400-normal.woff2

A formula with a character that is not below shows it in a font of the reader's system, and
pages/browser/check.mjs says so: add the character here and run this again.
"""

import sys
from pathlib import Path

from fontTools import subset

CHARACTERS = """
    20-7E A0 AC B1 B7 D7 F7 131 237
    302-305 307 308 20D7 332 2016 2026 2032 203E 2061-2064
    393-3A9 3B1-3C9 3D1 3D5 3F5
    210E 2112 2113 2115 211D 2124 2190-2194 21A6 21D2 21D4
    2200 2202 2203 2205-2209 220F 2211 2212 2215 2217-221A 221D 221E 2225 2227-222B
    2236 223C 2245 2248 2260 2261 2264 2265 226A 226B 2282 2286 2295 2297 2299
    22A4 22C5 22EE 22EF 22F1 2308-230B 23DE 23DF 27E8 27E9
    1D400-1D467 1D49C 1D4A9 1D5A0-1D5B9 1D6FC-1D71B
"""

here = Path(__file__).resolve().parent
options = subset.Options()
options.flavor = "woff2"
options.layout_features = []
options.hinting = False
options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
font = subset.load_font(sys.argv[1], options)
# The licence goes wherever the font goes.
font["name"].setName((here / "OFL.txt").read_text(), 13, 3, 1, 0x409)
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=subset.parse_unicodes(",".join(CHARACTERS.split())))
subsetter.subset(font)
target = here.parent.parent / "book/style/fonts/STIXTwoMath-subset.woff2"
subset.save_font(font, str(target), options)
print(target, target.stat().st_size)
