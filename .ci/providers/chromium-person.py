#!/usr/bin/env python3
"""Signs in a user with headless Chromium on pages that require JavaScript. Set $BROWSER to this file.

usage: chromium-person.py URL

Opens the URL, enters the username and password, and clicks the button that continues. Exits when the page redirects to
the redirect URI in the URL. If the URL does not contain one, exits when the page has no more buttons to click.
The script controls Chromium with the DevTools protocol over a pipe, without an open port.

PERSON_USER, PERSON_PASSWORD  credentials of the user
PERSON_PROFILE                folder of the browser profile, to reuse between interactions (default: a temporary folder)
PERSON_TRUSTS                 SHA-256 hash of a trusted public key (SPKI, Base64), in addition to the system's CAs
PERSON_PID                    file that contains the process ID while the script runs
PERSON_PICTURE                file for a screenshot of the last page if the sign-in fails
"""
import base64, json, os, shutil, subprocess, sys, tempfile, time
from urllib.parse import parse_qs, urlsplit

TIMEOUT = 50  # seconds

# Finds the input fields and the button to click next, and returns the state of the page as JSON.
LOOK = r"""
(() => {
  const shown = e => e.offsetParent !== null && !e.disabled && getComputedStyle(e).visibility !== 'hidden';
  const all = s => [...document.querySelectorAll(s)].filter(shown);
  const label = e => (e.innerText || e.value || e.title || '').trim().toLowerCase();
  const found = window.__found = {};
  found.password = all('input[type=password]')[0];
  found.name = all('input[type=text], input[type=email], input:not([type])')[0];
  for (const box of all('input[type=checkbox]')) if (!box.checked) box.click();
  const buttons = all('button, input[type=submit], a.btn');
  // In order of preference: a consent page also has a button to continue without consent.
  const labels = SIGNING_OUT ? ['logout', 'log out', 'sign out', 'yes', 'ok', 'continue']
    : ['grant access', 'allow', 'accept', 'authorize', 'ok', 'log in', 'sign in', 'next', 'continue'];
  found.next = labels.map(w => buttons.find(b => label(b) === w)).find(b => b);
  return JSON.stringify({
    url: location.href, ready: document.readyState, hasPassword: !!found.password, hasName: !!found.name,
    typed: found.password ? found.password.value.length : 0, next: found.next ? label(found.next) : null,
    text: document.body ? document.body.innerText.slice(0, 1500) : ''});
})()
"""


