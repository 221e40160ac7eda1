"""Opens report pages as files in Chromium: with and without JavaScript, light, dark, printed, narrow, and wide.

usage: check.py PAGE...
A page must not send requests or write to the console, axe-core must not report serious findings, the content must be readable without
JavaScript, search must work with the keyboard, and the text of a malicious trace must not have an effect. Two browsers share the pages.
"""
import concurrent.futures
import pathlib
import shutil
import sys

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

    # Keyboard: / starts a search, Enter selects the next match, j the next item, and Escape clears the search. Then the theme changes.
    context, page = opened(browser, page_file)
    page.keyboard.press("/")
    check(page.evaluate("document.activeElement.id") == "search", f"{page_file.name}: / does not search")
    page.keyboard.type("zzzznothing")
    check(page.locator("#found").inner_text() == "0 found", f"{page_file.name}: the search finds text that does not exist")
    check(page.locator("[data-part] .item:visible").count() == 0, f"{page_file.name}: items without a match are visible")
    page.keyboard.press("Escape")
    check(page.locator("[data-part] .item:visible").count() > 0, f"{page_file.name}: Escape does not clear the search")
    page.keyboard.press("j")
    check(page.evaluate("document.activeElement !== document.body"), f"{page_file.name}: j does not select an item")
    page.click("#theme")
    check(page.evaluate("document.documentElement.dataset.theme") == "light", f"{page_file.name}: the theme does not change")
    context.close()


def judge_pages(files):
    """Runs in a separate process. Returns the number of passed checks, and the failures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for page_file in files:
            examine(browser, page_file)
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
        parts = [processes.submit(judge_pages, [page_file]) for page_file in pages] + [processes.submit(trap, pages[0].parent)]
        results = [part.result() for part in parts]
    for page_file, (count, _) in zip([*pages, pages[0].with_name("trap.html")], results):
        print(f"ok - {page_file.name}: {count}")
    failed = [failure for _, found in results for failure in found]
    for failure in failed:
        print(f"not ok - {failure}", file=sys.stderr)
    total = sum(count for count, _ in results)
    if failed:
        sys.exit(f"{total} checks passed, {len(failed)} failed")
    print(f"{total} checks passed")
