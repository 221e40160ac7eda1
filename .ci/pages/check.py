"""Opens report pages as files in Chromium: with and without JavaScript, light, dark, printed, narrow, and wide.

usage: check.py PAGE...
A page must not send requests or write to the console, axe-core must not report serious findings, the content must be readable without
JavaScript, search must work with the keyboard, and the text of a malicious trace must not have an effect. Two browsers share the pages.
"""
import concurrent.futures
import http.server
import pathlib
import shutil
import sys
import threading
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

failures = []
held = 0


def check(holds, what):
    global held
    if holds:
        held += 1
    else:
        failures.append(what)


def opened(browser, page_file, **settings):
    context = browser.new_context(reduced_motion="reduce", **settings)
    page = context.new_page()
    where = f"{page_file.name} {settings}"
    page.on("console", lambda message: check(False, f"{where}: console: {message.text}"))
    page.on("pageerror", lambda error: check(False, f"{where}: error: {error}"))
    page.on("dialog", lambda dialog: (check(False, f"{where}: dialog"), dialog.dismiss()))
    page.on(
        "request", lambda request: request.url.startswith("file:") and request.is_navigation_request()
        or check(False, f"{where}: request: {request.url}"))
    failed = len(failures)
    page.goto(page_file.as_uri())
    check(len(failures) == failed, f"{where}: see above")
    return context, page


