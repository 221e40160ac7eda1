"""Code for all client tests: the emulator process, and a user who signs in on its pages with plain HTTP requests."""
import base64, json, os, queue, re, signal, ssl, subprocess, threading, time
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests

# IDs in .ci/emulator/directory.yaml and in the built-in Contoso directory, which it extends.
CONTOSO = "c0a70500-7e4a-4c00-8000-000000000001"
FABRIKAM = "fab12ca0-7e4a-4c00-8000-000000000001"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
B2C = "b2c00000-7e4a-4c00-8000-000000000001"
CUSTOMERS = "c1a30000-7e4a-4c00-8000-000000000001"
AZURE_CLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
NATIVE = "d0000000-0000-4000-8000-000000000001"
WEB = "d0000000-0000-4000-8000-000000000002"
DAEMON = "d0000000-0000-4000-8000-000000000003"
API = "d0000000-0000-4000-8000-000000000004"
SPA = "d0000000-0000-4000-8000-000000000005"
ONE_TENANT = "d0000000-0000-4000-8000-000000000006"
RELYING_PARTY = "d0000000-0000-4000-8000-000000000007"
SECRETS = {WEB: "Fake-web-secret-1", DAEMON: "Fake-daemon-secret-1", API: "Fake-api-secret-1",
           RELYING_PARTY: "Fake-relying-party-secret-1"}
API_URI = "api://judged.contoso.com"
WEB_REDIRECT = "https://web.example/signed-in"
SPA_REDIRECT = "https://spa.example/"
GRAPH = "00000003-0000-0000-c000-000000000000"
OTTOS_SEED = "JBSWY3DPEHPK3PXP"


def password(username):
    """Returns the user's password in the built-in directory."""
    return f"Fake-{username.split('@')[0].capitalize()}-1"


def claims_of(token):
    """Returns the claims of a token without validation."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def header_of(token):
    part = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class Emulator:
    """An emulator process."""

    def __init__(self, *more, port=0):
        program = os.environ["AUTHFLOW"]
        # A folder for each pytest-xdist worker. The emulators of a worker share a CA.
        self.folder = os.path.join(os.environ["EMULATOR_WORK"], os.environ.get("PYTEST_XDIST_WORKER", "one"))
        os.makedirs(self.folder, exist_ok=True)
        self.ca = os.path.join(self.folder, f"ca-{os.getpid()}-{id(self)}.pem")
        # Limits the lifetime of the emulator, in case this process is killed.
        command = [program, "emulator", "--port", str(port), "--format", "json", "--for", "900s", "--exit-with-stdin",
                   "--directory", os.environ["EMULATOR_DIRECTORY"], "--export-ca", self.ca, *more]
        environment = dict(os.environ, AUTHFLOW_HOME=self.folder, HOME=self.folder, XDG_DATA_HOME=self.folder,
                           XDG_CONFIG_HOME=self.folder, XDG_STATE_HOME=self.folder, XDG_CACHE_HOME=self.folder)
        for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
            environment.pop(name, None)
        self.log = open(os.path.join(self.folder, f"emulator-{os.getpid()}-{id(self)}.log"), "w+")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        text=True, env=environment)
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        self.ready = None
        end = time.monotonic() + 30
        while self.ready is None:
            line = lines.get(timeout=max(0.1, end - time.monotonic()))
            if line is None:
                raise RuntimeError(f"the emulator exited: {self.output()}")
            if line.startswith("{"):
                self.ready = json.loads(line)
        self.base, self.plain = self.ready["baseURL"], self.ready["plainURL"]
        self.port = urlsplit(self.base).port
        self.host = urlsplit(self.base).netloc
        self.http = requests.Session()
        self.http.verify = self.ca
        self.http.trust_env = False

    def _read(self, lines):
        for line in self.process.stdout:
            lines.put(line.strip())
        lines.put(None)

    def output(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read()[-2000:]

    def stop(self):
        """Interrupts the emulator, like Ctrl-C.

        - Returns: its exit status.
        """
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    # --- protocol requests

    def authority(self, tenant=CONTOSO):
        return f"{self.base}/{tenant}"

    def token(self, tenant=CONTOSO, headers=None, **form):
        return self.http.post(f"{self.base}/{tenant}/oauth2/v2.0/token", data=form, headers=headers)

    def graph(self, path, token, method="GET", **more):
        headers = dict(more.pop("headers", {}), Authorization=f"Bearer {token}")
        return self.http.request(method, f"{self.base}/v1.0{path}", headers=headers, **more)

    def trust(self):
        """Returns the SHA-256 hash of the certificate's public key in Chromium's format."""
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        certificate = x509.load_pem_x509_certificate(
            ssl.get_server_certificate(("127.0.0.1", self.port)).encode())
        key = certificate.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        digest = hashes.Hash(hashes.SHA256())
        digest.update(key)
        return base64.b64encode(digest.finalize()).decode()

    # --- control interface

    def control(self, path, body=None, method=None, headers=None):
        return self.http.request(method or ("GET" if body is None else "POST"), f"{self.base}/_authflow/{path}",
                                 json=body, headers=headers)

    def simulate(self, *events, headers=None):
        answer = self.control("events", list(events), headers=headers)
        assert answer.status_code == 200, answer.text

    def reset(self):
        answer = self.control("reset", {})
        assert answer.status_code == 200, answer.text

    def state(self):
        return self.control("state").json()

    def count(self, what="token"):
        return self.state()["requests"][what]


class Page(HTMLParser):
    """A parsed page: its type, its form fields, and the form's target."""

    def __init__(self, url, text):
        super().__init__()
        self.url, self.text = url, text
        self.marks, self.action, self.method = {}, None, "get"
        self.hidden, self.fields, self.checks, self.buttons = [], [], [], []
        self.feed(text)

    @property
    def screen(self):
        return self.marks.get("authflow-screen")

    @property
    def code(self):
        return self.marks.get("authflow-code")

    @property
    def done(self):
        return self.marks.get("authflow-done") == "true"

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "meta" and given.get("name", "").startswith("authflow-"):
            self.marks[given["name"]] = given.get("content")
        elif tag == "form" and self.action is None:
            self.action = urljoin(self.url, given.get("action") or self.url)
            self.method = given.get("method", "get").lower()
        elif tag == "button" and given.get("name"):
            self.buttons.append((given["name"], given.get("value", ""), "main" in (given.get("class") or "")))
        elif tag == "input" and given.get("name"):
            kind = given.get("type", "text")
            if kind == "hidden":
                self.hidden.append((given["name"], given.get("value", "")))
            elif kind == "checkbox":
                self.checks.append((given["name"], given.get("value", "on"), "checked" in given))
            elif kind not in ("submit", "button"):
                self.fields.append((given["name"], kind, given.get("value") or ""))

    def __repr__(self):
        return f"<page {self.screen} {self.code} at {self.url}: {re.sub('<style.*?</style>', '', self.text, flags=re.S)[-1500:]}>"


