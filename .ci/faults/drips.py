"""A server that sends one byte per second. Each byte restarts a read timeout, so only a deadline for the exchange ends the run."""
import contextlib
import socket
import threading
import time

from place import must
from server import FLOWS, exchanges

DEADLINE = 60  # seconds for an exchange (see HTTPClientTransport)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def drip(client, pieces):
    """Sends a chunk every second until the client disconnects or the gate closes."""
    for piece in pieces:
        if client.fileno() < 0:  # another connection may already use this descriptor
            return
        client.sendall(piece)
        time.sleep(1)


def single_bytes(text):
    return (text[at:at + 1] for at in range(len(text)))


class Headers:
    """The header of the response."""

    def connection(self, raw):
        return raw

    def answer(self, client):
        drip(client, single_bytes(HEAD + b"X-Filler: " + b"x" * 1000))


class Body(Headers):
    """A body with a known size."""

    def answer(self, client):
        client.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        drip(client, single_bytes(b"x" * 1000))


class Chunks(Headers):
    """An endless chunked body."""

    def answer(self, client):
        client.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        drip(client, (b"1\r\nx\r\n" for _ in range(1000)))


class Handshake:
    """The TLS handshake of the server."""

    def __init__(self):
        self.dripping = threading.Event()
        self.dripping.set()

    def connection(self, raw):
        """A socket that forwards data to the client, byte by byte as soon as `dripping` is set."""
        inner, outer = socket.socketpair()
        threading.Thread(target=self.copy, args=(raw, outer, outer.sendall), daemon=True).start()
        threading.Thread(target=self.copy, args=(outer, raw, lambda part: self.slowly(raw, part)), daemon=True).start()
        return inner

    def slowly(self, raw, part):
        if self.dripping.is_set():
            drip(raw, single_bytes(part))
        else:
            raw.sendall(part)

    @staticmethod
    def copy(source, target, send):
        with contextlib.suppress(OSError):  # one side disconnected
            while part := source.recv(65536):
                send(part)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def answer(self, client):
        client.sendall(HEAD + b"Content-Length: 0\r\n\r\n")


class Records(Handshake):
    """One large TLS record.

    The client cannot decrypt the response until the record is complete.
    """

    def __init__(self):
        self.dripping = threading.Event()

    def answer(self, client):
        self.dripping.set()
        client.sendall(HEAD + b"Content-Length: 10000\r\n\r\n" + b"x" * 10000)
        client.settimeout(None)
        client.recv(1)  # until the client disconnects


def dripping(flow, number, make, seconds):
    """Slows down one exchange. The run must end within the time limit, and the next run must succeed."""
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: {make.__doc__.splitlines()[0].lower().rstrip('.')} is slow") as recorded:
            place.gate.open_for("drip", number, drip=make())
            run = recorded(place.run(flow, seconds=seconds))
            place.holds(run, {3})
            must("timed out" in run.errors or "in time" in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


DRILLS = {}
# These drills wait for timeouts and use little processor time. Exchange 3 is the sign-in page, which is requested once; the client requests all
# others twice.
IDLE = {f"drip: {make.__name__.lower()}": dripping("sign-in", 3, make, DEADLINE + 15)
        for make in (Headers, Body, Chunks, Handshake, Records)}
IDLE |= {"drip: body of a refresh": dripping("refresh", 3, Body, 2 * DEADLINE + 20)}
