"""Repeated sign-ins: the memory and the descriptors of a long-running emulator and its clients must not grow.

FAULTS_SOAK contains the number of sign-ins and the number per client process, such as "10000 500". A short test is "300 100".

Each round consists of loadAccount, silent, interactive with the simulated user, code redemption, a Graph call, and sign-out, over
HTTPS. A client process runs BATCH rounds. After each batch, the test reads the values of the emulator from /proc.
"""
import os
import pathlib
import time

from place import Run, must

STEPS = """
  - {{loadAccount: {{}}, maxRuns: {rounds}, on: {{exhausted: end}}}}
  - {{silent: {{}}, maxRuns: {rounds}}}
  - {{interactive-fallback: {{}}, maxRuns: {rounds}}}
  - {{callGraph: /me, maxRuns: {rounds}}}
  - {{signout: {{signoutFromBrowser: true}}, maxRuns: {rounds}, on: {{success: loadAccount}}}}"""


def held(pid):
    """Returns the resident memory in KiB, its peak, and the number of open descriptors."""
    lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]), int(lines["VmHWM"].split()[0]), len(os.listdir(f"/proc/{pid}/fd"))


def soak(place, count, batch, say):
    """Prints memory and descriptors at the start, after a tenth, after half, and at the end. Fails if they grow."""
    place.workflow("soak", STEPS.format(rounds=batch))
    began, done, next_mark, marks = time.monotonic(), 0, 0.0, []
    clients = []
    place.settle_emulator_at_real_names()  # bypass the gate, because it is slower
    emulator = place.emulator.process.pid
    while True:
        if done >= next_mark * count:
            resident, most, descriptors = held(emulator)
            marks.append((done, resident, descriptors))
            say(f"after {done} sign-ins, {time.monotonic() - began:.0f} s: the emulator uses {resident / 1024:.1f} MiB "
                f"(at most {most / 1024:.1f}) and {descriptors} descriptors"
                + (f"; a client at most {max(c[0] for c in clients) / 1024:.1f} MiB and {max(c[1] for c in clients)} descriptors" if clients else ""))
            next_mark = next((m for m in (0.1, 0.25, 0.5, 0.75, 1.0) if m * count > done), 2)
        if done >= count:
            break
        run = place.start("soak")
        most = descriptors = 0
        while run.process.poll() is None:  # the values of the client while it runs
            try:
                _, now, open_now = held(run.process.pid)
                most, descriptors = max(most, now), max(descriptors, open_now)
            except (OSError, KeyError):
                pass
            time.sleep(0.05)
        run.wait(1)
        must(run.code == 0, f"after {done} sign-ins, a run exited with {run.code}:", run.output[-500:], run.errors)
        must(run.output.count("✓ interactive-fallback  success") == batch, "some rounds did not sign in:", run.output[-500:])
        clients.append((most, descriptors))
        done += batch
    tenth = next(mark for mark in marks if mark[0] >= count / 10)
    end = marks[-1]
    # The emulator stores each used code until the code expires, and its memory grows after the start.
    allowed = 4 * 1024 + (end[0] - tenth[0]) // 2
    must(end[1] - tenth[1] <= allowed, f"the emulator grew from {tenth[1]} to {end[1]} KiB in {end[0] - tenth[0]} sign-ins")
    must(end[2] <= tenth[2] + 8, f"the emulator's descriptors grew from {tenth[2]} to {end[2]}")
    third = max(1, len(clients) // 3)
    first, last = (max(part) for part in (clients[:third], clients[-third:]))
    must(last[0] <= first[0] * 1.25 + 4096, f"later clients use {last[0]} KiB, and the first ones {first[0]} KiB")
    must(last[1] <= first[1] + 8, f"later clients use {last[1]} descriptors, and the first ones {first[1]}")
    return marks


def drill(place, report):
    count, batch = map(int, os.environ.get("FAULTS_SOAK", "300 100").split())
    with report(f"{count} sign-ins"):
        soak(place, count, batch, lambda words: print(f"    {words}", flush=True))


DRILLS = {"soak": drill}
