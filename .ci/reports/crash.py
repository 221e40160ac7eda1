"""Crashes runs that have secrets in memory: the output of a crash must contain none of them, and nothing of the process's memory.

  crash.py AUTHFLOW WORKFLOW FOLDER ENTERS SECRET…: stops after so many steps, with --step, and sends a signal. The output goes to
  the folder. The secrets must be in the process's memory at that time, because otherwise the check proves nothing.
"""
import concurrent.futures
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile

from counting import finish, passed

SIGNALS = ["SEGV", "ILL", "BUS", "FPE", "ABRT", "TRAP", "QUIT", "TERM", "INT"]
TRAPS = {"SEGV", "ILL", "BUS", "FPE", "ABRT", "TRAP", "QUIT"}


def backtracer():
    """The toolchain's program that shows crashes, where there is one; the static one needs nothing beside it."""
    compiler = shutil.which("swiftc")
    folder = pathlib.Path(compiler).resolve().parent.parent / "libexec/swift/linux" if compiler else None
    found = folder / "swift-backtrace-static" if folder else None
    return found if found and found.exists() else None


def memory(process):
    """What the process holds, as far as it may be read."""
    held = b""
    for line in open(f"/proc/{process}/maps", encoding="utf-8"):
        start, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
        if not rights.startswith("rw"):
            continue
        with open(f"/proc/{process}/mem", "rb", buffering=0) as file:
            try:
                file.seek(int(start, 16))
                held += file.read(min(int(end, 16) - int(start, 16), 1 << 26)) or b""
            except (OSError, OverflowError, ValueError):
                continue
    return held


def control(environment):
    """A program that keeps the runtime's handlers shows its registers, and the memory that they point to."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "trap.swift")
        source.write_text("let none: Int? = CommandLine.arguments.count > 5 ? 1 : nil\nprint(none!)\n")
        subprocess.run(["swiftc", "-O", "-static-stdlib", "-o", f"{folder}/trap", source], check=True)
        said = subprocess.run([f"{folder}/trap"], env=environment, capture_output=True, check=False)
        assert b"rsp" in said.stderr or b"Registers" in said.stdout + said.stderr, said


def prepare():
    """Allows core files, and restores signals that a shell ignores in background jobs."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    for name in SIGNALS:
        signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)


def crash(authflow, workflow, enters, name, environment, folder, secrets):
    work = tempfile.mkdtemp()
    process = subprocess.Popen(
        [authflow, "run", os.path.abspath(workflow), "--fresh", "--step", "-v"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environment, cwd=work, preexec_fn=prepare)
    process.stdin.write(b"\n" * enters)
    process.stdin.flush()
    told = {process.stdout: b"", process.stderr: b""}
    while told[process.stderr].count(b"next: ") <= enters:
        ready = select.select(list(told), [], [], 60)[0]
        assert ready, (name, told)
        for stream in ready:
            data = os.read(stream.fileno(), 65536)
            assert data, (name, told)
            told[stream] += data
    # What was said before is not the crash's.
    while ready := select.select(list(told), [], [], 0.5)[0]:
        for stream in ready:
            told[stream] += os.read(stream.fileno(), 65536)
    held = memory(process.pid)
    limit = re.search(r"Max core file size\s+(\d+|unlimited)", open(f"/proc/{process.pid}/limits", encoding="utf-8").read())
    # 1 forbids handing it to a program, too; a hard limit of 0 cannot be raised to it.
    assert limit.group(1) in ("0", "1"), f"a core file of {limit.group(1)} may be written"
    process.send_signal(getattr(signal, "SIG" + name))
    # The input ends only then: the end of the input would be an answer, too.
    process.wait(timeout=120)
    out, err = process.communicate(timeout=120)
    pathlib.Path(folder, f"crash-{name}.txt").write_bytes(told[process.stdout] + out + told[process.stderr] + err)
    if name in TRAPS:
        assert process.returncode == -getattr(signal, "SIG" + name), (name, process.returncode)
        assert not out + err, f"a crash by {name} says {out + err!r}"
    else:
        assert process.returncode == 130, (name, process.returncode)
    assert not os.listdir(work), os.listdir(work)
    os.rmdir(work)
    missing = [secret for secret in secrets if secret.encode() not in held]
    assert not missing, f"not in memory, so {name} proves nothing: {missing}"
    assert re.search(rb"eyJ[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}", held), f"no token is in memory, so {name} proves nothing"


def main():
    authflow, workflow, folder, enters, *secrets = sys.argv[1:]
    environment = dict(os.environ)
    tracer = backtracer()
    if tracer:
        environment["SWIFT_BACKTRACE"] = f"enable=yes,color=no,cache=no,swift-backtrace={tracer}"
        control(environment)
    # Most of the time a run waits, so three run at the same time.
    with concurrent.futures.ProcessPoolExecutor(3) as processes:
        crashes = {name: processes.submit(crash, authflow, workflow, int(enters), name, environment, folder, secrets) for name in SIGNALS}
        for name, result in crashes.items():
            result.result()
            passed(f"a run that gets SIG{name} prints nothing of its memory" + ("" if tracer else " (without a backtrace: no toolchain)"))
    finish()


if __name__ == "__main__":
    main()
