"""Tests the server: HTTP and HTTPS on the same port, local access only, and graceful shutdown."""
import os, pathlib, signal, socket, ssl, subprocess, sys, threading, time

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID as EKU

import judge
from judge import CONTOSO, DAEMON, NATIVE, SECRETS


def test_http_and_https_on_one_port(emulator):
    assert emulator.base == f"https://localhost:{emulator.port}" and emulator.plain == f"http://localhost:{emulator.port}"
    for base in (emulator.base, emulator.plain, f"https://127.0.0.1:{emulator.port}"):
        body = emulator.http.get(f"{base}/{CONTOSO}/v2.0/.well-known/openid-configuration").json()
        assert body["token_endpoint"] == f"{base}/{CONTOSO}/oauth2/v2.0/token", "endpoints must have the requested host"
    # Graph over HTTP, with a token from the HTTPS endpoint.
    token = emulator.token(client_id=DAEMON, client_secret=SECRETS[DAEMON], grant_type="client_credentials",
                           scope="https://graph.microsoft.com/.default").json()["access_token"]
    page = emulator.http.get(f"{emulator.plain}/v1.0/users?$top=2", headers={"Authorization": f"Bearer {token}"}).json()
    assert page["@odata.nextLink"].startswith(emulator.plain + "/v1.0/users?")


