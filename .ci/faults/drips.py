"""A server that sends one byte a second. Each byte starts a read timeout anew: only a deadline for the whole exchange ends the run."""
import contextlib
import socket
import threading
import time

from place import must
from server import FLOWS, exchanges

DEADLINE = 60  # seconds for an exchange (HTTPClientTransport.Patience.whole)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def drip(client, pieces):
    """Sends a piece a second, until the client hangs up or the gate closes."""
    for piece in pieces:
        if client.fileno() < 0:  # TLS would go on with the number, which another connection may have by now
            return
        client.sendall(piece)
        time.sleep(1)


def single_bytes(text):
    return (text[at:at + 1] for at in range(len(text)))


class Headers:
    """The header of the answer."""

    def connection(self, raw):
        return raw

    def answer(self, client):
        drip(client, single_bytes(HEAD + b"X-Filler: " + b"x" * 1000))


class Body(Headers):
    """A body of a known size."""

    def answer(self, client):
        client.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        drip(client, single_bytes(b"x" * 1000))


class Chunks(Headers):
    """A chunked body without an end."""

    def answer(self, client):
        client.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        drip(client, (b"1\r\nx\r\n" for _ in range(1000)))


class Handshake:
    """The server's part of the TLS handshake."""

    def __init__(self):
        self.dripping = threading.Event()
        self.dripping.set()

    def connection(self, raw):
        """A socket that passes everything on to the client: byte by byte as soon as `dripping` is set."""
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
        with contextlib.suppress(OSError):  # one of both hung up
            while part := source.recv(65536):
                send(part)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def answer(self, client):
        client.sendall(HEAD + b"Content-Length: 0\r\n\r\n")


class Records(Handshake):
    """One large TLS record.

    The client can decrypt no byte of the answer before its end.
    """

    def __init__(self):
        self.dripping = threading.Event()

    def answer(self, client):
        self.dripping.set()
        client.sendall(HEAD + b"Content-Length: 10000\r\n\r\n" + b"x" * 10000)
        client.settimeout(None)
        client.recv(1)  # until the client gives up


def dripping(flow, number, make, seconds):
    """The exchange of that number drips; the run must end within that time, and the next run must succeed."""
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: {make.__doc__.splitlines()[0].lower().rstrip('.')} drips") as told:
            place.gate.open_for("drip", number, drip=make())
            run = told(place.run(flow, seconds=seconds))
            place.holds(run, {3})
            must("timed out" in run.errors or "in time" in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


DRILLS = {}
# These wait for nothing but the clock. Exchange 3 is the sign-in page, which is requested once; the client requests all
# others twice.
IDLE = {f"drip: {make.__name__.lower()}": dripping("sign-in", 3, make, DEADLINE + 15)
        for make in (Headers, Body, Chunks, Handshake, Records)}
IDLE |= {"drip: body of a renewal": dripping("renewal", 3, Body, 2 * DEADLINE + 20)}
