"""The network goes: its interface, its names."""
import socket
import subprocess
import threading
import time

from place import WORK, must
from server import FLOWS, each_point, exchanges


def interface(state):
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


def gone_for_a_moment(place, report):
    """The interface is down while an answer is on its way, and up again before anybody has lost patience."""
    def outage():
        interface("down")
        threading.Timer(0.4, interface, ["up"]).start()
    for number, told in each_point(place, "sign-in", report, "no network for 0.4 s"):
        place.gate.open_for(None, number, meanwhile=outage)
        run = told(place.run("sign-in", seconds=45))
        place.holds(run, {0, 3})
        time.sleep(max(0, 0.4 - run.took))
        interface("up")
        place.recovers()


def never_there(place, report):
    for flow in ("sign-in", "renewal"):
        exchanges(place, flow)
        place.restore()
        with report(f"{flow}: there is no network") as told:
            interface("down")
            subprocess.run(["ip", "address", "flush", "dev", "lo"], check=True)  # it comes back with the interface
            try:
                run = told(place.run(flow, seconds=30))
            finally:
                interface("up")
            place.holds(run, {3})
            must("no network: " in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])


def gone_for_good(flow, number):
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: the interface goes down, and stays") as told:
            place.gate.open_for(None, number, meanwhile=lambda: interface("down"))
            try:
                run = told(place.run(flow, seconds=75))
            finally:
                interface("up")
            place.holds(run, {3})
            place.recovers(account=FLOWS[flow][1])
    return drill


def names(lead):
    """Takes the names away, or gives them back."""
    subprocess.run(["mount", "--bind", WORK / "hosts", "/etc/hosts"] if lead else ["umount", "/etc/hosts"], check=True)


def names_gone(flow):
    def drill(place, report):
        for number, told in each_point(place, flow, report, "its name is not known any more"):
            if number == 1:
                place.gate.open_for()
                names(False)
            else:  # each exchange has a connection of its own, so that each asks for the name
                place.gate.open_for(None, number - 1, meanwhile=lambda: names(False), each_its_own=True)
            try:
                run = told(place.run(flow))
            finally:
                names(True)
            place.holds(run, {3})
            must("host not found: " in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


def resolver_is_silent(place, report):
    """A server for names that takes every question and answers none."""
    with report("renewal: the server for names does not answer") as told, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as resolver:
        exchanges(place, "renewal")
        place.restore()
        resolver.bind(("127.0.0.1", 53))
        names(False)
        try:
            run = told(place.run("renewal", seconds=60))
        finally:
            names(True)
        place.holds(run, {3})
        place.recovers(account=True)


DRILLS = {"network: none": never_there, "network: away for a moment": gone_for_a_moment,
          "network: no names, sign-in": names_gone("sign-in"), "network: no names, renewal": names_gone("renewal")}
IDLE = {"network: gone at code redemption": gone_for_good("sign-in", 7), "network: gone at renewal": gone_for_good("renewal", 3),
        "network: gone at sign-out": gone_for_good("sign-out", 3), "network: silent resolver": resolver_is_silent}
