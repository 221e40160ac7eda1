"""Checks each report format: HAR 1.2 with a schema and haralyzer, OTLP with its protobuf messages, JUnit with junitparser, and Markdown
with markdown-it."""
import json
import sys
from datetime import datetime, timezone

import jsonschema
from haralyzer import HarParser
from junitparser import JUnitXml
from markdown_it import MarkdownIt

from receiver import parse

PAIR = {"type": "object", "required": ["name", "value"], "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}
PAIRS = {"type": "array", "items": PAIR}
WHEN = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}
SIZE = {"type": "integer", "minimum": -1}
SPAN = {"type": "number", "minimum": -1}
HAR = {
    "type": "object", "required": ["log"],
    "properties": {"log": {
        "type": "object", "required": ["version", "creator", "entries", "pages"],
        "properties": {
            "version": {"const": "1.2"},
            "creator": {"type": "object", "required": ["name", "version"]},
            "pages": {"type": "array", "items": {
                "type": "object", "required": ["startedDateTime", "id", "title", "pageTimings"],
                "properties": {"startedDateTime": WHEN, "id": {"type": "string"}, "title": {"type": "string"},
                               "pageTimings": {"type": "object", "properties": {"onLoad": SPAN, "onContentLoad": SPAN}}}}},
            "entries": {"type": "array", "items": {
                "type": "object", "required": ["startedDateTime", "time", "request", "response", "cache", "timings", "pageref"],
                "properties": {
                    "startedDateTime": WHEN, "time": {"type": "number", "minimum": 0}, "cache": {"type": "object"},
                    "timings": {"type": "object", "required": ["send", "wait", "receive"], "additionalProperties": SPAN,
                                "properties": {name: {"type": "number", "minimum": 0} for name in ("send", "wait", "receive")}},
                    "request": {
                        "type": "object",
                        "required": ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
                        "properties": {
                            "url": {"type": "string", "pattern": r"^[a-zA-Z][!-~]*$"}, "cookies": PAIRS, "headers": PAIRS,
                            "queryString": PAIRS, "headersSize": SIZE, "bodySize": SIZE,
                            "postData": {"type": "object", "required": ["mimeType"],
                                         "oneOf": [{"required": ["params"], "properties": {"params": PAIRS}}, {"required": ["text"]}]}}},
                    "response": {
                        "type": "object",
                        "required": ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL",
                                     "headersSize", "bodySize"],
                        "properties": {
                            "status": {"type": "integer", "minimum": 0}, "statusText": {"type": "string"}, "cookies": PAIRS,
                            "headers": PAIRS, "redirectURL": {"type": "string"}, "headersSize": SIZE, "bodySize": SIZE,
                            "content": {"type": "object", "required": ["size", "mimeType"],
                                        "properties": {"size": {"type": "integer"}, "mimeType": {"type": "string"}}}}}}}}}}}}


def har(text):
    archive = json.loads(text)
    jsonschema.Draft202012Validator(HAR).validate(archive)
    log = archive["log"]
    for entry in log["entries"]:
        total = sum(value for value in entry["timings"].values() if value >= 0)
        assert abs(total - entry["time"]) < 0.001, entry
    parser = HarParser(archive)
    assert len(parser.pages) >= len(log["pages"])
    assert sum(len(page.entries) for page in parser.pages if page.page_id != "unknown") == len(log["entries"])
    for page in parser.pages:
        assert page.title is not None and isinstance(page.post_requests, list)


def otlp(text):
    request = parse(text)
    resource, = request.resource_spans
    attributes = {a.key: a.value.string_value for a in resource.resource.attributes}
    assert attributes["service.name"] == "authflow"
    spans = [span for scope in resource.scope_spans for span in scope.spans]
    ids = {span.span_id for span in spans}
    assert len(ids) == len(spans) and len({span.trace_id for span in spans}) == 1
    roots = [span for span in spans if not span.parent_span_id]
    assert len(roots) == 1 and all(span.parent_span_id in ids for span in spans if span.parent_span_id)
    for span in spans:
        assert span.start_time_unix_nano <= span.end_time_unix_nano, span
        keys = [a.key for a in span.attributes]
        assert len(keys) == len(set(keys)), span
        if span.kind == span.SPAN_KIND_CLIENT:
            # The semantic conventions for HTTP clients require these attributes.
            assert {"http.request.method", "server.address", "server.port", "url.full"} <= set(keys), span
            status = [a.value.int_value for a in span.attributes if a.key == "http.response.status_code"]
            assert (span.status.code == span.status.STATUS_CODE_ERROR) == (not status or status[0] >= 400), span
            assert datetime.fromtimestamp(span.start_time_unix_nano / 1e9, timezone.utc).year >= 2000
    return spans


ALLOWED = ("<!-- -->", "<br>", "<sub>", "</sub>", "<details>", "</details>", "<summary>", "</summary>")


def markdown(text):
    def walk(tokens):
        for token in tokens:
            assert token.type not in ("link_open", "image", "code_inline"), token
            if token.type in ("html_inline", "html_block"):
                rest = token.content
                for tag in ALLOWED:
                    rest = rest.replace(tag, "")
                assert "<" not in rest, token.content
            walk(token.children or [])

    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    walk(tokens)
    assert any(token.type == "table_open" for token in tokens)


def junit(path):
    cases = [case for suite in JUnitXml.fromfile(path) for case in suite]
    assert cases and all(case.time >= 0 for case in cases)


if __name__ == "__main__":
    from counting import finish, passed

    stems = sys.argv[1:]
    for stem in stems:
        har(open(stem + ".har", encoding="utf-8").read())
        otlp(open(stem + ".otlp", encoding="utf-8").read())
        markdown(open(stem + ".md", encoding="utf-8").read())
        junit(stem + ".xml")
    for name in ("HAR", "OTLP", "Markdown", "JUnit"):
        passed(f"traces as {name}", len(stems))
    finish()
