"""The environment of a drill: a network namespace with only a loopback interface, where the real host names of the platform resolve
to a gate in front of an emulator; the runs of authflow; and the requirements after each run.
"""
import json
import os
import pathlib
import shutil
import subprocess
import time
import uuid

import gate

AUTHFLOW = os.environ["AUTHFLOW"]
WORK = pathlib.Path(os.environ["FAULTS_WORK"])  # certificate and key of the gate, shared by all drills
NAMES = ["login.microsoftonline.com", "graph.microsoft.com", "microsoft.com"]
MEGAN = "megan@contoso.com"
SETTINGS = """\
AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
GraphScopes: [User.Read]
BundleId: com.contoso.graphtutorial
"""
FLOWS = {
    # Signs in if necessary and reads the profile.
    "sign-in": "[loadAccount, silent, interactive-fallback, {callGraph: /me}]",
    "refresh": "[{loadAccount: {}, on: {notFound: fail}}, {silent: {forceRefresh: true}, on: {interactionRequired: fail}},"
               " {callGraph: /me}]",
    "sign-out": "[{loadAccount: {}, on: {notFound: fail}}, {signout: {signoutFromBrowser: true}}]",
    "device code": "[{deviceCode: {}, timeout: 8s}, {callGraph: /me}]",
}
# The files that a state folder can contain between runs (StateFolder.everything, without the lock files).
KEPT = {"cache.json", "browser.json", "lock", "cache.json.keyring"}


class Failure(Exception):
    """A failed requirement of a drill."""


def must(condition, *words):
    if not condition:
        raise Failure(" ".join(str(word) for word in words))


def until(condition, seconds=10, what="the condition is not met"):
    """Waits for a condition with increasing intervals."""
    deadline, pause = time.monotonic() + seconds, 0.002
    while not (value := condition()):
        must(time.monotonic() < deadline, "timeout after", seconds, "seconds:", what)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)
    return value


