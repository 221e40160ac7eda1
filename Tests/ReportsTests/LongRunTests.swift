import Documents
import OrderedCollections
import Reports
import TestSupport
import Testing

/// Tests excerpts of runs that are too long for a page.
@Suite struct LongRunTests {
  private static let limits = TracedRunExcerpt.Limits(steps: 4, exchanges: 6, decisions: 4, cacheWrites: 4, tokens: 4)

  private static func write(_ change: String, _ key: String, _ value: Int) -> JSON {
    ["change": .string(change), "section": "AccessToken", "key": .string(key), "entry": ["n": .integer(Int64(value))]]
  }

  /// Returns a run with `steps` steps. Each step has an exchange, a token, a decision, and a cache write.
  private static func run(steps: Int) -> TracedRun? {
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
    return PageTraces.tracedRun(lines)
  }

  @Test func keepsTheStartAndTheEndWithConsistentReferences() throws {
    let complete = try #require(Self.run(steps: 20))
    let excerpt = TracedRunExcerpt(of: complete, limits: Self.limits)
    #expect(
      excerpt.omissions.map { "\($0.kept) of \($0.all) \($0.name)" } == [
        "4 of 20 steps", "6 of 20 HTTP exchanges", "4 of 20 decisions", "4 of 20 cache writes",
        "4 of 20 tokens and codes",
      ])
    let run = excerpt.tracedRun
    #expect(run.steps.map(\.id) == ["s1", "s2", "s19", "s20"])
    #expect(run.exchanges.map(\.id) == [1, 2, 3, 18, 19, 20])
    #expect(run.exchanges.map { $0.step.map { run.steps[$0].id } } == ["s1", "s2", nil, nil, "s19", "s20"])
    #expect(run.steps.map { $0.exchanges.map { run.exchanges[$0].id } } == [[1], [2], [19], [20]])
    #expect(
      run.steps.map { $0.decisions.map { run.decisions[$0].reason } } == [
        ["why 1"], ["why 2"], ["why 19"], ["why 20"],
      ])
    #expect(run.tokens.map(\.number) == [1, 2, 19, 20])
    #expect(run.tokens.last?.uses == [.sent(exchange: 5)])
    // The first write after the gap summarizes the omitted writes.
    #expect(run.cacheWrites.count == 4)
    #expect(Set(run.cacheAtEnd.entries.keys) == Set(complete.cacheAtEnd.entries.keys))
    for (key, entry) in complete.cacheAtEnd.entries { #expect(run.cacheAtEnd.entries[key] == entry) }
    let keys = run.cacheWrites[2].changes.map { "\($0.kind) \($0.key.key)" }
    #expect(Set(keys) == ["added own 19", "changed shared", "deleted own 2"])
    #expect(run.cacheWrites[2].reason == "written, and 16 omitted writes before it")
  }

  @Test func keepsShortRunsComplete() throws {
    let complete = try #require(Self.run(steps: 4))
    let excerpt = TracedRunExcerpt(of: complete, limits: Self.limits)
    #expect(excerpt.omissions.isEmpty)
    #expect(excerpt.tracedRun.steps.count == 4)
    #expect(!RunPage(tracedRun: complete, limits: Self.limits).html().contains("too long for a page"))
  }

  @Test func thePageListsOmissions() throws {
    let html = RunPage(tracedRun: try #require(Self.run(steps: 1_234)), limits: Self.limits).html()
    #expect(html.contains("4 of 1,234 steps, 6 of 1,234 HTTP exchanges, 4 of 1,234 decisions"))
    #expect(html.utf8.count < 200_000)
    // All links have targets.
    for link in html.split(separator: "href=\"#").dropFirst() {
      let target = link.prefix { $0 != "\"" }
      #expect(html.contains("id=\"\(target)\""), "\(target)")
    }
  }

  @Test func theDiagramStaysWithinMermaidsLimit() throws {
    let short = TruncatedSequence(try #require(Self.run(steps: 5)))
    #expect(short.leftOut == nil && short.text.contains("/5"))
    let long = TruncatedSequence(try #require(Self.run(steps: 3_000)))
    #expect(
      long.text.count <= TruncatedSequence.mostCharacters && long.text.count > TruncatedSequence.mostCharacters / 4)
    let omitted = try #require(long.leftOut)
    #expect(omitted.contains("of 3000 steps") && omitted.contains("of 3000 HTTP exchanges"))
    let diagram = try MermaidSequence(sequence: long.text)
    #expect(diagram.messages.count > 20)
    #expect(diagram.notes.first?.text.contains("of 3000 steps") == true)
    #expect(
      diagram.messages.contains { $0.text.hasSuffix("/1") },
      "the first exchange is included: \(diagram.messages.prefix(3))")
    #expect(diagram.messages.contains { $0.text.contains("/3000") }, "the last exchange is included")
  }
}