def judge(page, what):
    """Requires that axe-core reports no serious or critical findings if all sections are open."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    for finding in Axe().run(page).response["violations"]:
        check(finding["impact"] not in ("serious", "critical"),
              f"{what}: axe: {finding['id']}: {finding['nodes'][0]['html'][:200]}")


def examine(browser, page_file):
    for scheme in ("light", "dark"):
        for width in (400, 1000, 1600):
            context, page = opened(browser, page_file, color_scheme=scheme, viewport={"width": width, "height": 900})
            check(page.evaluate("window.hacked") is None, f"{page_file.name}: text of the trace ran as a script")
            check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                  f"{page_file.name}: wider than {width}")
            if width != 1600:
                judge(page, f"{page_file.name} {scheme} {width}")
            context.close()

    # Without scripts, all parts are visible, and a summary opens its section.
    context, page = opened(browser, page_file, java_script_enabled=False)
    for heading in page.locator("main h2").all():
        check(heading.is_visible(), f"{page_file.name}: {heading.inner_text()} requires a script")
    check(not page.locator("#search").is_visible(), f"{page_file.name}: the search is visible but does not work")
    closed = page.locator("main details:not([open]) > summary").first
    if closed.count():
        closed.click()
        check(page.locator("main details[open]").count() > 0, f"{page_file.name}: details require a script")
    page.emulate_media(media="print")
    hidden = page.locator("details:not([open]) > .inside").first
    check(hidden.count() == 0 or hidden.is_visible(), f"{page_file.name}: closed sections are not printed")
    context.close()

    # Keyboard: / starts a search, Enter selects the next match, j selects the next item, and Escape clears the search. Then
    # change the theme.
    context, page = opened(browser, page_file)
    page.keyboard.press("/")
    check(page.evaluate("document.activeElement.id") == "search", f"{page_file.name}: / does not search")
    page.keyboard.type("zzzznothing")
    page.wait_for_function("() => document.getElementById('found').textContent !== ''")
    check(page.locator("#found").inner_text() == "0 found", f"{page_file.name}: the search finds text that does not exist")
    check(page.locator("[data-part] .item:visible").count() == 0, f"{page_file.name}: items without a match are visible")
    page.keyboard.press("Escape")
    check(page.locator("[data-part] .item:visible").count() > 0, f"{page_file.name}: Escape does not clear the search")
    page.keyboard.press("j")
    check(page.evaluate("document.activeElement !== document.body"), f"{page_file.name}: j does not select an item")
    page.click("#theme")
    check(page.evaluate("document.documentElement.dataset.theme") == "light", f"{page_file.name}: the theme does not change")
    context.close()


def view(browser, page_file):
    """Drives the viewer in a wide and a narrow window: navigation, search, replay, pictures, and zoom."""
    for width in (1280, 400):
        what = f"{page_file.name} at {width}"
        context, page = opened(browser, page_file, viewport={"width": width, "height": 800})
        for link in page.locator("nav.parts a").all():
            link.click()
            page.wait_for_timeout(50)
            marked = page.evaluate("[...document.querySelectorAll('[aria-current], [aria-selected=true]')].map(each => each.hash)")
            target = link.get_attribute("href")
            check(marked == [target], f"{what}: {target} marks {marked}")
            off = page.evaluate(f"document.querySelector('{target}').getBoundingClientRect().top - document.querySelector('nav.parts').offsetHeight")
            check(0 <= off <= 40, f"{what}: {target} lands {off} px off")
        if width == 1280:
            small = page.evaluate("""[...document.querySelectorAll('svg text')].filter(each => each.getClientRects().length)
                .map(each => [each.textContent, parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a]).filter(each => each[1] < 11)""")
            check(not small, f"{what}: labels below 11 px: {small[:3]}")
            rows = page.evaluate("(box => box.scrollHeight - box.clientHeight)(document.querySelector('.sequence').parentElement)")
            check(rows <= 1, f"{what}: the sequence diagram hides {rows} px")
        search(page, what)
        if page.locator("#player").count():
            replay(page, what, page_file)
        context.close()


def search(page, what):
    word = page.locator("[data-part] .item .name").first.inner_text()
    page.fill("#search", word)
    page.wait_for_selector("mark.hit.current")
    marks = page.locator("mark.hit")
    check(all(text.lower() in word.lower() for text in marks.all_inner_texts() if text), f"{what}: marks words other than {word}")
    box = page.locator("mark.hit.current").bounding_box()
    check(box and 40 <= box["y"] <= 760, f"{what}: the first match is not visible: {box}")
    check("found" in page.locator("#found").inner_text(), f"{what}: the search does not report the matches")
    if marks.count() > 1:
        page.keyboard.press("Enter")
        check(page.locator("#found").inner_text().startswith("2 of "), f"{what}: Enter does not select the next match")
        page.click("#previous")
        check(page.locator("#found").inner_text().startswith("1 of "), f"{what}: the button does not select the previous match")
    page.fill("#search", "")
    page.wait_for_function("() => !document.querySelector('mark.hit')")


def replay(page, what, page_file):
    count = page.locator(".event").count()
    check(count > 1, f"{what}: {count} events")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    check(page.locator("#moment").inner_text().startswith(f"{count - 1}/{count}"), f"{what}: ArrowLeft does not move the replay")
    page.locator("#instant").focus()
    page.keyboard.press("Home")
    check(page.locator("#moment").inner_text().startswith("1/"), f"{what}: Home does not select the first event")
    for part in (".sequence", ".timeline"):
        check(page.locator(f"{part} .later").count() > 0, f"{what}: {part} does not follow the replay")
    check(page.locator(".picture.only:visible").count() == 0, f"{what}: a page is visible before the browser opens")
    for picture in page.locator(".events .event.visit", has_text="page:").all():
        picture.click()
        check(page.locator(".picture.only:visible").count() == 1, f"{what}: the replay does not show exactly one page")
    frames = page.locator("iframe")
    for frame in frames.all():
        check(frame.get_attribute("sandbox") == "" and frame.get_attribute("title"), f"{what}: a frame has permissions or no title")
        check("script" not in frame.get_attribute("srcdoc").replace("Description", ""), f"{what}: a frame contains a script")
    if frames.count():
        visible = page.locator(".picture.only:visible iframe")
        page.wait_for_timeout(100)
        check(visible.content_frame.locator("h1").count() == 1, f"{what}: the frame is empty")
    # Measure the time from a click to the next frame, without the driver's time. The fastest step counts, because other checks
    # run at the same time.
    spent = page.evaluate("""async () => {
        const times = [];
        for (let index = 0; index < 9; index += 1) {
            const began = performance.now();
            document.getElementById(index < 5 ? 'back' : 'forth').click();
            await new Promise(done => requestAnimationFrame(done));
            times.push(performance.now() - began);
        }
        return Math.min(...times);
    }""")
    check(spent < 100, f"{what}: the replay takes {spent} ms for a step")
    print(f"note: {what}: {count} events, {spent:.0f} ms for a step of the replay", file=sys.stderr)
    page.locator("#play").click()
    check(page.locator("#play").inner_text() == "Pause", f"{what}: the replay does not start")
    page.locator("#play").click()
    page.locator("#instant").focus()
    page.keyboard.press("End")
    check(page.locator(".later").count() == 0, f"{what}: parts of the complete run are dimmed")
    buttons = page.locator(".zooming button")
    if buttons.count():
        wide = page.evaluate("document.querySelector('.machine').getBoundingClientRect().width")
        buttons.nth(1).click()
        check(page.evaluate("document.querySelector('.machine').getBoundingClientRect().width") > wide, f"{what}: zoom has no effect")


def sandbox(folder):
    """Verifies that the frame of a page cannot run scripts, load resources, or navigate, if a trace contains such markup."""
    received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            received.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    source = (folder / "me.html").read_text()
    start = source.index('<iframe sandbox srcdoc="') + len('<iframe sandbox srcdoc="')
    end = source.index('"', start)
    file = folder / "sandbox.html"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_port}"
        markup = f"<script>parent.hacked=1</script><img src={host}/x><a id=go href={host}/y>y</a><meta http-equiv=refresh content='0;url={host}/z'>"
        file.write_text(source[:start] + markup.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;") + source[end:])
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        frame = page.locator("iframe").first
        page.evaluate("document.querySelector('iframe').closest('.picture').hidden = false")
        frame.scroll_into_view_if_needed()
        frame.content_frame.locator("#go").click()
        page.wait_for_timeout(300)
        check(page.evaluate("window.hacked") is None, "sandbox: a script ran")
        # The browser can report a request that the page's policy blocks, so only the server knows whether one was sent.
        check(not received, f"sandbox: requests to {received}")
        page.goto(f"{host}/reachable")
        check("/reachable" in received, "sandbox: the server does not receive requests")
        browser.close()
        server.shutdown()
    return held, failures


def examine_runs(browser, page_file):
    """Opens the runs in a suite's report. The report must be small and open quickly."""
    size = page_file.stat().st_size
    check(size < 20_000_000, f"{page_file.name}: {size} bytes")
    for width in (400, 1280):
        context = browser.new_context(reduced_motion="reduce", viewport={"width": width, "height": 900})
        page = context.new_page()
        # axe-core sends messages to the frames, which have an opaque origin.
        page.on("console", lambda message: check("postMessage" in message.text, f"{page_file.name}: console: {message.text}"))
        page.on("pageerror", lambda error: check(False, f"{page_file.name}: error: {error}"))
        started = time.monotonic()
        page.goto(page_file.as_uri())
        button = page.locator("main button.run").last
        button.wait_for()
        seconds = time.monotonic() - started
        check(seconds < 6, f"{page_file.name}: opens in {seconds:.1f} s")
        started = time.monotonic()
        button.click()
        frame = page.frame_locator("#viewer .panel:visible iframe").first
        frame.locator("h1").wait_for()
        opened_in = time.monotonic() - started
        check(opened_in < 4, f"{page_file.name}: a run opens in {opened_in:.1f} s")
        print(f"{page_file.name}: {size / 1e6:.1f} MB, opens in {seconds:.2f} s, a run in {opened_in:.2f} s")
        frame.locator("nav.parts a").nth(1).click()
        check(frame.locator("#steps h2").is_visible(), f"{page_file.name}: links of the run do not work")
        check(page.evaluate("window.hacked") is None, f"{page_file.name}: text of a run ran as a script")
        judge(page, f"{page_file.name}: run at {width}")
        page.locator("#viewer-close").click()
        check(not page.locator("#viewer").is_visible(), f"{page_file.name}: the run does not close")
        check(button.evaluate("each => each === document.activeElement"), f"{page_file.name}: the focus does not return")
        context.close()


