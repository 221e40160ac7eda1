"""Runs the drills in parallel, each in a separate mount and network namespace.

usage: drills.py [WORD…]        runs the drills whose names contain one of the words (default: all)
       drills.py --list         lists the names
"""
import concurrent.futures
import contextlib
import os
import shutil
import subprocess
import sys
import time

import browser
import disk
import drips
import files
import keyring
import network
import parallel
import proxies
import server
import soak
import tls
from place import Failure, Place, WORK

MODULES = (server, drips, network, browser, disk, files, keyring, parallel, proxies, tls, soak)
BUSY = {name: drill for module in MODULES for name, drill in module.DRILLS.items()}
IDLE = {name: drill for module in MODULES for name, drill in getattr(module, "IDLE", {}).items()}
LONGEST = 240  # seconds for one drill


def inside(name, folder):
    """Runs in the namespaces, which have only a loopback interface. The host names of the platform resolve to it."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    hosts, resolver = WORK / "hosts", WORK / "resolv.conf"
    # The mount hides the machine's file, which becomes visible again when a drill unmounts it.
    for source, target in ((WORK / "no-hosts", "/etc/hosts"), (hosts, "/etc/hosts"), (resolver, "/etc/resolv.conf")):
        subprocess.run(["mount", "--bind", source, os.path.realpath(target)], check=True)
    place = Place(folder)
    bad = 0

    @contextlib.contextmanager
    def report(point):
        runs = []

        def recorded(run):
            runs.append(run)
            return run
        try:
            yield recorded
        except Failure as failure:
            nonlocal bad
            bad += 1
            print(f"FAILED  {point}: {failure}", flush=True)
        else:
            print(f"ok  {point}{ending(runs)}", flush=True)
    try:
        (BUSY | IDLE)[name](place, report)
    except Failure as failure:
        print(f"FAILED  {name}: {failure}", flush=True)
        bad += 1
    finally:
        place.close()
    sys.exit(1 if bad else 0)


def ending(runs):
    """Returns the exit code of the run and the beginning of its error."""
    if not runs:
        return ""
    run = runs[-1]
    words = next((line.removeprefix("error: ") for line in run.errors.splitlines() if line.startswith("error: ")), "")
    return f" → {run.code} in {run.took:.1f} s" + (f", {words[:110]}" if words else "")


def outside(name):
    folder = WORK / f"drill-{abs(hash(name))}"
    began = time.monotonic()
    # The processes of a drill run in a separate session, so that they can be killed together.
    process = subprocess.Popen(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", *([] if os.getuid() == 0 else ["--map-root-user"]),
         sys.executable, __file__, "--inside", name, str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        output = (process.communicate()[0] or "") + f"FAILED  {name}: took longer than {LONGEST} s\n"
    if process.returncode and "FAILED" not in output:
        output += f"FAILED  {name}: exited with {process.returncode}\n"
    shutil.rmtree(folder, ignore_errors=True)
    return name, output, time.monotonic() - began


def main(words):
    chosen = [name for name in BUSY | IDLE if not words or any(word in name for word in words)]
    if not chosen:
        sys.exit(f"unknown drill; the names are: {', '.join(BUSY | IDLE)}")
    good, bad, began = 0, [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(IDLE) or 1) as idle, concurrent.futures.ThreadPoolExecutor(3) as busy:
        drills = [(idle if name in IDLE else busy).submit(outside, name) for name in sorted(chosen, key=lambda name: name not in IDLE)]
        for drill in concurrent.futures.as_completed(drills):
            name, output, took = drill.result()
            print(f"-- {name}, {took:.0f} s\n{output}", end="", flush=True)
            good += sum(line.startswith("ok  ") for line in output.splitlines())
            bad += [line for line in output.splitlines() if line.startswith("FAILED  ")]
    print(f"\n{len(chosen)} drills in {time.monotonic() - began:.0f} s")
    for line in bad:
        print(line[:300])
    if bad:
        sys.exit(f"{good} checks passed, {len(bad)} failed")
    print(f"{good} checks passed")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(*sys.argv[2:4])
    elif sys.argv[1:2] == ["--list"]:
        print("\n".join(BUSY | IDLE))
    else:
        main(sys.argv[1:])
