"""Tests the studio with Chromium: drive.py PROGRAM FOLDER

Prints the number of passed checks. The script saves scenarios in the folder.
"""
import http.client
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures, held = [], 0


def check(holds, what):
    global held
    if holds:
        held += 1
    else:
        failures.append(what)


def start(*options):
    server = subprocess.Popen([program, "studio", str(folder), "--no-open", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def status(port, path, headers=None, host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    return response.status, response


def access():
    """Tests that other programs, browsers, host names, and origins have no access, and that the link works only once."""
    server, url = start()
    port = urllib.parse.urlsplit(url).port
    link = url[url.index("/", 8):]
    for path in ("/", "/studio.js", "/api/project", "/report/1"):
        check(status(port, path)[0] == 403, f"access: {path} does not require the cookie")
    check(status(port, link, host=f"evil.example:{port}")[0] == 403, "access: another host name opens the link")
    check(status(port, link, {"Origin": "https://evil.example"})[0] == 403, "access: another origin opens the link")
    code, response = status(port, link)
    cookie = response.getheader("Set-Cookie") or ""
    check(code == 303 and response.getheader("Location") == "/", f"access: the link returns {code}")
    check("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"access: the cookie is {cookie}")
    check(status(port, link)[0] == 403, "access: the link works twice")
    own = {"Cookie": cookie.split(";")[0]}
    code, response = status(port, "/", own)
    check(code == 200, "access: the cookie does not work")
    policy = response.getheader("Content-Security-Policy")
    check("frame-ancestors 'none'" in policy and "unsafe" not in policy, f"access: the policy is {policy}")
    for name, value in (("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store")):
        check(response.getheader(name) == value, f"access: {name} is {response.getheader(name)}")
    check(status(port, "/api/project", {**own, "Origin": "https://evil.example"})[0] == 403, "access: another origin can use the cookie")
    server.send_signal(signal.SIGINT)
    check(server.wait(10) in (0, 130), f"access: the exit code after Ctrl-C is {server.returncode}")


def judge(page, what):
    for finding in Axe().run(page).response["violations"]:
        check(finding["impact"] not in ("serious", "critical"), f"{what}: axe: {finding['id']}: {finding['nodes'][0]['html'][:160]}")


def drive(playwright, width, scheme):
    what = f"{width} {scheme}"
    server, url = start()
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda message: check(message.type != "error" or "409 (Conflict)" in message.text, f"{what}: console: {message.text}"))
    page.on("pageerror", lambda error: check(False, f"{what}: error: {error}"))
    page.on("request", lambda request: check(urllib.parse.urlsplit(request.url).hostname in ("127.0.0.1", None), f"{what}: request to {request.url}"))
    page.goto(url)
    check("token" not in page.url, f"{what}: the token stays in the address bar")
    page.locator("#workflows button", has_text=re.compile(r"^me\.yaml")).click()
    page.wait_for_function("() => document.getElementById('title').textContent === 'Read my profile'")
    page.wait_for_selector("#machine svg")
    check(page.locator("#machine .state").count() == 5, f"{what}: the state machine does not have 5 states")
    page.click("#run")
    page.wait_for_selector("#status.passed, #status.failed")
    check(page.locator("#status").inner_text().startswith("✓ loadAccount.notFound → interactive-fallback.success"), f"{what}: run: {page.locator('#status').inner_text()}")
    page.wait_for_selector("#report:not([hidden])")
    report = page.frame_locator("#report")
    report.locator(".event").first.wait_for(timeout=10000)
    check(report.locator(".event").count() > 10, f"{what}: the report has no events")

    # Compose a scenario: the user has signed in, and the network is lost. Then change the order, by dragging and with a button.
    def add(kind, value):
        page.select_option("#adder-kind", kind)
        if value:
            page.fill("#adder-fields [data-key=user]", value)
        check(f"- {kind}" in page.locator("#adder-equivalent").inner_text(), f"{what}: the workflow line for {kind} is missing")
        before = page.locator("#status").inner_text()
        page.locator("#adder button").click()
        page.wait_for_function("before => !['Running', before].includes(document.getElementById('status').textContent)", arg=before)

    add("signedIn", "megan@contoso.com")
    check("silent.success" in page.locator("#status").inner_text(), f"{what}: signedIn: {page.locator('#status').inner_text()}")
    add("offline", "")
    check("offline" in page.locator("#status").inner_text(), f"{what}: offline: {page.locator('#status').inner_text()}")
    check(page.locator("#strip li").count() == 2, f"{what}: the strip does not contain 2 events")
    page.locator("#strip li").nth(1).get_by_role("button", name="Move earlier").click()
    page.wait_for_function("() => document.querySelector('#strip li span').textContent.startsWith('offline')")
    if width > 600:
        page.locator("#strip li").nth(1).drag_to(page.locator("#strip li").first)
        page.wait_for_function("() => document.querySelector('#strip li span').textContent.startsWith('signedIn')")
        check(True, "drag")
    check("- signedIn: megan@contoso.com" in page.locator("#source").inner_text(), f"{what}: the workflow lines are missing")
    page.locator("#strip li").filter(has_text="offline").get_by_role("button", name="Remove").click()
    page.wait_for_function("() => document.querySelectorAll('#strip li').length === 1")
    page.wait_for_function("() => (text => text.startsWith('✓') && text.includes('silent.success'))(document.getElementById('status').textContent)")
    page.fill("#name", f"composed {what}")
    page.locator("#saver button").click()
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('saved')")
    check(f"composed {what}" in "".join(file.read_text() for file in folder.glob("me*.yaml")), f"{what}: the scenario is not saved")
    page.locator("#scenarios button", has_text=f"composed {what}").click()
    page.wait_for_selector("#status.passed")
    saves_in_place(page, what)
    shows_directory(page, what)
    judge(page, what)
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: the page is wider than the window")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{width}-{scheme}.png", full_page=True)

    steps(page, what)
    signs_in(page, what)
    learns(page, what)
    starts_emulator(page, what)
    diagnoses(page, what)
    judge(page, f"{what}, at the end")
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: the page is wider than the window at the end")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{width}-{scheme}-diagnosis.png", full_page=True)

    # A second browser has no access.
    other = browser.new_context().new_page()
    answer = other.goto(page.url)
    check(answer.status == 403, f"{what}: a second browser gets {answer.status}")
    browser.close()
    server.send_signal(signal.SIGINT)
    check(server.wait(10) in (0, 130), f"{what}: the exit code after Ctrl-C is {server.returncode}")


def wait_for(page, text):
    page.wait_for_function("text => document.getElementById('status').textContent.includes(text)", arg=text)


def choose(page):
    page.locator("#workflows button", has_text=re.compile(r"^me\.yaml")).click()
    page.wait_for_function("() => document.getElementById('title').textContent === 'Read my profile'")
    page.wait_for_selector("#machine svg")


def steps(page, what):
    """Steps through a run in both directions, with a breakpoint, values, and a simulated event."""
    choose(page)
    page.click("#step-through")
    wait_for(page, "before loadAccount")
    check(page.locator("#machine .state.current").get_attribute("data-step") == "loadAccount", f"{what}: the current step is not loadAccount")
    page.get_by_role("button", name="Step", exact=True).click()
    wait_for(page, "before interactive-fallback")
    page.get_by_role("button", name="Step back").click()
    wait_for(page, "before loadAccount")
    page.locator("#machine .state[data-step=callGraph]").click()
    check(page.locator("#machine .state[data-step=callGraph]").get_attribute("aria-pressed") == "true", f"{what}: the breakpoint is not set")
    page.get_by_role("button", name="Continue").click()
    wait_for(page, "before callGraph")
    page.locator("#scopes summary", has_text="Token claims").click()
    page.wait_for_selector("#scopes details[open] details")
    page.fill("#expression", "interactive-fallback.outcome")
    page.click("#evaluator button")
    page.wait_for_function("() => document.getElementById('value-of').textContent === 'success'")
    page.select_option("#now-kind", "offline")
    page.click("#now button")
    wait_for(page, "before: { callGraph: [offline] }")
    judge(page, f"{what}, suspended")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{what.replace(' ', '-')}-suspended.png", full_page=True)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector("#session", state="hidden")
    check("callGraph." in page.locator("#status").inner_text(), f"{what}: the final status is {page.locator('#status').inner_text()}")
    check("before callGraph: offline" in page.locator("#strip").inner_text(), f"{what}: the event is not in the composed scenario")
    page.locator("#machine .state[data-step=callGraph]").focus()
    page.keyboard.press("Enter")
    check(page.locator("#machine .state[data-step=callGraph]").get_attribute("aria-pressed") == "false", f"{what}: the breakpoint is not removed")


def signs_in(page, what):
    """The user completes the emulator's pages and cancels another sign-in."""
    choose(page)
    page.check("#sign-in")
    page.click("#run")
    page.wait_for_selector("#sign-in-page:not([hidden])")
    frame = page.frame_locator("#page")
    frame.get_by_role("textbox").first.fill("megan@contoso.com")
    frame.locator("button, input[type=submit]").first.click()
    frame.locator("input[type=password]").fill("Fake-Megan-1")
    judge(page, f"{what}, sign-in")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{what.replace(' ', '-')}-sign-in.png", full_page=True)
    frame.locator("button, input[type=submit]").first.click()
    for _ in range(4):
        page.wait_for_timeout(300)
        if page.locator("#sign-in-page").is_hidden():
            break
        page.click("#complete-page")
    page.wait_for_selector("#status.passed")
    check("interactive-fallback.success" in page.locator("#status").inner_text(), f"{what}: the status after the user's sign-in is {page.locator('#status').inner_text()}")
    page.click("#run")
    page.wait_for_selector("#sign-in-page:not([hidden])")
    page.click("#close-page")
    wait_for(page, "interactive-fallback.userCanceled")
    page.uncheck("#sign-in")


def learns(page, what):
    """Opens a lesson with its state machine, runs a demonstration, and checks a wrong solution."""
    page.locator("#lessons button").nth(1).click()
    page.wait_for_selector("#lesson:not([hidden])")
    check(page.locator("#lesson-parts p").count() > 2 and page.locator("#machine svg").count() == 1, f"{what}: the lesson is incomplete")
    page.locator("#lesson-parts button", has_text="Run:").first.click()
    page.wait_for_selector("#status.passed")
    page.click("#check")
    page.wait_for_selector("#check-status.failed")
    judge(page, f"{what}, lesson")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{what.replace(' ', '-')}-lesson.png", full_page=True)


def diagnoses(page, what):
    page.click("#open-diagnosis")
    page.fill("#log", "AADSTS50173: The provided grant has expired due to it being revoked, a fresh auth token is needed.")
    page.click("#diagnose")
    page.wait_for_selector("#diagnosis-result ol")
    check("grant-revoked" in page.locator("#diagnosis-result").inner_text(), f"{what}: the diagnosis does not contain the cause")


def saves_in_place(page, what):
    """Changes the opened scenario in its file: adds an event and the path of the last run."""
    file = next(file for file in folder.glob("me*.yaml") if f"composed {what}" in file.read_text())
    previous = file.read_text()
    button = page.get_by_role("button", name=f"Update scenario composed {what}")
    page.select_option("#adder-kind", "wait")
    page.fill("#adder-fields [data-key=wait]", "10m")
    page.locator("#adder button").click()
    page.wait_for_function("() => document.querySelectorAll('#strip li').length === 2 && /^[✓✗]/.test(document.getElementById('status').textContent)")
    button.click()
    wait_for(page, "saved `composed")
    saved = file.read_text()
    added = [line for line in saved.splitlines() if line not in previous.splitlines()]
    check(len(saved.splitlines()) == len(previous.splitlines()) + 1, f"{what}: not exactly one line is new: {added}")
    check("- wait: 10m" in saved, f"{what}: the event is not in the file: {added}")
    check(all(line in saved for line in previous.splitlines()), f"{what}: a line in the file is lost")
    # Another program changes the file, so the studio must not write it and must keep its own changes.
    file.write_text(saved + "# changed by another program\n")
    button.click()
    wait_for(page, "changed on disk")
    check(page.locator("#strip li").count() == 2, f"{what}: the composed scenario is lost")
    page.click("#reload")
    wait_for(page, "reloaded the files")
    check(page.locator("#strip li").count() == 2, f"{what}: the composed scenario is lost after a reload")
    page.check("#save-path")
    page.click("#run")
    page.wait_for_selector("#status.passed")
    button.click()
    wait_for(page, "saved `composed")
    check(file.read_text().endswith("# changed by another program\n"), f"{what}: the other program's change is lost")


def shows_directory(page, what):
    """Shows the directory at the start, adds a policy during a suspended run, and checks its position in the scenario."""
    choose(page)
    users = page.locator("#directory details", has_text="Users (")
    users.locator("summary").click()
    check(users.get_by_text("megan@contoso.com").count() == 1, f"{what}: the directory does not list megan@contoso.com")
    check("before the setup events" in page.locator("#directory-clock").inner_text(), f"{what}: {page.locator('#directory-clock').inner_text()}")
    page.click("#step-through")
    wait_for(page, "before loadAccount")
    page.select_option("#now-kind", "policyAdded")
    page.fill("#now-fields [data-key=name]", "Second factor")
    page.select_option("#now-fields [data-key=require]", "mfa")
    text = page.locator("#now-equivalent").inner_text()
    check("- policyAdded: {name: Second factor, require: mfa}" in text and "POST /_authflow/events" in text, f"{what}: {text}")
    page.click("#now button")
    wait_for(page, "policyAdded: {name: Second factor, require: mfa} occurred")
    page.wait_for_function("() => document.getElementById('directory').textContent.includes('Second factor')")
    check("suspended run" in page.locator("#directory-clock").inner_text(), f"{what}: the suspended run's clock is not shown")
    judge(page, f"{what}, directory")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{what.replace(' ', '-')}-directory.png", full_page=True)
    page.get_by_role("button", name="End", exact=True).click()
    page.wait_for_selector("#session", state="hidden")
    check("policyAdded: {name: Second factor, require: mfa}" in page.locator("#source").inner_text(), f"{what}: the policy is not in the scenario")


def request(url, method="GET", body=None, fields={}):
    """Sends a request as another program."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    connection.request(method, f"{parts.path}?{parts.query}", body, fields)
    response = connection.getresponse()
    return response.status, response.read()


def watches_emulator(page, what, address):
    """Tests that requests from another program appear, that a fault changes them, and that a click signs in a user."""
    frame = page.frame_locator("#emulator-frame")
    frame.locator("#live").wait_for()
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    token = f"{address}/common/oauth2/v2.0/token"
    check(request(token, "POST", "grant_type=refresh_token&client_id=nothing", form)[0] == 400, f"{what}: the emulator does not reject the token request")
    row = frame.locator(".rejected .request").first
    row.wait_for()
    row.click()
    frame.locator(".why").first.wait_for()
    changes = frame.locator("#changes section").first
    check(f"{address}/_authflow/faults" in changes.inner_text(), f"{what}: the control request does not contain the emulator's address")
    changes.get_by_role("button", name="Add fault").click()
    changes.get_by_role("button", name="Remove the fault at token").wait_for()
    check(request(token, "POST", "grant_type=refresh_token&client_id=nothing", form)[0] == 503, f"{what}: the fault does not trigger")
    frame.locator(".fault .request").first.wait_for()
    changes.get_by_role("button", name="Remove the fault at token").click()
    query = urllib.parse.urlencode({
        "client_id": "5747a700-0000-4000-8000-000000000001", "response_type": "code", "scope": "openid User.Read",
        "redirect_uri": f"{address}/common/oauth2/nativeclient"})
    user = page.context.browser.new_context().new_page()
    user.goto(f"{address}/common/oauth2/v2.0/authorize?{query}")
    frame.locator("#sign-ins button.main").first.click()
    user.wait_for_url("**/nativeclient?code=*", timeout=20_000)
    check("code=" in user.url, f"{what}: the click does not sign in the user")
    user.context.close()
    judge(page, f"{what}, emulator")
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: the page with an emulator is wider than the window")
    check(page.frame(url=re.compile("/emulator$")).evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: the emulator's page is wider than its frame")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{what.replace(' ', '-')}-emulator.png", full_page=True)


def starts_emulator(page, what):
    page.click("#open-emulator")
    page.get_by_role("button", name="Start an emulator").click()
    page.wait_for_selector("#emulator-frame:not([hidden])")
    watches_emulator(page, what, page.locator("#emulator-address").inner_text())


def attaches(playwright):
    """Tests that `--attach` opens a running emulator and rejects other addresses."""
    emulator = subprocess.Popen([program, "emulator", "--port", "0", "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    port = urllib.parse.urlsplit(json.loads(emulator.stdout.readline())["startPageURL"]).port
    address = f"http://localhost:{port}"
    server, url = start("--attach", address)
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.on("pageerror", lambda error: check(False, f"attach: error: {error}"))
    page.goto(url)
    page.wait_for_selector("#emulator-frame:not([hidden])")
    check(page.locator("#emulator-address").inner_text() == address, "attach: the studio shows a different address")
    watches_emulator(page, "attach", address)
    studio = urllib.parse.urlsplit(url).port
    check(status(studio, "/_authflow/state")[0] == 403, "attach: a program without the cookie can use the control interface")
    for running in (server, emulator):
        running.send_signal(signal.SIGINT)
        running.wait(10)
    missing = subprocess.run([program, "studio", str(folder), "--no-open", "--attach", address], capture_output=True, text=True)
    check(missing.returncode == 3 and "no emulator responds" in missing.stderr, f"attach: exit code {missing.returncode} without an emulator: {missing.stderr}")
    wrong = subprocess.run([program, "studio", str(folder), "--no-open", "--attach", "http://example.com"], capture_output=True, text=True)
    check(wrong.returncode == 2 and "on this computer" in wrong.stderr, f"attach: exit code {wrong.returncode} for a remote address: {wrong.stderr}")
    browser.close()


access()
with sync_playwright() as playwright:
    attaches(playwright)
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            drive(playwright, width, scheme)
for failure in failures:
    print(f"not ok - {failure}", file=sys.stderr)
if failures:
    sys.exit(f"{held} checks passed, {len(failures)} failed")
print(f"{held} checks passed")
