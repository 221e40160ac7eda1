import Documents
import Effects
import OrderedCollections
import Reports
import TestSupport
import Testing

@Suite struct HTTPArchiveTests {
  /// The required members of HAR 1.2.
  static let required: [String: [String]] = [
    "log": ["version", "creator", "entries"], "creator": ["name", "version"],
    "page": ["startedDateTime", "id", "title", "pageTimings"],
    "entry": ["startedDateTime", "time", "request", "response", "cache", "timings"],
    "request": [
      "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
    ],
    "response": [
      "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize",
    ],
    "content": ["size", "mimeType"], "postData": ["mimeType"], "timings": ["send", "wait", "receive"],
  ]

  private func expectRequiredMembers(of part: String, in json: JSON?) {
    for member in Self.required[part] ?? [] { #expect(json?[member] != nil, "\(part) without \(member)") }
  }

  @Test func containsAllRequiredMembers() throws {
    for run in try RecordedRun.truncatedRuns() {
      let log = HTTPArchive.json(run)["log"]
      expectRequiredMembers(of: "log", in: log)
      expectRequiredMembers(of: "creator", in: log?["creator"])
      let pages = Set(
        (log?["pages"]?.array ?? []).compactMap { page -> String? in
          expectRequiredMembers(of: "page", in: page)
          return page["id"]?.string
        })
      let entries = log?["entries"]?.array ?? []
      #expect(entries.count == run.exchanges.count)
      for entry in entries {
        expectRequiredMembers(of: "entry", in: entry)
        expectRequiredMembers(of: "request", in: entry["request"])
        if let data = entry["request"]?["postData"] {
          expectRequiredMembers(of: "postData", in: data)
          #expect((data["params"] == nil) != (data["text"] == nil))
        }
        expectRequiredMembers(of: "response", in: entry["response"])
        expectRequiredMembers(of: "content", in: entry["response"]?["content"])
        expectRequiredMembers(of: "timings", in: entry["timings"])
        #expect(pages.contains(entry["pageref"]?.string ?? ""))
        let timings = (entry["timings"]?.object ?? [:]).values.compactMap(\.number).filter { $0 >= 0 }
        #expect(abs(timings.reduce(0, +) - (entry["time"]?.number ?? -1)) < 0.001)
        #expect(Instant(rfc3339: entry["startedDateTime"]?.string ?? "") != nil)
        let url = entry["request"]?["url"]?.string ?? ""
        #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !url.contains("#"), "\(url)")
      }
    }
  }

  @Test func splitsQueriesAndCookiesWithPlaceholders() throws {
    let entry = HTTPArchive.json(try RecordedRun.run())["log"]?["entries"]?[3]
    #expect(
      entry?["request"]?["queryString"] == [
        ["name": "state", "value": "‹state #1›"], ["name": "nonce", "value": "n n"],
      ])
    #expect(
      entry?["request"]?["url"]?.string?.hasSuffix("?state=%E2%80%B9state%20%231%E2%80%BA&nonce=n%20n") == true)
    #expect(
      entry?["request"]?["cookies"] == [["name": "a", "value": "‹cookie #1›"], ["name": "b", "value": "‹cookie #2›"]])
    #expect(
      entry?["response"]?["cookies"]
        == [
          ["name": "a", "value": "‹cookie #3›", "path": "/", "secure": true, "httpOnly": true],
          ["name": "b", "value": "", "path": "/x"],
        ])
  }

  @Test func recordsWhyARequestHasNoResponse() throws {
    let entries = HTTPArchive.json(try RecordedRun.run())["log"]?["entries"]
    #expect(entries?[1]?["response"]?["status"] == 0)
    #expect(entries?[1]?["response"]?["_error"] == "no network: the cable is out")
    #expect(entries?[5]?["response"]?["_error"] == "the trace ends before the response")
    #expect(entries?[2]?["comment"] == "request 3, correlation ID c-1, attempt 2")
  }
}
