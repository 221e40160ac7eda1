"""Drills with an HTTP/2 server, and with proxies that have usernames, passwords, and faults."""
import base64
import os
import pathlib
import select
import signal
import socket
import subprocess
import threading

from network import names
from place import NAMES, WORK, listeners, must, processes, until
from server import prepare_consent

APACHE = """\
ServerRoot "{folder}"
ServerName localhost
Listen 127.0.0.1:443
PidFile "{folder}/pid"
DefaultRuntimeDir "{folder}"
Mutex file:{folder} default
ErrorLog "{folder}/error.log"
{person}
{modules}
StartServers 1
ServerLimit 1
ThreadsPerChild 16
MinSpareThreads 2
MaxSpareThreads 16
MaxRequestWorkers 16
LogFormat "%H %m %{{Host}}i%U %>s" protocol
CustomLog "{folder}/access.log" protocol
UseCanonicalName Off
Protocols h2 http/1.1
SSLEngine on
SSLCertificateFile "{work}/gate.pem"
SSLCertificateKeyFile "{work}/gate.key"
SSLSessionCache none
SSLProxyEngine on
SSLProxyVerify none
SSLProxyCheckPeerName off
SSLProxyCheckPeerCN off
ProxyPreserveHost On
ProxyPass / https://localhost:{port}/
"""
MODULES = ["mpm_event", "authz_core", "log_config", "ssl", "socache_shmcb", "http2", "proxy", "proxy_http"]
LIBRARY = pathlib.Path("/usr/lib/apache2/modules")


def http2(place, report):
    """Apache with HTTP/2 in front of the emulator."""
    folder = place.folder / "apache"
    folder.mkdir()
    folder.chmod(0o777)
    place.gate.close()
    (folder / "conf").write_text(APACHE.format(
        folder=folder, work=WORK, port=place.emulator.port, person="User www-data\nGroup www-data",
        modules="\n".join(f"LoadModule {name}_module {LIBRARY}/mod_{name}.so" for name in MODULES if (LIBRARY / f"mod_{name}.so").exists())))
    server = subprocess.Popen(["/usr/sbin/apache2", "-f", folder / "conf", "-D", "FOREGROUND"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def is_there():
        must(server.poll() is None, "apache2 ended:", server.stderr.read() if server.poll() is not None else "", (folder / "error.log"))
        try:
            socket.create_connection(("127.0.0.1", 443)).close()
            return True
        except OSError:
            return False
    try:
        until(is_there, 10, "apache2's start")
        with report("HTTP/2: sign-in, refresh, and sign-out through Apache") as recorded:
            for flow in ("sign-in", "refresh", "sign-out"):
                run = recorded(place.run(flow))
                must(run.code == 0, flow, "exited with", run.code, run.output[-600:], run.errors)
            lines = lines_of(folder)
            must(all(line.startswith("HTTP/2.0 ") for line in lines), "some requests did not use HTTP/2:", lines)
            must(any("graph.microsoft.com" in line for line in lines) and any("/token 200" in line for line in lines), lines)
            print(f"    Apache's log: {len(lines)} requests, all HTTP/2.0, such as «{lines[-1]}»")
        with report("HTTP/2: the server is killed during a stream") as recorded:
            place.forget()
            must(place.run("sign-in").code == 0, "the sign-in failed")
            place.keep()
            before = len(lines_of(folder))
            run = place.start("refresh")
            until(lambda: len(lines_of(folder)) > before, 10, "no request was received")
            kill_with_children(server)
            recorded(run.wait(20))
            place.holds(run, {0, 3})
    finally:
        kill_with_children(server)
    until(lambda: 443 not in listeners(), 5, "Apache's end")
    place.gate.open_for()
    place.recovers(account=True)


def lines_of(folder):
    return (folder / "access.log").read_text().splitlines()


def kill_with_children(server):
    family = [server.pid] + [pid for pid in processes() if parent(pid) == server.pid]
    for pid in family:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    server.wait()


def parent(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


class Proxy:
    """A proxy for CONNECT with authentication (RFC 9110 §9.3.6, §11.7). All host names resolve to the gate."""

    def __init__(self, credentials=None, fault=None, at=0):
        self.credentials, self.fault, self.at, self.seen, self.refused = credentials, fault, at, [], 0
        self.listener = socket.create_server(("127.0.0.1", 3128))
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(client)
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                part = client.recv(4096)
                if not part:
                    return
                head += part
            lines = head.decode().split("\r\n")
            method, target = lines[0].split(" ")[:2]
            given = next((line.split(": ", 1)[1] for line in lines if line.lower().startswith("proxy-authorization: ")), None)
            wanted = self.credentials and "Basic " + base64.b64encode(self.credentials.encode()).decode()
            if given != wanted and wanted:
                self.refused += 1
                client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
                return
            self.seen.append(f"{method} {target}")
            if self.fault == "stalls":
                client.recv(1)
                return
            if self.fault == "hangs up":
                return
            if self.fault == "refuses":
                client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                return
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with socket.create_connection(("127.0.0.1", 443)) as server:
                while True:
                    for one in select.select([client, server], [], [])[0]:
                        data = one.recv(65536)
                        if not data:
                            return
                        (server if one is client else client).sendall(data)
        except OSError:
            pass
        finally:
            client.close()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for client in self.open:
            client.close()


def proxied(place, report):
    prepare_consent(place)

    def drill(words, codes, env, proxy, flow="sign-in", with_names=False):
        place.forget()
        place.gate.open_for()
        if not with_names:
            names(False)
        try:
            with report(words) as recorded:
                run = recorded(place.run(flow, env=env, seconds=45))
                place.holds(run, codes, own_ports={3128})
                must("right-pass" not in run.output + run.errors, "the output contains the proxy password")
                return run
        finally:
            proxy.close()
            if not with_names:
                names(True)

    proxy = Proxy("some one:right-pass")
    good = {"HTTPS_PROXY": "http://some%20one:right-pass@127.0.0.1:3128"}
    drill("proxy with username and password: all requests of a sign-in use it", {0}, good, proxy)
    with report("proxy: it received the host names of the platform"):
        must({f"CONNECT {name}:443" for name in NAMES[:2]} == set(proxy.seen), "it saw", proxy.seen)
    proxy = Proxy("some one:right-pass")
    drill("proxy: requests to a host in NO_PROXY do not use it", {0}, good | {"NO_PROXY": "graph.microsoft.com"}, proxy, with_names=True)
    with report("proxy: it received no request for Microsoft Graph"):
        must(set(proxy.seen) == {f"CONNECT {NAMES[0]}:443"}, "it saw", proxy.seen)
    proxy = Proxy("some one:other")
    run = drill("proxy: a wrong password", {3}, good, proxy)
    with report("proxy: the error suggests a fix"):
        must("HTTPS_PROXY" in run.errors and proxy.refused, run.errors)
    for fault in ("hangs up", "refuses", "stalls"):
        drill(f"proxy: it {fault}", {3}, {"HTTPS_PROXY": "http://127.0.0.1:3128"}, Proxy(fault=fault))
    proxy = Proxy()
    proxy.close()
    drill("proxy: not reachable", {3}, {"HTTPS_PROXY": "http://127.0.0.1:3128"}, Gone())


class Gone:
    def close(self):
        pass


DRILLS = {"HTTP/2": http2, "proxy": proxied}
