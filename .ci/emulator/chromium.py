"""Drives headless Chromium through the emulator's pages with keyboard and mouse events."""
import contextlib, importlib.util, json, os, tempfile, time, webbrowser

import judge

# The same Chromium as in the other checks, controlled through a pipe instead of a port.
_place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "providers", "chromium-person.py")
_spec = importlib.util.spec_from_file_location("chromium_person", _place)
chromium_person = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(chromium_person)

LOOK = r"""
(() => {
  const meta = name => (document.querySelector(`meta[name="authflow-${name}"]`) || {}).content || null;
  const shown = e => e.offsetParent !== null && !e.disabled;
  const all = s => [...document.querySelectorAll(s)].filter(shown);
  const buttons = all('button');
  return JSON.stringify({
    url: location.href, ready: document.readyState, screen: meta('screen'), code: meta('code'), done: meta('done'),
    title: document.title, text: document.body ? document.body.innerText : '',
    fields: all('input:not([type=hidden]):not([type=checkbox])').map(e => [e.name, e.type, e.value]),
    buttons: buttons.map(e => [e.name, e.value, (e.innerText || '').trim(), e.classList.contains('main')]),
    unlabeled: all('input:not([type=hidden])').filter(e => !e.labels.length && !e.getAttribute('aria-label')).map(e => e.name),
    focused: document.activeElement ? document.activeElement.name || null : null});
})()
"""


class Chromium:
    """A browser with a separate profile that also trusts the emulator's public key."""

    def __init__(self, trusts):
        os.environ["PERSON_TRUSTS"] = trusts
        self.folder = tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True)
        os.environ["PERSON_PROFILE"] = self.folder.name
        self.inside = chromium_person.open_browser()
        target = self.inside.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.inside.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime"):
            self.inside.call(f"{domain}.enable", self.session)

    def close(self):
        self.inside.close()
        self.folder.cleanup()

    def open(self, url):
        self.inside.call("Page.navigate", self.session, url=url)

    def run(self, script, waits=False):
        answer = self.inside.call("Runtime.evaluate", self.session, expression=script, returnByValue=True, awaitPromise=waits)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def look(self):
        """Returns the current page, or None during a navigation."""
        try:
            page = json.loads(self.run(LOOK))
        except (RuntimeError, TypeError, json.JSONDecodeError):
            return None
        return page if page["ready"] == "complete" else None

    def until(self, wanted, patience=20):
        end = time.monotonic() + patience
        page = None
        while time.monotonic() < end:
            seen = self.look()
            page = seen or page
            if seen and wanted(seen):
                return seen
            time.sleep(0.05)
        raise AssertionError(f"the page did not appear; the browser shows {page}")

    def type(self, field, text):
        self.run(f"(e => {{ e.focus(); e.select(); }})(document.querySelector('input[name={json.dumps(field)}]'))")
        self.inside.call("Input.insertText", self.session, text=text)

    def enter(self):
        for kind in ("keyDown", "keyUp"):
            self.inside.call("Input.dispatchKeyEvent", self.session, type=kind, key="Enter", code="Enter",
                             windowsVirtualKeyCode=13, nativeVirtualKeyCode=13, text="\r")

    def press(self, choose):
        """Clicks the button for which `choose(name, value, text, is_main)` is true, with mouse events."""
        page = self.look()
        index = next(i for i, button in enumerate(page["buttons"]) if choose(*button))
        self.run("[...document.querySelectorAll('button')].filter(e => e.offsetParent !== null && !e.disabled)"
                 f"[{index}].click()")

    def sign_in(self, url, username, until, secret=None, consents=True):
        """Opens a URL, or continues on the current page, and signs in until `until(page)` is true.

        - Returns: that page, and the pages shown before it.
        """
        if url:
            self.open(url)
        seen, last = [], None
        end = time.monotonic() + 30
        while time.monotonic() < end:
            page = self.look()
            if page is None:
                time.sleep(0.05)
                continue
            if until(page):
                return page, seen
            now = (page["url"], page["screen"], page["text"])
            if now == last or page["screen"] is None and not page["buttons"]:
                time.sleep(0.05)
                continue
            last = now
            if page["fields"] and not page["focused"]:
                # The field with autofocus has the focus after the page is rendered.
                time.sleep(0.3)
                page = self.look() or page
            seen.append(page)
            if page["screen"] in ("username", "password", "mfa"):
                for name, kind, _ in page["fields"]:
                    self.type(name, (secret or judge.password(username)) if kind == "password"
                              else judge.one_time_code(judge.OTTOS_SEED, time.time()) if name == "otc" else username)
                if page["fields"]:
                    self.enter()
                    continue
            if page["screen"] == "pickAccount":
                names = [button[1].lower() for button in page["buttons"]]
                wanted = username.lower() if username.lower() in names else "another"
                self.press(lambda name, value, words, main: value.lower() == wanted)
            elif page["screen"] == "consent" and not consents:
                self.press(lambda name, value, words, main: value == "decline")
            elif page["screen"] == "error":
                raise AssertionError(f"the sign-in ended with {page['code']}: {page['text']}")
            else:
                self.press(lambda name, value, words, main: main)
        raise AssertionError(f"the sign-in did not end: {[(page['screen'], page['url']) for page in seen]}; at {self.look()}")


@contextlib.contextmanager
def opened(emulator):
    browser = Chromium(emulator.trust())
    try:
        yield browser
    finally:
        browser.close()


class InsteadOfTheBrowser(webbrowser.BaseBrowser):
    """A `webbrowser` implementation that opens URLs in Chromium."""

    def __init__(self, browser):
        super().__init__()
        self.browser, self.url = browser, None

    def open(self, url, new=0, autoraise=True):
        self.url = url
        self.browser.open(url)
        return True