def test_the_certificate_is_valid_and_its_ca_is_restricted(emulator):
    context = ssl.create_default_context(cafile=emulator.ca)
    for name in ("localhost", "127.0.0.1"):
        with socket.create_connection(("127.0.0.1", emulator.port), 10) as plain:
            with context.wrap_socket(plain, server_hostname=name) as secure:
                assert secure.version() in ("TLSv1.2", "TLSv1.3")
    # By default, the certificate is not valid for the platform's hosts, because users may add the CA to their browser.
    for name in ("login.microsoftonline.com", "graph.microsoft.com", "bank.example"):
        with socket.create_connection(("127.0.0.1", emulator.port), 10) as plain:
            with pytest.raises(ssl.SSLCertVerificationError):
                context.wrap_socket(plain, server_hostname=name)
    with open(emulator.ca, "rb") as file:
        authority = x509.load_pem_x509_certificate(file.read())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    permitted = [name.value for name in limits.value.permitted_subtrees]
    assert limits.critical and permitted and not any("microsoft" in str(name) for name in permitted), permitted
    kinds = {type(name) for name in limits.value.permitted_subtrees}
    assert kinds == {x509.DNSName, x509.RFC822Name, x509.UniformResourceIdentifier}, "e-mail addresses and URIs are limited too"
    assert list(authority.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [EKU.SERVER_AUTH]
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert b"PRIVATE" not in open(emulator.ca, "rb").read()


def issued(emulator, folder, names, usages):
    """Returns a certificate for these names and usages, which the emulator's CA has signed, and the CA certificate."""
    certificate, key = stored_ca(emulator)
    leaf_key = ec.generate_private_key(ec.SECP256R1())
    leaf = (x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(certificate.subject)
            .public_key(leaf_key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(certificate.not_valid_before_utc).not_valid_after(certificate.not_valid_after_utc)
            .add_extension(x509.BasicConstraints(False, None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=True)
            .add_extension(x509.ExtendedKeyUsage(usages), critical=False).sign(key, hashes.SHA256()))
    path = folder / "leaf.pem"
    path.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    return path


def stored_ca(emulator):
    """Returns the CA's certificate and key, which the emulator stores in one file."""
    file, = pathlib.Path(emulator.folder).glob("**/development-ca.key")
    pem = file.read_bytes()
    return x509.load_pem_x509_certificate(pem), serialization.load_pem_private_key(pem[pem.index(b"-----BEGIN PRIVATE"):], None)


@pytest.mark.parametrize("names, usages, purpose, is_good", [
    ([x509.DNSName("localhost")], [EKU.SERVER_AUTH], "sslserver", True),
    ([x509.DNSName("contoso.com")], [EKU.SERVER_AUTH], "sslserver", False),
    ([x509.RFC822Name("megan@contoso.com")], [EKU.SERVER_AUTH], "sslserver", False),
    ([x509.UniformResourceIdentifier("https://contoso.com/megan")], [EKU.SERVER_AUTH], "sslserver", False),
    ([x509.DNSName("localhost")], [EKU.CLIENT_AUTH], "sslclient", False),
    ([x509.DNSName("localhost")], [EKU.EMAIL_PROTECTION], "smimesign", False),
], ids=["server", "other host", "mail", "uri", "client", "mail usage"])
def test_the_ca_signs_certificates_of_servers_only(emulator, tmp_path, names, usages, purpose, is_good):
    leaf = issued(emulator, tmp_path, names, usages)
    verified = subprocess.run(["openssl", "verify", "-CAfile", emulator.ca, "-purpose", purpose, leaf], capture_output=True, text=True)
    assert (verified.returncode == 0) == is_good, verified.stdout + verified.stderr


def own_addresses():
    """Returns the non-loopback addresses of this machine, without network traffic."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # connecting a UDP socket does not send packets
            return [probe.getsockname()[0]]
        except OSError:
            return []


def test_listens_on_loopback_only(emulator):
    for address in own_addresses():
        if not address.startswith("127."):
            with pytest.raises(OSError):
                socket.create_connection((address, emulator.port), 3).close()


def test_an_unknown_host_is_rejected(emulator):
    """Prevents DNS rebinding."""
    for host in ("evil.example", f"evil.example:{emulator.port}", "localhost.evil.example"):
        for path in (f"/{CONTOSO}/v2.0/.well-known/openid-configuration", "/v1.0/me", "/_authflow/state", "/"):
            answer = emulator.http.get(emulator.base + path, headers={"Host": host})
            assert answer.status_code in (400, 403, 404, 421), (host, path, answer.status_code)
            assert "evil.example/" not in answer.text


def raw(emulator, data, patience=10):
    """Sends bytes and reads until the server closes the connection or the timeout expires."""
    with socket.create_connection(("127.0.0.1", emulator.port), patience) as connection:
        connection.settimeout(patience)
        try:
            connection.sendall(data)
        except OSError:
            pass  # the server may have stopped reading
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
                if b"\r\n\r\n" in answer and len(answer) > 20:
                    break
        except OSError:
            pass
        return answer


@pytest.mark.parametrize("data, statuses", [
    (b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", (b"414", b"431", b"400")),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Large: " + b"a" * 200_000 + b"\r\n\r\n", (b"431", b"400")),
    (b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n", (b"413", b"400")),
    (b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (b"400",)),
    (b"GET / HTTP/1.1\r\n\r\n", (b"400",)),
    (b"NONSENSE\r\n\r\n", (b"400",)),
])
def test_malformed_requests_are_rejected(emulator, data, statuses):
    answer = raw(emulator, data)
    assert answer.startswith(b"HTTP/1.1 ") and answer.split(b" ")[1] in statuses, answer[:200]
    assert emulator.state()["version"] == 1, "the server must still respond"


@pytest.mark.parametrize("path", [
    "/../../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/common/..%5c..%5cetc%5cpasswd",
    "//etc/passwd", "/common//../../etc/passwd"])
def test_path_traversal_is_rejected(emulator, path):
    answer = raw(emulator, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert b"root:" not in answer


def test_a_slow_client_does_not_block_others(emulator):
    slow = [socket.create_connection(("127.0.0.1", emulator.port), 10) for _ in range(200)]
    try:
        for connection in slow:
            connection.sendall(b"GET /common/v2.0/.well-known/openid-configuration HTTP/1.1\r\nHost: loc")
        began = time.monotonic()
        assert emulator.http.get(f"{emulator.base}/common/v2.0/.well-known/openid-configuration").status_code == 200
        assert time.monotonic() - began < 10
    finally:
        for connection in slow:
            connection.close()


def test_eighty_clients_at_once(emulator):
    forged = emulator.control("tokens", {"user": "megan@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}).json()
    answers = []

    def ask():
        with requests.Session() as session:
            session.verify, session.trust_env = emulator.ca, False
            for _ in range(5):
                answer = session.post(f"{emulator.base}/common/oauth2/v2.0/token", data={
                    "client_id": NATIVE, "grant_type": "refresh_token", "refresh_token": forged["refresh_token"],
                    "scope": "User.Read"})
                answers.append(answer.status_code)

    threads = [threading.Thread(target=ask) for _ in range(80)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 400


@pytest.mark.parametrize("how, status", [("SIGINT", 130), ("SIGTERM", 0), ("input", 0)])
def test_shuts_down_on_signals(nowhere_else, how, status):
    emulator = judge.Emulator()
    # Idle and keep-alive connections must not delay the shutdown.
    connection = socket.create_connection(("127.0.0.1", emulator.port), 10)
    assert emulator.http.get(f"{emulator.base}/common/discovery/v2.0/keys").status_code == 200
    began = time.monotonic()
    try:
        if how == "input":
            emulator.process.stdin.close()
        else:
            emulator.process.send_signal(getattr(signal, how))
        assert emulator.process.wait(15) == status
        assert time.monotonic() - began < 2, "shutdown must not wait for idle connections"
    finally:
        connection.close()
        emulator.stop()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", emulator.port), 3).close()


def test_reports_a_port_in_use(emulator):
    ended = subprocess.run(
        [os.environ["AUTHFLOW"], "emulator", "--port", str(emulator.port), "--for", "5s"], capture_output=True, text=True,
        env=dict(os.environ, HOME=emulator.folder), timeout=30)
    assert ended.returncode == 3 and str(emulator.port) in ended.stderr, ended


def test_printed_client_settings_work(nowhere_else, tmp_path):
    """Tests that the printed lines for the shell, curl, and Python work without changes."""
    ca = tmp_path / "ca.pem"
    process = subprocess.Popen(
        [os.environ["AUTHFLOW"], "emulator", "--port", "0", "--for", "60s", "--directory", os.environ["EMULATOR_DIRECTORY"],
         "--export-ca", str(ca)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=dict(os.environ, HOME=str(tmp_path)))
    try:
        lines, exports = {}, []
        for line in process.stdout:
            if line.strip().startswith("export "):
                exports.append(line.strip())
            words = line.strip().split("  ", 1)
            if len(words) == 2:
                lines[words[0]] = words[1].strip()
            if line.startswith("Press Ctrl-C"):
                break
        program = tmp_path / "client.py"
        program.write_text(
            "from msal import PublicClientApplication\nfrom azure.identity import InteractiveBrowserCredential\n"
            f"client_id = '{NATIVE}'\napp = {lines['msal, Python']}\n"
            "print(app.initiate_device_flow(['User.Read'])['user_code'])\n"
            f"print(type({lines['azure-identity']}).__name__)\n")
        script = "\n".join(["set -e", *exports, lines["curl"], "echo", lines["trust, Python"], f"{sys.executable} {program}"])
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=40, env={
            name: value for name, value in os.environ.items() if name not in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")})
        document, code, credential = result.stdout.splitlines()
        assert '"token_endpoint"' in document and len(code) == 9 and credential == "InteractiveBrowserCredential", result
    finally:
        process.terminate()
        process.wait(15)
