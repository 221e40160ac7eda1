import Documents
import OrderedCollections
import Reports
import TestSupport
import Testing

/// Runs that are longer than a page.
@Suite struct LongRunTests {
  private static let limits = TracedRunExcerpt.Limits(steps: 4, exchanges: 6, decisions: 4, cacheWrites: 4, tokens: 4)

  private static func write(_ change: String, _ key: String, _ value: Int) -> JSON {
    ["change": .string(change), "section": "AccessToken", "key": .string(key), "entry": ["n": .integer(Int64(value))]]
  }

  /// As many steps, each with an exchange of its own token, a decision and a cache write.
  private static func story(steps: Int) -> TracedRun? {
    var lines: [JSON] = [
      ["kind": "run.started", "format": 2, "tool": "authflow 1", "platform": "emulated", "name": "long"]
    ]
    for number in 1...steps {
      let step = JSON.string("s\(number)")
      let id = JSON.integer(Int64(number))
      lines += [
        ["kind": "step.started", "step": step, "stepKind": "silent", "rule": "next"],
        [
          "kind": "http.request", "step": step, "id": id, "from": "app", "method": "GET",
          "url": "https://a.example/\(number)",
          "headers": ["authorization": .string("Bearer ‹access token #\(number)›")],
        ],
        ["kind": "http.response", "step": step, "id": id, "from": "app", "status": 200],
        [
          "kind": "decision", "step": step, "subject": "accessToken", "verdict": "hit",
          "reason": .string("why \(number)"),
        ],
        [
          "kind": "cache.written", "step": step, "reason": "written",
          "changes": [
            write("added", "own \(number)", number), write(number == 1 ? "added" : "changed", "shared", number),
            write(number > 1 ? "deleted" : "added", number > 1 ? "own \(number - 1)" : "first", number),
          ],
        ],
        ["kind": "step.finished", "step": step, "outcome": "success", "verdict": "ok", "next": "next"],
      ]
    }
    lines.append(["kind": "run.finished", "outcome": "success", "path": [], "interactions": 0])
    return PageTraces.story(lines)
  }

  @Test func theBeginningAndTheEndStayAndReferToEachOther() throws {
    let whole = try #require(Self.story(steps: 20))
    let excerpt = TracedRunExcerpt(of: whole, limits: Self.limits)
    #expect(
      excerpt.omissions.map { "\($0.kept) of \($0.all) \($0.name)" } == [
        "4 of 20 steps", "6 of 20 HTTP exchanges", "4 of 20 decisions", "4 of 20 cache writes",
        "4 of 20 tokens and codes",
      ])
    let story = excerpt.story
    #expect(story.steps.map(\.id) == ["s1", "s2", "s19", "s20"])
    #expect(story.exchanges.map(\.id) == [1, 2, 3, 18, 19, 20])
    #expect(story.exchanges.map { $0.step.map { story.steps[$0].id } } == ["s1", "s2", nil, nil, "s19", "s20"])
    #expect(story.steps.map { $0.exchanges.map { story.exchanges[$0].id } } == [[1], [2], [19], [20]])
    #expect(
      story.steps.map { $0.decisions.map { story.decisions[$0].reason } } == [
        ["why 1"], ["why 2"], ["why 19"], ["why 20"],
      ])
    #expect(story.tokens.map(\.number) == [1, 2, 19, 20])
    #expect(story.tokens.last?.uses == [.sent(exchange: 5)])
    // What was written in the gap is not lost.
    #expect(story.cacheWrites.count == 4)
    #expect(Set(story.cacheAtEnd.entries.keys) == Set(whole.cacheAtEnd.entries.keys))
    for (key, entry) in whole.cacheAtEnd.entries { #expect(story.cacheAtEnd.entries[key] == entry) }
    let keys = story.cacheWrites[2].changes.map { "\($0.kind) \($0.key.key)" }
    #expect(Set(keys) == ["added own 19", "changed shared", "deleted own 2"])
    #expect(story.cacheWrites[2].reason == "written, and 16 writes before it that are not told")
  }

  @Test func aShortRunIsAllThere() throws {
    let whole = try #require(Self.story(steps: 4))
    let excerpt = TracedRunExcerpt(of: whole, limits: Self.limits)
    #expect(excerpt.omissions.isEmpty)
    #expect(excerpt.story.steps.count == 4)
    #expect(!RunPage(story: whole, limits: Self.limits).html().contains("too long for a page"))
  }

  @Test func aPageSaysWhatItLeftOut() throws {
    let html = RunPage(story: try #require(Self.story(steps: 1_234)), limits: Self.limits).html()
    #expect(html.contains("4 of 1,234 steps, 6 of 1,234 HTTP exchanges, 4 of 1,234 decisions"))
    #expect(html.utf8.count < 200_000)
    // No link leads to what is not there.
    for link in html.split(separator: "href=\"#").dropFirst() {
      let place = link.prefix { $0 != "\"" }
      #expect(html.contains("id=\"\(place)\""), "\(place)")
    }
  }

  @Test func aDiagramStaysSmallEnoughForMermaid() throws {
    let short = TruncatedSequence(try #require(Self.story(steps: 5)))
    #expect(short.leftOut == nil && short.text.contains("/5"))
    let long = TruncatedSequence(try #require(Self.story(steps: 3_000)))
    #expect(
      long.text.count <= TruncatedSequence.mostCharacters && long.text.count > TruncatedSequence.mostCharacters / 4)
    let leftOut = try #require(long.leftOut)
    #expect(leftOut.contains("of 3000 steps") && leftOut.contains("of 3000 HTTP exchanges"))
    let reading = try MermaidReading(sequence: long.text)
    #expect(reading.messages.count > 20)
    #expect(reading.notes.first?.text.contains("of 3000 steps") == true)
    #expect(reading.messages.contains { $0.text.hasSuffix("/1") }, "the beginning stays: \(reading.messages.prefix(3))")
    #expect(reading.messages.contains { $0.text.contains("/3000") }, "and so does the end")
  }
}
