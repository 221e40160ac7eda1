"""Positions in text, and the edits of a language server as an editor applies them."""
import re


def units(text, encoding):
    """Returns the length of text in the units of a position encoding."""
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[encoding]


class Text:
    """A text with positions as (line, character). Both start at 0."""

    def __init__(self, text, encoding="utf-16"):
        self.text, self.encoding = text, encoding
        self.lines = re.split(r"(?<=\n)", text)

    def position(self, needle, after=False, occurrence=0):
        """Returns the position of the start or the end of a string."""
        index = -1
        for _ in range(occurrence + 1):
            index = self.text.find(needle, index + 1)
            if index < 0:
                raise AssertionError(f"`{needle}` is not in the text")
        return self.at(index + len(needle) if after else index)

    def at(self, index):
        line = self.text.count("\n", 0, index)
        start = self.text.rfind("\n", 0, index) + 1
        return line, units(self.text[start:index], self.encoding)

    def range(self, needle, occurrence=0):
        return self.position(needle, occurrence=occurrence), self.position(needle, after=True, occurrence=occurrence)

    def index(self, line, character):
        """Returns the index of a position. Fails if the position is not between two characters of the text."""
        if line == len(self.lines) and character == 0:
            return len(self.text)
        start = sum(map(len, self.lines[:line]))
        content = self.lines[line].rstrip("\r\n")
        for length in range(len(content) + 1):
            if units(content[:length], self.encoding) == character:
                return start + length
        raise AssertionError(f"no position {line}:{character} in {content!r}")

    def part(self, start, end):
        return self.text[self.index(*start):self.index(*end)]


def position(value):
    return (value.line, value.character) if hasattr(value, "line") else (value["line"], value["character"])


def edited(text, edits, encoding="utf-16"):
    """Returns the text after edits. Edits must not overlap."""
    source = Text(text, encoding)
    places = []
    for edit in edits:
        span, new = (edit.range, edit.new_text) if hasattr(edit, "range") else (edit["range"], edit["newText"])
        start, end = (span.start, span.end) if hasattr(span, "start") else (span["start"], span["end"])
        places.append((source.index(*position(start)), source.index(*position(end)), new))
    places.sort(key=lambda place: place[:2])
    assert all(first[1] <= second[0] for first, second in zip(places, places[1:])), f"edits overlap: {places}"
    for start, end, new in reversed(places):
        text = text[:start] + new + text[end:]
    return text