class Landing:
    """The end of a visit: a redirect to the app with parameters, or a page."""

    def __init__(self, url=None, parameters=None, page=None, posted=False):
        self.url, self.parameters, self.page, self.posted = url, parameters or {}, page, posted

    def __repr__(self):
        return f"<landed at {self.url} {self.parameters} {self.page}>"


class User:
    """A user with a username and a separate cookie jar."""

    def __init__(self, emulator, username="megan@contoso.com", secret=None, consents=True, hosts=None, verify=None,
                 proxies=None):
        self.emulator, self.username, self.consents = emulator, username, consents
        self.secret = secret or password(username)
        self.hosts = hosts or (emulator.host,)
        self.seen = []
        self.browser = requests.Session()
        self.browser.trust_env = False
        self.browser.verify = verify or emulator.ca
        if proxies:
            self.browser.proxies = proxies

    def visit(self, url, stop_at=()):
        """Opens a URL and completes pages until the browser reaches the app or a page cannot be completed.

        - Parameter stop_at: page types at which to stop.
        """
        return self._go("get", url, None, stop_at)

    def press(self, page, name, value, stop_at=()):
        """Presses a button on a page and continues."""
        return self._go(page.method, page.action, page.hidden + [(name, value)], stop_at)

    def fill(self, page, stop_at=(), **values):
        """Submits a page's form with these values and the main button."""
        form = page.hidden + [(name, values.get(name, given)) for name, _, given in page.fields]
        form += [(name, value) for name, value, checked in page.checks if checked]
        form += [(name, value) for name, value, main in page.buttons if main][:1]
        return self._go(page.method, page.action, form, stop_at)

    def _go(self, method, url, form, stop_at):
        for _ in range(30):
            if not self._is_home(url):
                return self._landed(url)
            answer = self.browser.request(method, url, data=form, allow_redirects=False)
            if answer.status_code in (301, 302, 303, 307, 308):
                url, method, form = urljoin(url, answer.headers["Location"]), "get", None
                continue
            page = Page(url, answer.text)
            if page.action and page.screen is None and not self._is_home(page.action):
                # A form_post response, which the browser submits automatically.
                return Landing(page.action, dict(page.hidden), page, posted=True)
            self.seen.append(page.screen)
            if page.screen in stop_at or page.action is None or page.done:
                return Landing(url, page=page)
            step = self._step(page)
            if step is None:
                return Landing(url, page=page)
            method, url, form = page.method, page.action, step
        raise AssertionError(f"the visit did not end: {self.seen}")

    def _is_home(self, url):
        return url.startswith("https://") and urlsplit(url).netloc in self.hosts

    def _landed(self, url):
        parts = urlsplit(url)
        return Landing(url, dict(parse_qsl(parts.query) + parse_qsl(parts.fragment)))

    def _step(self, page):
        """Returns the form values for a page, or None if the page cannot be completed."""
        if page.code and page.screen not in ("changePassword", "adminApproval"):
            return None  # an error page: the same values would fail again
        buttons = [(name, value) for name, value, _ in page.buttons]
        main = [(name, value) for name, value, is_main in page.buttons if is_main][:1]
        if page.screen == "pickAccount":
            mine = next((b for b in buttons if b[1].lower() == self.username.lower()), None)
            return page.hidden + [mine or next(b for b in buttons if b[1] == "another")]
        if page.screen == "consent":
            kept = [(name, value) for name, value, checked in page.checks if checked]
            choice = "accept" if self.consents else "decline"
            return page.hidden + kept + [next(b for b in buttons if b[1] == choice)]
        if page.screen in ("staySignedIn", None):
            return page.hidden + main
        if page.screen in ("username", "password", "mfa"):
            form = list(page.hidden)
            for name, kind, _ in page.fields:
                form.append((name, self.secret if kind == "password" else self.answer_to(name)))
            return form + main
        return None

    def answer_to(self, field):
        return one_time_code(OTTOS_SEED, time.time()) if field == "otc" else self.username


def one_time_code(seed, now):
    import hashlib, hmac, struct
    mac = hmac.new(base64.b32decode(seed), struct.pack(">Q", int(now) // 30), hashlib.sha1).digest()
    start = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[start:start + 4])[0] & 0x7FFFFFFF) % 1000000:06d}"
