"""A TLS proxy in front of the emulator with the real host names of the platform. It forwards and counts exchanges, and injects a
fault into one of them.

An exchange is a request and its response. `fault` is the name of the fault, and `at` is the number of the first affected exchange.
With `once`, the fault affects only this exchange. The proxy runs in threads of this process, so that a drill can read the count.
"""
import socket
import ssl
import struct
import threading

FAULTS = {
    "kill": "the server is killed",
    "reset": "the connection is reset",
    "cut": "the response is truncated",
    "handshake": "the TLS handshake is interrupted",
    "stall": "the server stops responding",
}


class Gate:
    def __init__(self, certificate, key, emulator, port=443):
        self.emulator = emulator  # has .port and .kill()
        self.address = ("127.0.0.1", port)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.inner = ssl.create_default_context()  # a loopback connection does not need verification
        self.inner.check_hostname, self.inner.verify_mode = False, ssl.CERT_NONE
        self.lock = threading.Lock()
        self.listener = None
        self.open_for()

    def open_for(self, fault=None, at=0, once=False, meanwhile=None, each_its_own=False, drip=None):
        """Resets the count.

        `meanwhile` is called before the exchange is forwarded, whatever the fault. `each_its_own` uses a separate connection for each
        exchange. `drip` belongs to the fault of the same name: its `connection` can replace the socket of the client, and its
        `answer` sends the response (see drips.py).
        """
        self.close()
        self.fault, self.at, self.once, self.meanwhile = fault, at, once, meanwhile
        self.each_its_own = each_its_own or fault in ("handshake", "drip")
        self.drip = drip
        self.seen, self.connections, self.open = [], 0, set()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(self.address)
        self.listener.listen(64)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """Stops listening and resets all connections."""
        if self.listener is None:
            return
        try:
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept
        except OSError:
            pass
        self.listener.close()
        self.listener = None
        with self.lock:
            for connection in list(self.open):
                reset(connection)

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def is_broken(self, number):
        return bool(self.fault) and (number == self.at if self.once else number >= self.at)

    def serve(self, raw):
        with self.lock:
            self.open.add(raw)
            self.connections += 1
            number = self.connections
        try:
            if self.fault == "handshake" and self.is_broken(number):
                half_a_handshake(raw, self.context)
                return
            if self.drip and self.is_broken(number):
                raw = self.drip.connection(raw)
            client = self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False)
            with self.lock:
                self.open.discard(raw)
                self.open.add(client)
            raw = client
            client.do_handshake()
            self.exchanges(client)
        except (OSError, ssl.SSLError, EOFError):
            pass
        finally:
            with self.lock:
                self.open.discard(raw)
            raw.close()

    def exchanges(self, client):
        reader = client.makefile("rb")
        with socket.create_connection(("127.0.0.1", self.emulator.port)) as plain, \
                self.inner.wrap_socket(plain, server_hostname="localhost") as server:
            answers = server.makefile("rb")
            while True:
                head, body = message(reader)
                host = next((line[5:].strip().decode() for line in head if line.lower().startswith(b"host:")), "?")
                method, target = head[0].decode().split(" ")[:2]
                with self.lock:
                    self.seen.append(f"{method} {host}{target.split('?')[0]}")
                    number = len(self.seen)
                if self.meanwhile and number == self.at:
                    self.meanwhile()
                broken = self.fault not in (None, "handshake") and self.is_broken(number)
                if broken and self.fault == "kill":
                    self.emulator.kill()
                    self.close()
                    return
                if broken and self.fault == "reset":
                    reset(client)
                    return
                if broken and self.drip:
                    self.drip.answer(client)
                    return
                if broken and self.fault == "stall":
                    client.settimeout(None)
                    while client.recv(4096):  # until the client disconnects
                        pass
                    return
                server.sendall(b"".join(head) + b"\r\n" + body)
                head, body = message(answers, answers_to=method)
                if self.each_its_own:
                    head.append(b"Connection: close\r\n")
                answer = b"".join(head) + b"\r\n" + body
                if broken:  # cut off
                    client.sendall(answer[:max(1, len(answer) // 2)])
                    reset(client, politely=True)
                    return
                client.sendall(answer)
                if self.each_its_own:
                    client.unwrap()
                    return


def message(reader, answers_to=None):
    """Returns the header lines and the body of a request or response."""
    head = []
    while True:
        line = reader.readline()
        if not line:
            raise EOFError
        if line == b"\r\n":
            break
        head.append(line)
    length, chunked = 0, False
    for line in head[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        elif name.lower() == b"transfer-encoding" and b"chunked" in value.lower():
            chunked = True
    status = head[0].split(b" ")[1] if answers_to else b""
    if answers_to == "HEAD" or status in (b"204", b"304"):
        return head, b""
    if not chunked:
        return head, reader.read(length)
    body = b""
    while True:
        line = reader.readline()
        part = reader.read(int(line.split(b";")[0], 16) + 2)
        body += line + part
        if part == b"\r\n":
            return head, body


def reset(connection, politely=False):
    """Closes a connection with RST, or with FIN but without the close_notify alert of TLS."""
    try:
        if not politely:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Close the socket itself, because the TLS layer would send the alert.
        bare = socket.socket(fileno=connection.detach())
        if politely:
            bare.shutdown(socket.SHUT_WR)
        bare.close()
    except OSError:
        pass


def half_a_handshake(raw, context):
    """Sends the first half of the response to a ClientHello and closes the connection."""
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    engine = context.wrap_bio(received, sent, server_side=True)
    while not sent.pending:
        part = raw.recv(4096)
        if not part:
            return
        received.write(part)
        try:
            engine.do_handshake()
        except ssl.SSLWantReadError:
            pass
    whole = sent.read()
    raw.sendall(whole[:len(whole) // 2])
    reset(raw, politely=True)
