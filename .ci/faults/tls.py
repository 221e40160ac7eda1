"""Servers that TLS has to refuse: too old, not TLS at all, vouched for by nobody, with another's name."""
import os
import socket
import ssl
import subprocess
import threading

from place import WORK, listeners, must, until


class Server:
    """Takes connections at the platform's port, and gets no further with them than its TLS lets it."""

    def __init__(self, context):
        self.context = context
        self.socket = socket.create_server(("127.0.0.1", 443))
        self.agreed = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                try:
                    if self.context is None:
                        connection.recv(4096)
                        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    else:
                        with self.context.wrap_socket(connection, server_side=True) as secure:
                            # With TLS 1.3 a client's refusal comes after the server's part is done.
                            if secure.recv(4096):
                                self.agreed += 1
                except OSError:
                    pass

    def close(self):
        # Closing alone would not wake whoever waits in accept.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def certificate(folder, subject, *names):
    """One that nobody whom the client trusts has signed, or for other names."""
    key, pem = folder / f"{subject}.key", folder / f"{subject}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={subject}", "-days", "2",
         "-keyout", key, "-out", pem, "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return pem, key


def context(pem=WORK / "gate.pem", key=WORK / "gate.key", version=None):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(pem, key)
    if version:
        # What today's OpenSSL offers only if it is told to.
        made.set_ciphers("ALL:@SECLEVEL=0")
        made.minimum_version = made.maximum_version = version
    return made


def refused(place, report):
    place.gate.close()
    stranger = certificate(place.folder, "stranger", "login.microsoftonline.com")
    servers = [
        ("TLS 1.1 at most", context(version=ssl.TLSVersion.TLSv1_1), "no TLS of version 1.2"),
        ("no TLS at all", None, "does not speak TLS"),
        ("a certificate that nobody vouches for", context(*stranger), "certificate"),
    ]
    for name, made, word in servers:
        server = Server(made)
        try:
            with report(f"TLS: {name}") as told:
                run = told(place.run("sign-in"))
                must(run.code == 3 and word in run.errors, "it ended with", run.code, run.errors)
                must("BoringSSL" not in run.errors and "/" not in run.errors.split("help:")[0].replace("https://", ""), run.errors)
                must(server.agreed == 0, "something was sent to it")
        finally:
            server.close()
        until(lambda: 443 not in listeners(), 5, "the server's end")
    # The control: the same server, with TLS 1.2 and a certificate that is trusted, is talked to.
    server = Server(context(version=ssl.TLSVersion.TLSv1_2))
    try:
        with report("TLS: 1.2 is enough") as told:
            told(place.run("sign-in"))
            must(server.agreed > 0, "nothing was sent to it")
    finally:
        server.close()
    until(lambda: 443 not in listeners(), 5, "the server's end")
    place.gate.open_for()
    place.recovers(account=False)


def without_authorities(place, report):
    """A container with nothing in it: no authorities of the system's."""
    for folder in ("/etc/ssl", "/etc/pki"):
        if os.path.isdir(folder):
            subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    trusted = place.env.pop("SSL_CERT_FILE")
    with report("TLS: this system trusts nobody") as told:
        run = told(place.run("sign-in"))
        must(run.code == 3 and "install ca-certificates" in run.errors, "it ended with", run.code, run.errors)
    place.env["SSL_CERT_FILE"] = trusted
    with report("TLS: this system trusts nobody, and an authority is named") as told:
        must(told(place.run("sign-in")).code == 0, "it ended otherwise")
    place.forget()
    place.env["SSL_CERT_FILE"] = "/etc/ssl/none.pem"
    with report("TLS: an authority is named that is not there") as told:
        run = told(place.run("sign-in"))
        must(run.code == 3 and "/etc/ssl/none.pem, which does not exist" in run.errors, "it ended with", run.code, run.errors)
    del place.env["SSL_CERT_FILE"]
    # Where another distribution keeps them.
    with open(trusted) as source, open("/etc/ssl/cert.pem", "w") as target:
        target.write(source.read())
    with report("TLS: the authorities are where Alpine has them") as told:
        must(told(place.run("sign-in")).code == 0, "it ended otherwise")
    place.env["SSL_CERT_FILE"] = trusted


DRILLS = {"TLS": refused, "TLS without authorities": without_authorities}
