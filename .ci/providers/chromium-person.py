#!/usr/bin/env python3
"""A person at headless Chromium, for sign-in pages that need JavaScript: usable as $BROWSER.

usage: chromium-person.py URL

Opens the URL, types the name and the password where they are asked for, presses the button that goes on, and ends when
the page has led back to the redirect URI that stands in the URL, or where there is none has nothing more to press.
Chromium is told what to do over a pipe (the DevTools protocol); it opens no port.

PERSON_USER, PERSON_PASSWORD  who signs in
PERSON_PROFILE                folder of the browser profile, kept between visits
PERSON_TRUSTS                 SHA-256 of a test server's public key (SPKI, base64), trusted beside the system's roots
"""
import base64, json, os, shutil, subprocess, sys, tempfile, time
from urllib.parse import parse_qs, urlsplit

PATIENCE = 50  # seconds for the whole visit

# Asks the page what can be done next: [action, selector index] in the order in which a person would see it.
LOOK = r"""
(() => {
  const shown = e => e.offsetParent !== null && !e.disabled && getComputedStyle(e).visibility !== 'hidden';
  const all = s => [...document.querySelectorAll(s)].filter(shown);
  const words = e => (e.innerText || e.value || e.title || '').trim().toLowerCase();
  const person = window.__person = {};
  person.password = all('input[type=password]')[0];
  person.name = all('input[type=text], input[type=email], input:not([type])')[0];
  for (const box of all('input[type=checkbox]')) if (!box.checked) box.click();
  const buttons = all('button, input[type=submit], a.btn');
  // In this order: a page that asks for consent also offers to go on without it.
  const wishes = SIGNING_OUT ? ['logout', 'log out', 'sign out', 'yes', 'ok', 'continue']
    : ['grant access', 'allow', 'accept', 'authorize', 'ok', 'log in', 'sign in', 'next', 'continue'];
  person.next = wishes.map(w => buttons.find(b => words(b) === w)).find(b => b);
  return JSON.stringify({
    url: location.href, ready: document.readyState, hasPassword: !!person.password, hasName: !!person.name,
    typed: person.password ? person.password.value.length : 0, next: person.next ? words(person.next) : null,
    text: document.body ? document.body.innerText.slice(0, 1500) : ''});
})()
"""


class Chromium:
    def __init__(self, sandboxed=True):
        self.number, self.pending = 0, b""
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        profile = os.environ.get("PERSON_PROFILE") or tempfile.mkdtemp(prefix="person-")
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
            # Chromium keeps its sandbox only for people who are not root.
            shutil.chown(profile, "nobody", "nogroup")
            environment["HOME"] = profile
            arguments = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + arguments

        def ends():
            # Chromium reads file 3 and writes file 4.
            reading, writing = os.dup(to_browser), os.dup(to_us)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.log = open(os.path.join(tempfile.gettempdir(), f"person-{os.getpid()}.log"), "w+")
        self.process = subprocess.Popen(
            arguments, preexec_fn=ends, pass_fds=(3, 4), env=environment, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)
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
                    raise SystemExit(f"Chromium ended:\n{self.log.read()[-2000:]}")
                self.pending += part
            line, self.pending = self.pending.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

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
    except (SystemExit, OSError) as end:
        # In some containers nobody can make a sandbox; the pages seen here are those of servers started for this check.
        browser.log.seek(0)
        if "sandbox" not in browser.log.read():
            raise SystemExit(str(end))
    print("Chromium can make no sandbox on this machine; it runs without one", file=sys.stderr)
    return Chromium(sandboxed=False)


def main(url):
    query = parse_qs(urlsplit(url).query)
    home = (query.get("redirect_uri") or query.get("post_logout_redirect_uri") or [None])[0]
    look = LOOK.replace("SIGNING_OUT", "true" if "post_logout_redirect_uri" in query else "false")
    end = time.monotonic() + PATIENCE
    browser = open_browser()
    page, seen = {}, []
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.call("Page.enable", session)
        browser.call("Page.navigate", session, url=url)
        last, still = None, 0
        while time.monotonic() < end:
            time.sleep(0.15)
            try:
                result = browser.call("Runtime.evaluate", session, expression=look, returnByValue=True)
                page = json.loads(result["result"]["value"])
            except (RuntimeError, KeyError, json.JSONDecodeError):
                continue  # between two pages
            if page["ready"] != "complete":
                continue
            where = page["url"].split("?")[0].split("#")[0]
            if not seen or seen[-1] != where:
                seen.append(where)
            if home and where.rstrip("/") == home.split("?")[0].rstrip("/"):
                return 0
            # A page that is drawn by a script is looked at until it stays as it is.
            now = (page["url"], page["text"], page["next"])
            still = still + 1 if now == last else 0
            last = now
            if still < 2:
                continue
            if page["hasPassword"] and page["typed"] == 0:
                for field, value in (("name", os.environ["PERSON_USER"]), ("password", os.environ["PERSON_PASSWORD"])):
                    focus = f"window.__person.{field} && (window.__person.{field}.focus(), window.__person.{field}.select(), true)"
                    if browser.call("Runtime.evaluate", session, expression=focus, returnByValue=True)["result"].get("value"):
                        browser.call("Input.insertText", session, text=value)
            # A page for a device's code leads nowhere: it is done when there is nothing more to press.
            if home is None and not page["next"] and not page["hasPassword"] and still > 10:
                return 0
            if page["next"]:
                browser.call("Runtime.evaluate", session, expression="window.__person.next.click()")
                last, still = None, 0
        print(f"the pages led to no end: {' → '.join(seen)}\n{page.get('text', '')}", file=sys.stderr)
        if os.environ.get("PERSON_PICTURE"):
            picture = browser.call("Page.captureScreenshot", session)["data"]
            with open(os.environ["PERSON_PICTURE"], "wb") as file:
                file.write(base64.b64decode(picture))
        return 1
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
