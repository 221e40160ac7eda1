"""Drills with servers that the client must reject: old TLS versions, no TLS, untrusted certificates, or wrong host names."""
import os
import socket
import ssl
import subprocess
import threading

from place import WORK, listeners, must, until


class Server:
    """Accepts connections on the port of the platform and completes the TLS handshake if the client does."""

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
                            # With TLS 1.3, the client can reject the certificate after the server has completed the handshake.
                            if secure.recv(4096):
                                self.agreed += 1
                except OSError:
                    pass

    def close(self):
        # close() does not wake the thread in accept().
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def certificate(folder, subject, *names):
    """Creates a certificate that the client does not trust or that has other host names."""
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
        # OpenSSL disables these versions by default.
        made.set_ciphers("ALL:@SECLEVEL=0")
        made.minimum_version = made.maximum_version = version
    return made


def refused(place, report):
    place.gate.close()
    stranger = certificate(place.folder, "stranger", "login.microsoftonline.com")
    servers = [
        ("TLS 1.1 at most", context(version=ssl.TLSVersion.TLSv1_1), "TLS 1.2"),
        ("no TLS at all", None, "TLS"),
        ("an untrusted certificate", context(*stranger), "certificate"),
    ]
    for name, made, word in servers:
        server = Server(made)
        try:
            with report(f"TLS: {name}") as recorded:
                run = recorded(place.run("sign-in"))
                must(run.code == 3 and word in run.errors, "it exited with", run.code, run.errors)
                must("BoringSSL" not in run.errors and "/" not in run.errors.split("help:")[0].replace("https://", ""), run.errors)
                must(server.agreed == 0, "the client sent data to the server")
        finally:
            server.close()
        until(lambda: 443 not in listeners(), 5, "the server is still listening")
    # Control: the client connects to the same server with TLS 1.2 and a trusted certificate.
    server = Server(context(version=ssl.TLSVersion.TLSv1_2))
    try:
        with report("TLS 1.2 is accepted") as recorded:
            recorded(place.run("sign-in"))
            must(server.agreed > 0, "the client did not send data to the server")
    finally:
        server.close()
    until(lambda: 443 not in listeners(), 5, "the server is still listening")
    place.gate.open_for()
    place.recovers(account=False)


def without_authorities(place, report):
    """A minimal container without the system's CA certificates."""
    for folder in ("/etc/ssl", "/etc/pki"):
        if os.path.isdir(folder):
            subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    trusted = place.env.pop("SSL_CERT_FILE")
    with report("TLS: the system has no CA certificates") as recorded:
        run = recorded(place.run("sign-in"))
        must(run.code == 3 and "ca-certificates" in run.errors, "it exited with", run.code, run.errors)
    place.env["SSL_CERT_FILE"] = trusted
    with report("TLS: the system has no CA certificates, and SSL_CERT_FILE is set") as recorded:
        must(recorded(place.run("sign-in")).code == 0, "the run did not succeed")
    place.forget()
    place.env["SSL_CERT_FILE"] = "/etc/ssl/none.pem"
    with report("TLS: SSL_CERT_FILE does not exist") as recorded:
        run = recorded(place.run("sign-in"))
        must(run.code == 3 and "/etc/ssl/none.pem" in run.errors, "it exited with", run.code, run.errors)
    del place.env["SSL_CERT_FILE"]
    # The path of the CA certificates in another distribution.
    with open(trusted) as source, open("/etc/ssl/cert.pem", "w") as target:
        target.write(source.read())
    with report("TLS: CA certificates in the path of Alpine") as recorded:
        must(recorded(place.run("sign-in")).code == 0, "the run did not succeed")
    place.env["SSL_CERT_FILE"] = trusted


DRILLS = {"TLS": refused, "TLS without CA certificates": without_authorities}
