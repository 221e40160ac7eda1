"""The project's gate: runs the sections of gate.toml in parallel, limited by the number of processors.

usage: .ci/run [SECTION…]     runs these sections and the sections they need (default: all)
       .ci/run --list         lists the sections with their minimum numbers of checks

Each section is a command. Its output goes to .build/gate/SECTION.log. When the section ends, the gate prints the last lines of
the output, or all of it if the section failed. A section passes if its command exits with 0 and reports at least the minimum
number of checks in gate.toml, so that checks cannot disappear unnoticed. The gate ends with a table of times and the last line of
the tests.
"""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = pathlib.Path(os.environ.get("GATE_FILE", ROOT / ".ci" / "gate.toml"))
LOGS = pathlib.Path(os.environ.get("GATE_LOGS", ROOT / ".build" / "gate"))
COUNT = re.compile(r"^(\d+) checks passed$", re.MULTILINE)
TESTS = re.compile(r"^\S+ Test run with (\d+) tests? in (\d+) suites? passed.*$", re.MULTILINE)


class Section:
    def __init__(self, name, table):
        self.name = name
        self.title = table["title"]
        self.command = table["command"]
        self.needs = table.get("needs", [])
        self.cores = table.get("cores", 1)
        self.minimum = table["minimum"]
        self.status = "waiting"
        self.checks = 0
        self.seconds = 0.0
        self.processor = 0.0
        self.closing = None

    def run(self, environment):
        log = LOGS / f"{self.name}.log"
        start = time.monotonic()
        with open(log, "wb") as output:
            # A separate process group, so that Ctrl-C can stop all processes of the section.
            process = subprocess.Popen(["bash", "-euo", "pipefail", "-c", self.command], cwd=ROOT, env=environment,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True)
            RUNNING.add(process)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            RUNNING.discard(process)
        self.seconds = time.monotonic() - start
        self.processor = usage.ru_utime + usage.ru_stime
        text = log.read_text(encoding="utf-8", errors="replace")
        counts = COUNT.findall(text)
        tests = list(TESTS.finditer(text))
        self.checks = int(counts[-1]) if counts else sum(int(run[1]) for run in tests)
        self.closing = tests[-1][0] if tests else None
        if process.returncode != 0:
            self.status = f"failed: exit status {process.returncode}"
        elif self.checks < self.minimum:
            self.status = f"failed: {self.checks} checks ran, {self.minimum} expected"
        else:
            self.status = "passed"
        return text


RUNNING = set()


def stop(number, _):
    for process in list(RUNNING):
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    os._exit(128 + number)


def load(names):
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sections = {name: Section(name, table) for name, table in tables.items()}
    for section in sections.values():
        for need in section.needs:
            if need not in sections:
                sys.exit(f"error: section `{section.name}` needs `{need}`, which gate.toml does not define")
    wanted = set()

    def want(name):
        if name not in sections:
            sys.exit(f"error: unknown section `{name}`; `.ci/run --list` lists them")
        if name not in wanted:
            wanted.add(name)
            for need in sections[name].needs:
                want(need)

    for name in names or sections:
        want(name)
    return {name: section for name, section in sections.items() if name in wanted}


def schedule(sections, environment):
    """Starts the sections in order. Each section starts when its needs have passed and enough processors are free."""
    processors = os.cpu_count() or 1
    waiting = list(sections.values())
    running = {}

    def show(section, text):
        print(f"\n== {section.name}: {section.title}")
        print("\n".join(excerpt(text) if section.status == "passed" else text.splitlines()))
        print(f"-- {section.name}: {section.status}, {section.checks} checks, {minutes(section.seconds)}", flush=True)
        if section.status != "passed":
            print(f"   to repeat it: .ci/run {section.name}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(waiting))) as pool:
        while waiting or running:
            for section in list(waiting):
                states = [sections[need].status for need in section.needs]
                if any(state.startswith(("failed", "not run")) for state in states):
                    section.status = "not run: " + ", ".join(
                        need for need in section.needs if sections[need].status != "passed") + " failed"
                    waiting.remove(section)
                elif all(state == "passed" for state in states):
                    used = sum(other.cores for other in running.values())
                    if running and used + section.cores > processors + 0.01:
                        # Do not start later sections first, because they could delay this section indefinitely.
                        break
                    waiting.remove(section)
                    section.status = "running"
                    print(f"{time.strftime('%H:%M:%S')} start {section.name}", flush=True)
                    running[pool.submit(section.run, environment)] = section
            if not running:
                continue
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                section = running.pop(future)
                show(section, future.result())


def excerpt(text):
    """Returns the last lines of a log and earlier lines that report skipped checks."""
    lines = text.splitlines()
    return [line for line in lines[:-15] if "skipped" in line] + lines[-15:]


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def table(sections, seconds):
    width = max(len(name) for name in sections)
    print(f"\n{'section':{width}}  checks    min   time  processor  result")
    for section in sections.values():
        print(f"{section.name:{width}}  {section.checks:6}  {section.minimum:5}  {minutes(section.seconds):>5}  "
              f"{minutes(section.processor):>9}  {section.status}")
    total = sum(section.checks for section in sections.values())
    processor = sum(section.processor for section in sections.values())
    print(f"{'all':{width}}  {total:6}         {minutes(seconds):>5}  {minutes(processor):>9}")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        for section in load([]).values():
            print(f"{section.name:16} {section.minimum:5}  {section.title}")
        return 0
    if any(argument.startswith("-") for argument in arguments):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    sections = load(arguments)
    LOGS.mkdir(parents=True, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    start = time.monotonic()
    schedule(sections, dict(os.environ, AUTHFLOW_STRICT="1"))
    table(sections, time.monotonic() - start)
    failed = [section for section in sections.values() if section.status != "passed"]
    for section in failed:
        print(f"{section.name}: {section.status}; to repeat it: .ci/run {section.name}")
    if failed:
        print(f"{len(sections) - len(failed)} passed, {len(failed)} failed")
        return 1
    tested = max(sections.values(), key=lambda section: section.checks if section.closing else 0)
    print(tested.closing or f"{len(sections)} passed, 0 failed")
    return 0


sys.exit(main())
