"""Checks the pages of a documentation site that DocC rendered: .ci/site.py SITE SOURCES.

Every article of every catalog in SOURCES is a page, every link inside the site leads to a page and a heading that
exist, every page can be reached from the landing pages, and links to other sites are on the list below.
"""
import json
import pathlib
import re
import sys
import urllib.parse

# Allowed external sites.
EXTERNAL = {"https://pre-commit.com"}
LANDING = ["/documentation/authflow", "/documentation/contributing"]


def nodes(value):
    """Yields every object in a JSON document."""
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from nodes(member)
    elif isinstance(value, list):
        for element in value:
            yield from nodes(element)


def load(site):
    pages = {}
    for file in sorted((site / "data").rglob("*.json")):
        pages["/" + file.relative_to(site / "data").with_suffix("").as_posix()] = json.loads(file.read_text("utf-8"))
    return pages


def articles(sources):
    """Returns the expected path of the page for each article."""
    for catalog in sorted(sources.glob("Sources/*/*.docc")) + sorted(sources.glob("Documentation/*.docc")):
        root = catalog.stem if catalog.stem in ("authflow", "AuthflowTesting") else "Contributing"
        for file in sorted(catalog.rglob("*.md")):
            name = file.stem if file.stem == catalog.stem else f"{root}/{file.stem}"
            yield file, f"/documentation/{name}".lower()


def lost_text(sources):
    """Finds text such as <bundle id> outside code. DocC interprets it as HTML and removes it."""
    for file in sorted([*sources.glob("Sources/*/*.docc/**/*.md"), *sources.glob("Documentation/*.docc/**/*.md")]):
        in_block = False
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                in_block = not in_block
            elif not in_block:
                text = re.sub(r"\\.", "", re.sub(r"(`+).*?\1", "", line)).replace("<doc:", "")
                for tag in re.findall(r"<[A-Za-z/!?][^>]*>", text):
                    yield f"{file.relative_to(sources)}:{number}: DocC does not show {tag}: escape it or format it as code"


def check(site, sources):
    problems = list(lost_text(sources))
    pages = load(site)
    anchors = {path: {node["anchor"] for node in nodes(page) if "anchor" in node} for path, page in pages.items()}
    links, external = {path: set() for path in pages}, 0
    for file, path in articles(sources):
        if path not in pages:
            problems.append(f"{file.relative_to(sources)} has no page {path}")
    for path, page in pages.items():
        if not (site / path.lstrip("/") / "index.html").is_file():
            problems.append(f"{path} has no index.html")
        references = page.get("references", {})
        for node in nodes(page):
            if node.get("type") == "reference" and node["identifier"] not in references:
                problems.append(f"{path} refers to {node['identifier']}, which it does not describe")
            elif node.get("type") == "reference" and not node.get("isActive", True):
                problems.append(f"{path} has the unresolved link {node['identifier']}")
            elif node.get("type") == "link" and "destination" in node:
                url = urllib.parse.urlsplit(node["destination"])
                if url.scheme and node["destination"] not in EXTERNAL:
                    problems.append(f"{path} links to {node['destination']}, which is not on the list")
                elif not url.scheme and (url.path or urllib.parse.unquote(url.fragment) not in anchors[path]):
                    problems.append(f"{path} links to {node['destination']}, which does not exist")
        for identifier, reference in references.items():
            # Symbols in the standard library do not have links.
            if reference.get("type") in ("image", "video", "download", "unresolvable"):
                continue
            url = urllib.parse.urlsplit(reference.get("url", ""))
            if url.scheme:
                external += 1
                if reference["url"] not in EXTERNAL:
                    problems.append(f"{path} links to {reference['url']}, which is not on the list")
                continue
            target = url.path.rstrip("/") or path
            if target not in pages:
                problems.append(f"{path} links to {identifier}, which does not exist")
                continue
            links[path].add(target)
            if url.fragment and urllib.parse.unquote(url.fragment) not in anchors[target]:
                problems.append(f"{path} links to {reference['url']}, and that page has no such heading")
    reached, waiting = set(), list(LANDING)
    while waiting:
        path = waiting.pop()
        if path not in reached and path in pages:
            reached.add(path)
            waiting += links[path]
    problems += [f"{path} cannot be reached from a landing page" for path in pages if path not in reached | {"/documentation"}]
    return problems, len(pages), sum(map(len, links.values())), external


if __name__ == "__main__":
    problems, pages, links, external = check(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    print("\n".join(problems) or f"{pages} pages, {links} links between them, {external} to other sites")
    sys.exit(1 if problems else 0)
