"""Uses `authflow test --watch` and `authflow run --watch` at a pseudoterminal: watch.py PROGRAM [MILLISECONDS].

Prints a line for each check, and the number of checks last. MILLISECONDS is the limit from saving a file to the result.
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

program = os.path.abspath(sys.argv[1])
limit = float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0.2
checks = 0


def check(holds, text):
    global checks
    if not holds:
        sys.exit(f"not ok - {text}")
    checks += 1
    print(f"ok {checks} - {text}", flush=True)


class Terminal:
    """A program at a pseudoterminal."""

    def __init__(self, *arguments, folder, environment=None):
        self.main, self.side = pty.openpty()
        self.before = termios.tcgetattr(self.side)
        variables = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm", "LANG": "C.UTF-8", **(environment or {})}
        # A session leader gets the terminal, so that Ctrl-C signals the program.
        self.process = subprocess.Popen(
            [program, *arguments], cwd=folder, env=variables, stdin=self.side, stdout=self.side, stderr=self.side,
            preexec_fn=self._lead)
        self.text = ""

    def _lead(self):
        os.setsid()
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read(self, seconds):
        ready, _, _ = select.select([self.main], [], [], seconds)
        if ready:
            self.text += re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", os.read(self.main, 1 << 16).decode("utf-8", "replace"))
        return bool(ready)

    def wait_for(self, pattern, seconds=60):
        """Waits for output that matches after the last match. Returns the seconds."""
        start = time.monotonic()
        while True:
            match = re.search(pattern, self.text)
            if match:
                self.text = self.text[match.end():]
                return time.monotonic() - start
            if time.monotonic() - start > seconds or self.process.poll() is not None and not self.read(0):
                sys.exit(f"not ok - no output matches {pattern!r}: {self.text[-2000:]}")
            self.read(0.005)

    def press(self, keys):
        os.write(self.main, keys.encode())

    def end(self, seconds=10):
        """Returns the exit status and whether the terminal has its original settings."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.05)
        if self.process.poll() is None:
            self.process.kill()
            sys.exit("not ok - the program does not exit")
        restored = termios.tcgetattr(self.side) == self.before
        return self.process.returncode, restored


def save(path, text, rename=False):
    target = path + ".new" if rename else path
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)
    if rename:
        os.replace(target, path)


work = tempfile.mkdtemp()
try:
    shutil.copytree("Workflows", os.path.join(work, "Workflows"))
    scenarios = os.path.join(work, "Workflows", "throttled.scenarios.yaml")
    original = open(scenarios, encoding="utf-8").read()

    terminal = Terminal("test", "Workflows", "--watch", "--report", "suite.html", folder=work)
    terminal.wait_for(r"watching \d+ scenarios", 300)
    terminal.wait_for("q quit")
    check(True, "runs all scenarios and waits")

    times = []
    for number in range(5):
        time.sleep(0.3)
        save(scenarios, original + f"# change {number}\n", rename=number % 2 == 1)
        times.append(terminal.wait_for(r"\d+ passed"))
        terminal.wait_for("q quit")
    median = sorted(times)[2]
    print("from saving to the result: " + ", ".join(f"{each * 1000:.0f} ms" for each in times))
    check(median <= limit, f"the result appears within {limit * 1000:.0f} ms of saving, even with a rename")

    save(scenarios, original.replace("scenarios:", "scenarios: [", 1))
    terminal.wait_for("waiting for a change that fixes the errors")
    save(scenarios, original)
    terminal.wait_for("q quit")
    check(True, "reports an invalid file and detects when it is fixed")

    terminal.press("f")
    terminal.wait_for("filter: ")
    terminal.press("throttlex\x7fd\r")
    terminal.wait_for(r"watching \d+ scenarios?")
    terminal.press("r")
    terminal.wait_for(r"\d+ passed")
    terminal.wait_for("q quit")
    check(os.path.exists(os.path.join(work, "suite.html")), "keys filter and rerun, and the report is written")

    terminal.press("q")
    check(terminal.end() == (0, True), "`q` exits with 0 and restores the terminal")

    expected = "outcome: userCanceled\n      path: [signIn.userCanceled]"
    assert expected in original
    save(scenarios, original.replace(expected, expected.replace("userCanceled", "offline")))
    terminal = Terminal("test", "Workflows/throttled.scenarios.yaml", "--watch", folder=work)
    terminal.wait_for(r"\d+ failed")
    terminal.wait_for("q quit")
    terminal.press("a")
    terminal.wait_for("accepted: updated")
    terminal.wait_for(r"\d+ passed")
    terminal.wait_for("q quit")
    comments = [line for line in original.splitlines() if line.lstrip().startswith("#")]
    accepted = open(scenarios, encoding="utf-8").read()
    check(all(comment in accepted for comment in comments), "an accepted path passes, and comments are preserved")
    terminal.press("\x03")
    check(terminal.end() == (130, True), "Ctrl-C exits with 130 and restores the terminal")

    terminal = Terminal("run", "Workflows/me.yaml", "--fresh", "--watch", folder=work)
    terminal.wait_for("watching Workflows/me.yaml")
    settings = os.path.join(work, "Workflows", "AuthSettings.plist")
    save(settings, open(settings, encoding="utf-8").read() + "\n", rename=True)
    terminal.wait_for("watching Workflows/me.yaml")
    terminal.press("q")
    check(terminal.end() == (0, True), "a change to the settings runs the workflow again")

    plain = subprocess.Popen(
        [program, "test", "Workflows/me.yaml", "--watch"], cwd=work, env={"HOME": work}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = ""
    while "watching" not in output:
        output += plain.stdout.readline()
    plain.send_signal(signal.SIGINT)
    rest = plain.communicate(timeout=10)[0]
    check(plain.returncode == 130 and "\x1b" not in output + rest and "quit" not in output + rest,
          "without a terminal, the output is plain, and Ctrl-C exits with 130")
finally:
    shutil.rmtree(work)
print(f"{checks} checks passed")