def judge_pages(files):
    """Runs in a separate process. Returns the number of passed checks and the failures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for page_file in files:
            # axe-core takes minutes for a page of 10,000 events.
            if page_file.name != "long.html":
                examine(browser, page_file)
            if page_file.name in ("me.html", "long.html"):
                view(browser, page_file)
            if 'id="archive-pages"' in page_file.read_text(encoding="utf-8"):
                examine_runs(browser, page_file)
        browser.close()
    return held, failures


def trap(folder):
    """Verifies that the checks detect a page that runs a script and sends a request."""
    file = folder / "trap.html"
    file.write_text("<!DOCTYPE html><title>trap</title><img src=https://example.invalid/x><script>window.hacked=1</script>")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context, page = opened(browser, file)
        check(page.evaluate("window.hacked") is None, "trap: text ran as a script")
        context.close()
        browser.close()
    caught = any("request" in what for what in failures) and any("ran" in what for what in failures)
    return (1, []) if caught else (0, ["the checks do not detect a request and a script"])


if __name__ == "__main__":
    pages = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
    with concurrent.futures.ProcessPoolExecutor(2, max_tasks_per_child=1) as processes:
        parts = [processes.submit(judge_pages, [page_file]) for page_file in pages] + [processes.submit(trap, pages[0].parent), processes.submit(sandbox, pages[0].parent)]
        results = [part.result() for part in parts]
    for page_file, (count, _) in zip([*pages, pages[0].with_name("trap.html"), pages[0].with_name("sandbox.html")], results):
        print(f"ok - {page_file.name}: {count}")
    failed = [failure for _, found in results for failure in found]
    for failure in failed:
        print(f"not ok - {failure}", file=sys.stderr)
    total = sum(count for count, _ in results)
    if failed:
        sys.exit(f"{total} checks passed, {len(failed)} failed")
    print(f"{total} checks passed")
