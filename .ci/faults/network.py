"""Drills in which the network interface or name resolution fails."""
import socket
import subprocess
import threading
import time

from place import WORK, must
from server import FLOWS, each_point, exchanges


def interface(state):
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


def gone_for_a_moment(place, report):
    """The interface goes down during a response and is up again before the timeout."""
    def outage():
        interface("down")
        threading.Timer(0.4, interface, ["up"]).start()
    for number, recorded in each_point(place, "sign-in", report, "no network for 0.4 s"):
        place.gate.open_for(None, number, meanwhile=outage)
        run = recorded(place.run("sign-in", seconds=45))
        place.holds(run, {0, 3})
        time.sleep(max(0, 0.4 - run.took))
        interface("up")
        place.recovers()


def never_there(place, report):
    for flow in ("sign-in", "refresh"):
        exchanges(place, flow)
        place.restore()
        with report(f"{flow}: no network") as recorded:
            interface("down")
            subprocess.run(["ip", "address", "flush", "dev", "lo"], check=True)  # the address returns when the interface is up
            try:
                run = recorded(place.run(flow, seconds=30))
            finally:
                interface("up")
            place.holds(run, {3})
            must("no network: " in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])


def gone_for_good(flow, number):
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: the interface goes down permanently") as recorded:
            place.gate.open_for(None, number, meanwhile=lambda: interface("down"))
            try:
                run = recorded(place.run(flow, seconds=75))
            finally:
                interface("up")
            place.holds(run, {3})
            place.recovers(account=FLOWS[flow][1])
    return drill


def names(lead):
    """Makes the host names unknown, or restores them."""
    subprocess.run(["mount", "--bind", WORK / "hosts", "/etc/hosts"] if lead else ["umount", "/etc/hosts"], check=True)


def names_gone(flow):
    def drill(place, report):
        for number, recorded in each_point(place, flow, report, "the host name is unknown"):
            if number == 1:
                place.gate.open_for()
                names(False)
            else:  # each exchange uses a new connection, so the client resolves the name again
                place.gate.open_for(None, number - 1, meanwhile=lambda: names(False), each_its_own=True)
            try:
                run = recorded(place.run(flow))
            finally:
                names(True)
            place.holds(run, {3})
            must("host not found: " in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


def resolver_is_silent(place, report):
    """A DNS server that receives requests but does not respond."""
    with report("refresh: the DNS server does not respond") as recorded, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as resolver:
        exchanges(place, "refresh")
        place.restore()
        resolver.bind(("127.0.0.1", 53))
        names(False)
        try:
            run = recorded(place.run("refresh", seconds=60))
        finally:
            names(True)
        place.holds(run, {3})
        place.recovers(account=True)


DRILLS = {"network: not available": never_there, "network: temporarily down": gone_for_a_moment,
          "network: unknown hosts, sign-in": names_gone("sign-in"), "network: unknown hosts, refresh": names_gone("refresh")}
IDLE = {"network: down at code redemption": gone_for_good("sign-in", 7), "network: down at refresh": gone_for_good("refresh", 3),
        "network: down at sign-out": gone_for_good("sign-out", 3), "network: silent resolver": resolver_is_silent}