class Chromium:
    def __init__(self, sandboxed=True):
        self.number, self.pending = 0, b""
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        profile = os.environ.get("PERSON_PROFILE") or tempfile.mkdtemp(prefix="chromium-")
        os.makedirs(profile, exist_ok=True)
        arguments = [
            shutil.which("chromium") or "chromium", "--headless=new", "--remote-debugging-pipe",
            f"--user-data-dir={profile}", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--password-store=basic", "about:blank"]
        if not sandboxed:
            arguments.insert(1, "--no-sandbox")
        if os.environ.get("PERSON_TRUSTS"):
            arguments.insert(-1, f"--ignore-certificate-errors-spki-list={os.environ['PERSON_TRUSTS']}")
        environment = dict(os.environ)
        if os.geteuid() == 0:
            # Chromium does not run with its sandbox as root.
            shutil.chown(profile, "nobody", "nogroup")
            environment["HOME"] = profile
            arguments = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + arguments

        def set_up_pipes():
            # Chromium reads from file descriptor 3 and writes to 4.
            reading, writing = os.dup(to_browser), os.dup(to_us)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.log = open(os.path.join(tempfile.gettempdir(), f"chromium-{os.getpid()}.log"), "w+")
        self.process = subprocess.Popen(
            arguments, preexec_fn=set_up_pipes, pass_fds=(3, 4), env=environment, stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log)
        os.close(to_browser)
        os.close(to_us)
        self.writing, self.reading = from_us, from_browser

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.pending:
                part = os.read(self.reading, 1 << 16)
                if not part:
                    self.log.seek(0)
                    raise SystemExit(f"Chromium exited:\n{self.log.read()[-2000:]}")
                self.pending += part
            line, self.pending = self.pending.split(b"\0", 1)
            response = json.loads(line)
            if response.get("id") == self.number:
                if "error" in response:
                    raise RuntimeError(f"{method}: {response['error'].get('message')}")
                return response["result"]

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (SystemExit, RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
        self.log.close()
        os.unlink(self.log.name)


def open_browser():
    browser = Chromium()
    try:
        browser.call("Browser.getVersion")
        return browser
    except (SystemExit, OSError) as error:
        # Some containers do not allow sandboxes. The checks only open pages of test servers.
        browser.log.seek(0)
        if "sandbox" not in browser.log.read():
            raise SystemExit(str(error))
    print("warning: Chromium runs without a sandbox, because this machine does not allow one", file=sys.stderr)
    return Chromium(sandboxed=False)


def main(url):
    query = parse_qs(urlsplit(url).query)
    redirect = (query.get("redirect_uri") or query.get("post_logout_redirect_uri") or [None])[0]
    script = LOOK.replace("SIGNING_OUT", "true" if "post_logout_redirect_uri" in query else "false")
    deadline = time.monotonic() + TIMEOUT
    browser = open_browser()
    page, addresses = {}, []
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.call("Page.enable", session)
        browser.call("Page.navigate", session, url=url)
        last, unchanged = None, 0
        while time.monotonic() < deadline:
            time.sleep(0.15)
            try:
                result = browser.call("Runtime.evaluate", session, expression=script, returnByValue=True)
                page = json.loads(result["result"]["value"])
            except (RuntimeError, KeyError, json.JSONDecodeError):
                continue  # The next page is loading.
            if page["ready"] != "complete":
                continue
            address = page["url"].split("?")[0].split("#")[0]
            if not addresses or addresses[-1] != address:
                addresses.append(address)
            if redirect and address.rstrip("/") == redirect.split("?")[0].rstrip("/"):
                return 0
            # Scripts change the page while it loads. Wait until the page stops changing.
            state = (page["url"], page["text"], page["next"])
            unchanged = unchanged + 1 if state == last else 0
            last = state
            if unchanged < 2:
                continue
            if page["hasPassword"] and page["typed"] == 0:
                for field, value in (("name", os.environ["PERSON_USER"]), ("password", os.environ["PERSON_PASSWORD"])):
                    focus = f"(e => e && (e.focus(), e.select(), true))(window.__found.{field})"
                    result = browser.call("Runtime.evaluate", session, expression=focus, returnByValue=True)
                    if result["result"].get("value"):
                        browser.call("Input.insertText", session, text=value)
            # The device code page does not redirect.
            if redirect is None and not page["next"] and not page["hasPassword"] and unchanged > 10:
                return 0
            if page["next"]:
                browser.call("Runtime.evaluate", session, expression="window.__found.next.click()")
                last, unchanged = None, 0
        print(f"no redirect to the app after {TIMEOUT} seconds; pages: {' → '.join(addresses)}", file=sys.stderr)
        print(page.get("text", ""), file=sys.stderr)
        if os.environ.get("PERSON_PICTURE"):
            screenshot = browser.call("Page.captureScreenshot", session)["data"]
            with open(os.environ["PERSON_PICTURE"], "wb") as file:
                file.write(base64.b64decode(screenshot))
        return 1
    finally:
        browser.close()


if __name__ == "__main__":
    identifier = os.environ.get("PERSON_PID")
    if identifier:
        with open(identifier, "w") as file:
            file.write(str(os.getpid()))
    try:
        sys.exit(main(sys.argv[1]))
    finally:
        if identifier:
            os.unlink(identifier)
