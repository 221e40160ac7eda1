"""Tests the start page in Chromium while msal, as another program, signs in with another browser."""
import os, shutil, threading, urllib.parse, webbrowser

import msal
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from judge import DAEMON, NATIVE, SECRETS


@pytest.fixture(scope="module")
def chromium_browser(emulator):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def new_link(emulator):
    answer = emulator.http.post(f"{emulator.plain}/_authflow/links")
    assert answer.status_code == 200, answer.text
    return answer.json()["url"]


def opened(emulator, browser, link=None, **settings):
    """Opens the start page in a new browser context, and fails the test if the page reports an error."""
    page = browser.new_context(reduced_motion="reduce", **settings).new_page()
    page.problems = []
    page.on("console", lambda message: page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: request.url.startswith((emulator.plain, "data:")) or page.problems.append(request.url))
    page.goto(link or new_link(emulator))
    page.wait_for_selector("#live:not([hidden])")
    return page


def daemon(emulator, secret):
    app = msal.ConfidentialClientApplication(
        DAEMON, client_credential=secret, authority=emulator.authority("contoso.com"), instance_discovery=False)
    return app.acquire_token_for_client(["https://graph.microsoft.com/.default"])


def screenshot(page, name):
    if folder := os.environ.get("START_PAGE_SCREENSHOTS"):
        page.screenshot(path=os.path.join(folder, name), full_page=True)


def test_the_link_of_the_output_works_once(emulator, chromium_browser):
    link = emulator.ready["startPageURL"]
    page = opened(emulator, chromium_browser, link)
    assert page.url == f"{emulator.plain}/"
    cookie, = page.context.cookies(f"{emulator.plain}/_authflow/")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/_authflow"
    assert page.evaluate("document.cookie") == ""
    second = chromium_browser.new_context().new_page()
    assert second.goto(link).status == 403
    second.goto(f"{emulator.plain}/")
    second.wait_for_selector("#locked")
    assert not second.locator("#live").is_visible()
    assert emulator.http.get(f"{emulator.plain}/_authflow/state", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 403
    assert page.problems == []


def test_another_origin_gets_nothing(emulator, chromium_browser):
    page = opened(emulator, chromium_browser)
    # The same browser with the cookie, but another origin on the same machine.
    other = page.context.new_page()
    other.goto(f"http://127.0.0.1:{emulator.port}/_page/start.css")
    status = other.evaluate("""async url => {
        try { return (await fetch(url, {credentials: 'include'})).status } catch { return 'refused' }
    }""", f"{emulator.plain}/_authflow/state")
    assert status == "refused"
    other.set_content(f"<iframe src='{emulator.plain}/'></iframe>")
    other.wait_for_timeout(500)
    assert all(frame.url != f"{emulator.plain}/" or frame.locator("h1").count() == 0 for frame in other.frames[1:])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_shows_requests_of_msal(clean, chromium_browser, scheme, width):
    emulator = clean
    page = opened(emulator, chromium_browser, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert "access_token" in daemon(emulator, SECRETS[DAEMON])
    page.wait_for_selector(".issued .request:has-text('issued an app token')")
    assert "error" in daemon(emulator, "Fake-Wrong-Secret")
    rejected = page.locator(".rejected .request").first
    rejected.wait_for()
    rejected.click()
    page.wait_for_selector(".why:has-text('AADSTS7000215'):has-text('Fix:')")
    text = page.inner_text("#requests")
    assert "client_secret" in text and "Fake-Wrong-Secret" not in text and SECRETS[DAEMON] not in text
    assert "✗ failed" in text and "✓ passed" in text
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"wider than {width}"
    screenshot(page, f"requests-{scheme}-{width}.png")
    page.get_by_label("Filter").fill("zzzz")
    assert page.locator("#list > li:visible").count() == 0
    page.get_by_label("Filter").fill("7000215")
    assert page.locator("#list > li:visible").count() == 1
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    for finding in Axe().run(page).response["violations"]:
        assert finding["impact"] not in ("serious", "critical"), (finding["id"], finding["nodes"][0]["html"])
    assert page.problems == []


def test_a_click_signs_in_the_user_of_msal(clean, chromium_browser):
    emulator = clean
    page = opened(emulator, chromium_browser)
    user = chromium_browser.new_context(ignore_https_errors=True).new_page()
    opened_urls = threading.Event()
    seen = []

    class Opener(webbrowser.BaseBrowser):
        def open(self, url, new=0, autoraise=True):
            seen.append(url)
            opened_urls.set()
            return True

    webbrowser.register("start-page", None, Opener("start-page"), preferred=True)
    app = msal.PublicClientApplication(NATIVE, authority=emulator.authority("common"), instance_discovery=False)
    result = {}
    thread = threading.Thread(
        target=lambda: result.update(app.acquire_token_interactive(["User.Read"], timeout=40)), daemon=True)
    thread.start()
    try:
        assert opened_urls.wait(10)
        user.goto(seen[0])
        button = page.locator("#sign-ins button.main").first
        button.hover()
        assert "sign-ins/" in page.inner_text("#sign-ins .same")
        screenshot(page, "sign-in.png")
        button.click()
        user.wait_for_url("http://localhost:*/**", timeout=20_000)
        thread.join(20)
    finally:
        webbrowser._tryorder.remove("start-page")
    assert "access_token" in result, result
    page.wait_for_selector("#sign-ins", state="hidden")
    assert page.problems == []


def test_faults_and_events_by_a_click(clean, chromium_browser):
    emulator = clean
    page = opened(emulator, chromium_browser)
    form = page.locator("#changes section").first
    assert "curl" in form.inner_text() and "given: [fault:" in form.inner_text()
    form.get_by_role("button", name="Add fault").click()
    form.get_by_role("button", name="Remove the fault at token").wait_for()
    assert emulator.token(grant_type="refresh_token", client_id=NATIVE).status_code == 503
    page.wait_for_selector(".fault .request:has-text('injected a fault')")
    form.get_by_role("button", name="Remove the fault at token").click()
    page.wait_for_function("() => !document.querySelector('#changes .items li')")
    assert emulator.control("faults").json()["faults"] == []

    events = page.locator("#changes section").nth(1)
    before = emulator.control("clock").json()["shiftSeconds"]
    events.get_by_role("button", name="Apply event").click()
    events.get_by_text("Done.").wait_for()
    assert emulator.control("clock").json()["shiftSeconds"] == before + 3600
    events.locator("select").first.select_option(label="Sessions revoked")
    assert "sessionsRevoked" in events.inner_text()
    events.get_by_role("button", name="Apply event").click()
    assert page.problems == []


def test_text_of_requests_is_not_markup(clean, chromium_browser):
    emulator = clean
    page = opened(emulator, chromium_browser)
    text = "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>"
    emulator.token(grant_type=text, client_id=text, scope=text)
    emulator.http.get(f"{emulator.base}/{urllib.parse.quote(text)}/oauth2/v2.0/token")
    page.wait_for_function("() => document.querySelectorAll('#list > li').length >= 2")
    for row in page.locator("#list > li > button").all():
        row.click()
    page.wait_for_selector(".details table")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert page.problems == []
