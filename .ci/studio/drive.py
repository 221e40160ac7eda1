"""Drives the studio with Chromium: drive.py PROGRAM FOLDER

Prints the number of passed checks. The folder is changed: a scenario is saved in it.
"""
import http.client
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


def start():
    server = subprocess.Popen([program, "studio", str(folder), "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
    """Other programs, browsers, names, and origins get nothing; the link works once."""
    server, url = start()
    port = urllib.parse.urlsplit(url).port
    link = url[url.index("/", 8):]
    for path in ("/", "/studio.js", "/api/project", "/report/1"):
        check(status(port, path)[0] == 403, f"access: {path} without the cookie")
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
    check("frame-ancestors 'none'" in policy and "unsafe" not in policy, f"access: policy {policy}")
    for name, value in (("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store")):
        check(response.getheader(name) == value, f"access: {name} is {response.getheader(name)}")
    check(status(port, "/api/project", {**own, "Origin": "https://evil.example"})[0] == 403, "access: another origin with the cookie")
    server.send_signal(signal.SIGINT)
    check(server.wait(10) in (0, 130), f"access: Ctrl-C ends with {server.returncode}")


def judge(page, what):
    for finding in Axe().run(page).response["violations"]:
        check(finding["impact"] not in ("serious", "critical"), f"{what}: axe: {finding['id']}: {finding['nodes'][0]['html'][:160]}")


def drive(playwright, width, scheme):
    what = f"{width} {scheme}"
    server, url = start()
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda message: check(message.type != "error", f"{what}: console: {message.text}"))
    page.on("pageerror", lambda error: check(False, f"{what}: error: {error}"))
    page.on("request", lambda request: check(urllib.parse.urlsplit(request.url).hostname in ("127.0.0.1", None), f"{what}: request to {request.url}"))
    page.goto(url)
    check("token" not in page.url, f"{what}: the token stays in the address bar")
    page.locator("#workflows button", has_text=re.compile(r"^me\.yaml")).click()
    page.wait_for_function("() => document.getElementById('title').textContent === 'Read my profile'")
    page.wait_for_selector("#machine svg")
    check(page.locator("#machine .state").count() == 5, f"{what}: the state machine")
    page.click("#run")
    page.wait_for_selector("#status.passed, #status.failed")
    check(page.locator("#status").inner_text().startswith("✓ loadAccount.notFound → interactive-fallback.success"), f"{what}: run: {page.locator('#status').inner_text()}")
    page.wait_for_selector("#report:not([hidden])")
    report = page.frame_locator("#report")
    report.locator(".event").first.wait_for(timeout=10000)
    check(report.locator(".event").count() > 10, f"{what}: the report has no events")

    # Compose a situation: the user signed in, and the network is gone. Then another order, by drag and by button.
    def add(kind, value):
        page.select_option("#kind", kind)
        page.fill("#value", value)
        before = page.locator("#status").inner_text()
        page.locator("#adder button").click()
        page.wait_for_function("before => !['Running', before].includes(document.getElementById('status').textContent)", arg=before)

    add("signedIn", "megan@contoso.com")
    check("silent.success" in page.locator("#status").inner_text(), f"{what}: signedIn: {page.locator('#status').inner_text()}")
    add("offline", "")
    check("offline" in page.locator("#status").inner_text(), f"{what}: offline: {page.locator('#status').inner_text()}")
    check(page.locator("#strip li").count() == 2, f"{what}: the strip")
    page.locator("#strip li").nth(1).get_by_role("button", name="Move earlier").click()
    page.wait_for_function("() => document.querySelector('#strip li span').textContent.startsWith('offline')")
    if width > 600:
        page.locator("#strip li").nth(1).drag_to(page.locator("#strip li").first)
        page.wait_for_function("() => document.querySelector('#strip li span').textContent.startsWith('signedIn')")
        check(True, "drag")
    check("- signedIn: megan@contoso.com" in page.locator("#source").inner_text(), f"{what}: the workflow lines")
    page.locator("#strip li").filter(has_text="offline").get_by_role("button", name="Remove").click()
    page.wait_for_function("() => document.querySelectorAll('#strip li').length === 1")
    page.wait_for_function("() => (text => text.startsWith('✓') && text.includes('silent.success'))(document.getElementById('status').textContent)")
    page.fill("#name", f"composed {what}")
    page.locator("#saver button").click()
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('saved')")
    check(f"composed {what}" in "".join(file.read_text() for file in folder.glob("me*.yaml")), f"{what}: the scenario is not saved")
    page.locator("#scenarios button", has_text=f"composed {what}").click()
    page.wait_for_selector("#status.passed")
    judge(page, what)
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what}: wider than the window")
    if len(sys.argv) > 3:
        page.screenshot(path=f"{sys.argv[3]}/studio-{width}-{scheme}.png", full_page=True)

    # A second browser gets nothing.
    other = browser.new_context().new_page()
    answer = other.goto(page.url)
    check(answer.status == 403, f"{what}: a second browser gets {answer.status}")
    browser.close()
    server.send_signal(signal.SIGINT)
    check(server.wait(10) in (0, 130), f"{what}: Ctrl-C ends with {server.returncode}")


access()
with sync_playwright() as playwright:
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            drive(playwright, width, scheme)
for failure in failures:
    print(f"not ok - {failure}", file=sys.stderr)
if failures:
    sys.exit(f"{held} checks passed, {len(failures)} failed")
print(f"{held} checks passed")
