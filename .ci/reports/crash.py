"""Crashes runs that have secrets in memory. The output must not contain the secrets or other memory contents.

  crash.py AUTHFLOW WORKFLOW FOLDER ENTERS SECRET…: continues ENTERS times at the prompt of --step and sends a signal. The output
  goes to the folder. The secrets must be in memory at that time. Otherwise, the check is invalid.
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
    """Returns the crash reporter of the toolchain, if it exists. The static version has no dependencies."""
    compiler = shutil.which("swiftc")
    folder = pathlib.Path(compiler).resolve().parent.parent / "libexec/swift/linux" if compiler else None
    found = folder / "swift-backtrace-static" if folder else None
    return found if found and found.exists() else None


def memory(process):
    """Returns the readable memory of the process."""
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
    """Control: verifies that a program with the default handlers prints its registers and the memory that they point to."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "trap.swift")
        source.write_text("let none: Int? = CommandLine.arguments.count > 5 ? 1 : nil\nprint(none!)\n")
        subprocess.run(["swiftc", "-O", "-static-stdlib", "-o", f"{folder}/trap", source], check=True)
        result = subprocess.run([f"{folder}/trap"], env=environment, capture_output=True, check=False)
        assert b"rsp" in result.stderr or b"Registers" in result.stdout + result.stderr, result


def prepare():
    """Allows core files and restores signals that a shell ignores in background jobs."""
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
    printed = {process.stdout: b"", process.stderr: b""}
    while printed[process.stderr].count(b"next: ") <= enters:
        ready = select.select(list(printed), [], [], 60)[0]
        assert ready, (name, printed)
        for stream in ready:
            data = os.read(stream.fileno(), 65536)
            assert data, (name, printed)
            printed[stream] += data
    # Ignore the output before the crash.
    while ready := select.select(list(printed), [], [], 0.5)[0]:
        for stream in ready:
            printed[stream] += os.read(stream.fileno(), 65536)
    held = memory(process.pid)
    limit = re.search(r"Max core file size\s+(\d+|unlimited)", open(f"/proc/{process.pid}/limits", encoding="utf-8").read())
    # A limit of 1 also prevents a pipe to a program. A hard limit of 0 cannot be raised.
    assert limit.group(1) in ("0", "1"), f"a core file of {limit.group(1)} may be written"
    process.send_signal(getattr(signal, "SIG" + name))
    # Do not close the input earlier, because the end of the input would continue the run too.
    process.wait(timeout=120)
    out, err = process.communicate(timeout=120)
    pathlib.Path(folder, f"crash-{name}.txt").write_bytes(printed[process.stdout] + out + printed[process.stderr] + err)
    if name in TRAPS:
        assert process.returncode == -getattr(signal, "SIG" + name), (name, process.returncode)
        assert not out + err, f"a crash by {name} prints {out + err!r}"
    else:
        assert process.returncode == 130, (name, process.returncode)
    assert not os.listdir(work), os.listdir(work)
    os.rmdir(work)
    missing = [secret for secret in secrets if secret.encode() not in held]
    assert not missing, f"{name}: not in memory, so the check is invalid: {missing}"
    assert re.search(rb"eyJ[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}", held), f"{name}: no token is in memory, so the check is invalid"


def main():
    authflow, workflow, folder, enters, *secrets = sys.argv[1:]
    environment = dict(os.environ)
    tracer = backtracer()
    if tracer:
        environment["SWIFT_BACKTRACE"] = f"enable=yes,color=no,cache=no,swift-backtrace={tracer}"
        control(environment)
    # Run three processes in parallel, because a run mostly waits.
    with concurrent.futures.ProcessPoolExecutor(3) as processes:
        crashes = {name: processes.submit(crash, authflow, workflow, int(enters), name, environment, folder, secrets) for name in SIGNALS}
        for name, result in crashes.items():
            result.result()
            passed(f"a run that gets SIG{name} prints no memory contents" + ("" if tracer else " (without a backtrace: no toolchain)"))
    finish()


if __name__ == "__main__":
    main()
