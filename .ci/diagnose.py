"""Measures the accuracy of `authflow diagnose` on labeled logs. Usage: diagnose.py AUTHFLOW CORPUS

top-1, top-3: the share of determinable cases whose cause is the first candidate, or among the first three.
undetermined: the share of other cases that are not determined, or correctly determined.
false certainty: the share of all cases that are determined with a wrong cause.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

from counting import finish, passed

authflow, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
cases = json.loads((corpus / "expected.json").read_text())["cases"]


def diagnose(text):
    run = subprocess.run([authflow, "diagnose", "--format", "json", "-"], input=text, capture_output=True, check=False)
    assert run.returncode in (0, 1, 2), run.stderr.decode()
    return json.loads(run.stdout)


def unchanged(text):
    return text


def noisy(text):
    lines = [f"2024-05-01 10:00:{n:02} DEBUG app: rendered frame {n}" for n in range(30)]
    return "\r\n".join(lines + text.splitlines() + lines)


def other_values(text):
    text = re.sub(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", swap_id, text)
    return re.sub(r"\b20[12]\d-(\d\d)-(\d\d)", r"2026-\1-\2", text)


def swap_id(match):
    # The IDs of Microsoft's own apps and APIs keep their meaning.
    return "7d1c3f00" + match.group(0)[8:] if "fa4e" in match.group(0).lower() else match.group(0)


class Score:
    def __init__(self):
        self.determinable = self.first = self.three = self.others = self.honest = self.wrong = self.total = 0

    def add(self, case, result):
        ranked = [candidate["cause"] for candidate in result["candidates"]]
        is_right = ranked[:1] == [case["root_cause"]]
        self.total += 1
        if case["determinable"] == "yes":
            self.determinable += 1
            self.first += is_right
            self.three += case["root_cause"] in ranked[:3]
        else:
            self.others += 1
            self.honest += is_right or not result["determined"]
        self.wrong += result["determined"] and not is_right

    def row(self, name):
        share = lambda count, total: f"{count / total:.3f}" if total else "-"
        return (f"{name:22} {self.total:4} {share(self.first, self.determinable):>7} {share(self.three, self.determinable):>7}"
                f" {share(self.honest, self.others):>13} {share(self.wrong, self.total):>16}")


def lookup():
    """The causes that list a code of the case, without its text or context."""
    causes = {}
    for path in sorted(pathlib.Path("Sources/Diagnosis/Data/causes").glob("*.yaml")):
        line = re.search(r"^codes: \[(.*)\]$", path.read_text(), re.M)
        causes[path.stem] = {code.strip(' "') for code in line.group(1).split(",")} if line else set()
    score = Score()
    for case in cases:
        ranked = [{"cause": cause} for cause, codes in causes.items() if codes.intersection(case["codes"])]
        score.add(case, {"candidates": ranked, "determined": len(ranked) == 1})
    return score


print(f"{'':22} {'n':>4} {'top-1':>7} {'top-3':>7} {'undetermined':>13} {'false certainty':>16}")
for change in (unchanged, noisy, other_values):
    total, groups = Score(), collections.defaultdict(Score)
    for case in cases:
        result = diagnose(change((corpus / case["file"]).read_text()).encode())
        total.add(case, result)
        if change is unchanged:
            groups[case["platform"]].add(case, result)
            groups[case["kind"]].add(case, result)
    print(total.row(change.__name__.replace("_", " ")))
    assert total.first >= 0.9 * total.determinable, "too few determinable cases have a determined cause"
    assert total.three >= 0.95 * total.determinable, "the cause is too often not among the first three"
    assert total.wrong <= 0.03 * total.total, "too many causes are wrong"
    passed(f"accuracy on texts: {change.__name__.replace('_', ' ')}", 3)
    for name, score in sorted(groups.items()):
        print(score.row("  " + name))
print(lookup().row("lookup of codes"))
finish()
