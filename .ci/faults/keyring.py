"""Drills in which the keyring exits or is locked during a run. They use gnome-keyring on a separate session bus."""
import os
import shutil
import signal
import subprocess

from place import must, until
from server import exchanges

KEYRING = ("--cache", "keyring")


class Keyring:
    """A session bus and a keyring daemon. The stored secrets remain after a restart."""

    def __init__(self, place):
        self.place, self.home = place, place.folder / "keyring"
        shutil.rmtree(self.home, ignore_errors=True)
        for name in ("data", "run", "config"):
            (self.home / name).mkdir(parents=True, mode=0o700)
        place.env |= {"XDG_DATA_HOME": str(self.home / "data"), "XDG_RUNTIME_DIR": str(self.home / "run"), "XDG_CONFIG_HOME": str(self.home / "config")}
        self.start()

    def start(self):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    env=self.place.env, text=True)
        self.place.env["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        self.daemon = None
        self.start_daemon()

    def start_daemon(self):
        self.daemon = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--replace", "--components=secrets"],
                                       stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.place.env)
        self.daemon.stdin.write(b"secret")
        self.daemon.stdin.close()
        must(self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer.Ping").returncode == 0, "the session bus does not respond")
        until(lambda: b"true" in self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
                                           "string:org.freedesktop.secrets").stdout, 10, "the start of the keyring")

    def call(self, destination, path, method, *arguments):
        return subprocess.run(["dbus-send", "--session", "--print-reply", "--reply-timeout=3000", f"--dest={destination}", path, method, *arguments],
                              env=self.place.env, capture_output=True)

    def kill_daemon(self):
        self.daemon.kill()
        self.daemon.wait()

    def lock(self):
        self.call("org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
                  "array:objpath:/org/freedesktop/secrets/collection/login")

    def kill_bus(self):
        self.bus.kill()
        self.bus.wait()

    def close(self):
        for process in (self.daemon, self.bus):
            if process.poll() is None:
                process.kill()
            process.wait()
        # The processes that the bus has started.
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in (1, os.getpid()):
                try:
                    with open(f"/proc/{name}/comm") as file:
                        if file.read().startswith("gnome-keyring"):
                            os.kill(int(name), signal.SIGKILL)
                except OSError:
                    pass

    def again(self):
        self.close()
        self.start()


FAULTS = {"the daemon is killed": Keyring.kill_daemon, "it is locked": Keyring.lock, "the session bus is killed": Keyring.kill_bus}


def drill(place, report):
    names = exchanges(place, "refresh")
    token = 1 + next(number for number, name in enumerate(names) if name.endswith("/token"))
    place.forget()
    keyring = Keyring(place)
    try:
        with report("keyring: sign-in, then a silent run") as recorded:
            place.gate.open_for()
            place.holds(recorded(place.run("sign-in", *KEYRING)), {0})
            place.recovers(account=True, options=KEYRING)
            must(not (place.live / "cache.json").exists(), "the tokens are saved to a file")
        for words, fault in FAULTS.items():
            for midway in (False, True):
                for flow in ("refresh", "sign-out"):
                    with report(f"keyring, {flow}: {words}{' during the run' if midway else ' before the run'}") as recorded:
                        place.gate.open_for(None, token if flow == "refresh" else 1, meanwhile=(lambda: fault(keyring)) if midway else None)
                        if not midway:
                            fault(keyring)
                        run = recorded(place.run(flow, *KEYRING, seconds=40))
                        place.holds(run, {0, 1, 3})
                        # Without a keyring, authflow uses a file, which has no account.
                        must(run.code != 1 or "note: no keyring responds" in run.errors, "the problem is not reported:", run.errors)
                        keyring.again()
                        # If the account was not signed out before the fault, it still exists and works silently.
                        place.recovers(account=True if flow == "refresh" else None, options=KEYRING)
    finally:
        keyring.close()


DRILLS = {"keyring": drill}
