"""Compares the tables of a guide page with the results of the clients: .ci/editors/matrix.py [--update] PAGE RESULTS

RESULTS contains the lines `ok CLIENT FEATURE` and `not ok CLIENT FEATURE: REASON`. In the page, a table whose first cell is `feature`
has a column for each client, with the client's name in backticks. Its cells are ✓ if a test passed, and – if there is no test.
"""
import pathlib
import re
import sys

HEADER = re.compile(r"^\| feature \|")


def results(text):
    """Returns the outcomes of the tests, by client and feature."""
    found = {}
    for line in text.splitlines():
        if match := re.match(r"(ok|not ok) ([a-z-]+) ([^:]+)(?:: |$)", line):
            key = match[2], match[3].strip()
            found[key] = found.get(key, True) and match[1] == "ok"
    return found


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rewritten(lines, found):
    """Returns the lines of the page with updated marks, and the cells and features with problems."""
    clients, problems, tested = [], [], set()
    for number, line in enumerate(lines):
        if HEADER.match(line):
            clients = [re.search(r"`([^`]+)`", cell)[1] for cell in cells(line)[1:]]
        elif not line.startswith("|"):
            clients = []
        elif clients and not line.startswith("|--"):
            feature, *marks = cells(line)
            actual = ["✓" if found.get((client, feature)) else "–" for client in clients]
            tested |= {(client, feature) for client in clients}
            for client, shown, mark in zip(clients, marks, actual):
                if shown != mark:
                    problems.append(f"line {number + 1}: {client}, {feature}: {shown} instead of {mark}")
            lines[number] = "| " + " | ".join([feature, *actual]) + " |"
    named = {client for client, _ in tested}
    problems += [f"no row for {feature} of {client}" for client, feature in sorted(found) if client in named and (client, feature) not in tested]
    return problems, sum(bool(found.get(key)) for key in tested)


def main():
    page, file = map(pathlib.Path, [argument for argument in sys.argv[1:] if argument != "--update"])
    lines = page.read_text("utf-8").split("\n")
    found = results(file.read_text("utf-8"))
    problems, count = rewritten(lines, found)
    problems += [f"failed: {client}, {feature}" for (client, feature), passed in sorted(found.items()) if not passed]
    if "--update" in sys.argv:
        page.write_text("\n".join(lines), "utf-8")
        problems = [problem for problem in problems if problem.startswith("no row")]
    for problem in problems:
        print(f"{page}: {problem}", file=sys.stderr)
    if problems or not count:
        sys.exit("not ok - the tables of the page do not show the results")
    print(f"{count} checks passed")


main()