class Emulator:
    """`authflow emulator --tls` in a separate process. Its state remains after a restart."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        self.start()

    def start(self, *options, port=0):
        self.log = open(self.folder / "emulator.log", "a")
        self.process = subprocess.Popen(
            [AUTHFLOW, "emulator", "--tls", "--port", str(port), "--format", "json", "--state", self.folder / "platform.json",
             "--export-ca", self.folder / "emulator-ca.pem", "--exit-with-stdin", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=os.environ | {"XDG_STATE_HOME": str(self.folder / "emulator")})
        ready = json.loads(self.process.stdout.readline())
        self.port, self.control = ready["port"], ready["controlURL"]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self, *options, port=0):
        """Stops the emulator normally, so that it saves its state."""
        self.close()
        self.start(*options, port=port)

    def revive(self):
        if self.process.poll() is not None:
            self.start()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


class Run:
    """A run of authflow whose output can be read while it runs."""

    def __init__(self, place, arguments, env=None, **more):
        self.mark = uuid.uuid4().hex  # identifies its child processes
        self.began = time.monotonic()
        self.arguments = arguments
        self.out, self.err = (open(place.folder / f"{self.mark}.{end}", "w+") for end in ("out", "err"))
        self.process = subprocess.Popen(
            [AUTHFLOW, *map(str, arguments)], stdin=more.pop("stdin", subprocess.DEVNULL), stdout=self.out, stderr=self.err,
            cwd=place.folder, env=place.env | {"FAULTS_MARK": self.mark} | (env or {}), **more)

    def standard_error(self):
        self.err.flush()
        return pathlib.Path(self.err.name).read_text(errors="replace")

    def wait(self, seconds=20):
        """Waits for the exit code, the output, and standard error. Fails if the run does not end within the time limit."""
        try:
            self.code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"authflow {self.arguments[0]} did not end within {seconds} seconds; standard error: {self.standard_error()[-500:]}") from None
        self.took = time.monotonic() - self.began
        self.output = pathlib.Path(self.out.name).read_text(errors="replace")
        self.errors = self.standard_error()
        for file in (self.out, self.err):
            file.close()
            os.unlink(file.name)
        return self

    def children(self):
        return [pid for pid in processes() if pid != self.process.pid and self.mark.encode() in environment(pid)]


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def environment(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def listeners():
    """Returns the ports that processes listen on in this network namespace."""
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/self/net/{table}").read_text().splitlines()[1:]:
            columns = line.split()
            if columns[3] == "0A":
                ports.add(int(columns[1].rsplit(":", 1)[1], 16))
    return ports


class Place:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        (self.folder / "S.yaml").write_text(SETTINGS)
        for name, steps in FLOWS.items():
            self.workflow(name, steps)
        self.state = self.folder / "state"
        self.live = self.state / "authflow" / "live"
        self.env = {name: value for name, value in os.environ.items() if name.lower() not in ("https_proxy", "http_proxy", "all_proxy", "no_proxy")}
        self.env |= {"XDG_STATE_HOME": str(self.state), "SSL_CERT_FILE": str(WORK / "ca.pem"), "PASSWORD": "Fake-Megan-1",
                     "HOME": str(self.folder), "NO_COLOR": "1"}
        self.emulator = Emulator(self.folder)
        self.gate = gate.Gate(WORK / "gate.pem", WORK / "gate.key", self.emulator)

    def workflow(self, name, steps):
        (self.folder / f"{name}.yaml").write_text(
            f"authflow: 1\nname: {name}\nsettings: S.yaml\nplatform: live\nmaxSteps: 100000\n"
            f"user: {{username: {MEGAN}, password: '${{secret:PASSWORD}}'}}\nsteps: {steps}\n")

    def start(self, flow, *options, **more):
        return Run(self, ["run", f"{flow}.yaml", "--platform", "live", "--secret", "PASSWORD", *options], **more)

    def run(self, flow, *options, seconds=20, **more):
        return self.start(flow, *options, **more).wait(seconds)

    def forget(self):
        shutil.rmtree(self.state, ignore_errors=True)

    def keep(self):
        shutil.rmtree(self.folder / "kept", ignore_errors=True)
        shutil.copytree(self.state, self.folder / "kept")

    def keep_nothing(self):
        shutil.rmtree(self.folder / "kept", ignore_errors=True)

    def restore(self):
        self.forget()
        if (self.folder / "kept").exists():
            shutil.copytree(self.folder / "kept", self.state)

    def accounts(self, *options):
        run = Run(self, ["accounts", "--format", "json", "--platform", "live", *options]).wait()
        must(run.code == 0, "the accounts cannot be listed:", run.errors)
        return [account["username"] for store in json.loads(run.output) for account in store["accounts"]]

    def settle_emulator_at_real_names(self):
        """Serves the real host names with the emulator itself, without the gate, and with the certificate of the emulator."""
        self.gate.close()
        self.emulator.restart("--real-hosts", port=443)
        self.env["SSL_CERT_FILE"] = str(self.folder / "emulator-ca.pem")

    # --- Requirements after every run ---

    def holds(self, run, codes, *, own_ports=(), leaves=KEPT):
        """Requires that the run exited with one of these codes, reported its error, and left no processes, ports, or files."""
        must(run.code in codes, f"it exited with {run.code}, not {sorted(codes)}:\n{run.output[-700:]}{run.errors}")
        if run.code in (2, 3):  # other results are part of the output of the steps
            must("error: " in run.errors, f"exited with {run.code} without an error message:\n{run.output[-700:]}{run.errors}")
        must("Fatal error" not in run.errors and "crash" not in run.errors.lower(), run.errors)
        until(lambda: not run.children(), 5, "its child processes are still running")
        ours = {self.emulator.port, self.gate.address[1], *own_ports}
        until(lambda: listeners() <= ours, 5, f"its ports are still open: {listeners() - ours}")
        if self.live.exists():
            left = {name for name in os.listdir(self.live)} - leaves
            must(not left, "it left files behind:", left)

    def recovers(self, *, account=None, flow="sign-in", options=()):
        """Requires that the next run succeeds without faults, and silently if the account is cached.

        `account`: whether the account must be cached, or None if both are allowed.
        """
        self.emulator.revive()
        self.gate.open_for()
        known = MEGAN in self.accounts(*options)
        must(account is None or known == account, "the account", "is lost" if account else "is there")
        run = self.run(flow, *options, "--format", "json")
        must(run.code == 0, f"the next run exited with {run.code}:\n{run.output[-700:]}{run.errors}")
        must("warning: " not in run.errors, "the next run prints a warning:", run.errors)
        path = json.loads(run.output)["path"]
        silent = "interactive-fallback.skipped" in path
        must(silent == known, "the account is", "cached" if known else "not cached", "but the path of the next run is", path)
        return known

    def close(self):
        self.gate.close()
        self.emulator.close()
