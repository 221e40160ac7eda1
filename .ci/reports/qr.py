"""Decodes a QR code that authflow prints on a terminal. Usage: qr.py FILE, whose first line is the text of the code"""
import sys

import zxingcpp

from counting import finish, passed

SCALE = 4
expected, *lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
# Each character represents two rows of modules. The block elements are light.
rows = [[c in wanted for c in line.strip("\n")] for line in lines for wanted in ("█▀", "█▄")]
width = max(map(len, rows))
pixels = bytearray()
for row in rows:
    pixels += bytes(255 if light else 0 for light in row + [False] * (width - len(row)) for _ in range(SCALE)) * SCALE
image = memoryview(bytes(pixels)).cast("B", shape=[len(rows) * SCALE, width * SCALE])
codes = zxingcpp.read_barcodes(image)
assert [code.text for code in codes] == [expected], f"ZXing reads {[code.text for code in codes]}, expected {expected}"
assert codes[0].format == zxingcpp.BarcodeFormat.QRCode, codes[0].format
passed("ZXing decodes the QR code of a device code URL")
finish()
