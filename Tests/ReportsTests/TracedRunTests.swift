import Documents
import Effects
import OrderedCollections
import Reports
import Testing

@Suite struct TracedRunTests {
  @Test func aStepRecordsItsEntryAndExit() throws {
    var trace = TraceText()
    trace.begin()
    trace.step(
      "silent", ["number": 1, "place": ["file": "a.yaml", "line": 7, "column": 5], "client": "mail"])
    trace.add(
      "decision",
      ["step": "silent", "subject": "accessToken", "verdict": "expired", "reason": "token expired a minute ago"])
    trace.add(
      "decision",
      ["step": "silent", "subject": "capture", "verdict": "bound", "reason": "x is 1", "facts": ["detail": true]])
    trace.end(
      "silent", "interactionRequired",
      [
        "verdict": "handled", "next": "interactive", "rule": "default of silent", "milliseconds": 12.5, "attempts": 1,
        "error": ["msal": "interactionRequired", "code": "AADSTS50076", "description": "no"],
      ])
    trace.finish("interactionRequired")
    let result = trace.read
    #expect(result.findings.isEmpty)
    let run = try #require(result.tracedRun)
    let step = try #require(run.steps.first)
    #expect(step.id == "silent" && step.kind == "silent" && step.number == 1 && step.client == "mail")
    #expect(step.place == TracedLocation(file: "a.yaml", line: 7, column: 5))
    #expect(step.outcome == "interactionRequired" && step.verdict == .handled)
    #expect(step.enteredBy == "the first step" && step.leftBy == "default of silent" && step.next == "interactive")
    #expect(step.duration == .microseconds(12_500))
    #expect(step.started == Instant(rfc3339: TraceText.time(2)) && step.ended == Instant(rfc3339: TraceText.time(5)))
    #expect(step.failure?.code == "AADSTS50076" && step.failure?.msal == "interactionRequired")
    #expect(step.decisions == [0, 1])
    #expect(run.reasons(ofStep: 0).map(\.subject) == ["accessToken"])
    #expect(run.ending?.outcome == "interactionRequired" && run.succeeded == false && run.exitCode == 1)
  }

  @Test func aScenarioSucceedsIfItsExpectationsHold() throws {
    var trace = TraceText()
    trace.add("scenario.started", ["name": "offline"])
    trace.begin()
    trace.add("http.request", ["id": 1, "from": "app", "method": "GET", "url": "https://login/"])
    trace.step("silent")
    trace.end("silent", "offline")
    trace.finish("offline")
    trace.add("scenario.finished", ["name": "offline", "outcome": "passed", "broken": []])
    let run = try #require(trace.read.tracedRun)
    #expect(run.scenario?.name == "offline" && run.scenario?.outcome == "passed")
    #expect(run.succeeded == true && run.exitCode == 0)
    #expect(run.exchanges[0].step == nil)
  }

  @Test func pairsRequestsWithResponses() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("callGraph", kind: "callGraph")
    trace.add(
      "http.request",
      [
        "id": 1, "from": "app", "method": "POST", "url": "https://login/token", "step": "callGraph",
        "headers": ["client-request-id": "c-1", "authorization": ["Bearer", "‹access token #1›"]],
        "body": ["bytes": 30, "type": "application/x-www-form-urlencoded", "form": ["grant_type": "refresh_token"]],
      ])
    trace.add(
      "http.request", ["id": 2, "from": "browser", "method": "GET", "url": "https://login/", "step": "callGraph"])
    trace.add("http.response", ["id": 2, "from": "browser", "failure": "no network", "milliseconds": 3])
    trace.add(
      "http.response",
      [
        "id": 1, "from": "app", "status": 400, "milliseconds": 20.057, "step": "callGraph",
        "headers": ["x-ms-request-id": "r-1", "set-cookie": ["a=‹cookie #1›", "b=‹cookie #2›"]],
        "body": ["bytes": 20, "type": "application/json", "json": ["error": "invalid_grant"]],
      ])
    trace.end("callGraph", "unauthorized")
    trace.finish()
    let run = try #require(trace.read.tracedRun)
    #expect(run.steps[0].exchanges == [0, 1])
    let first = run.exchanges[0]
    #expect(first.answer?.status == 400 && first.duration == .microseconds(20_057))
    #expect(first.correlationID == "c-1" && first.requestID == "r-1")
    #expect(first.request.headers.first(named: "Authorization") == "Bearer ‹access token #1›")
    #expect(first.request.body?.form?.first?.value == "refresh_token")
    #expect(first.answer?.body?.json?["error"] == "invalid_grant")
    #expect(first.answer?.headers.fields.filter { $0.name == "set-cookie" }.count == 2)
    #expect(run.exchanges[1].answer?.failure == "no network" && run.exchanges[1].answer?.status == nil)
  }

  @Test func eachRetryStartsANewAttempt() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.add("http.request", ["id": 1, "from": "app", "method": "GET", "url": "https://l/", "step": "silent"])
    trace.add(
      "decision",
      [
        "step": "silent", "subject": "retry", "verdict": "again", "reason": "offline: attempt 2 after 2s",
        "facts": ["attempt": 2, "milliseconds": 2000],
      ])
    trace.add(
      "decision",
      [
        "step": "silent", "subject": "retry", "verdict": "again", "reason": "retry of a single request",
        "facts": ["attempt": 1, "waitMilliseconds": 5],
      ])
    trace.add("http.request", ["id": 2, "from": "app", "method": "GET", "url": "https://l/", "step": "silent"])
    trace.end("silent", "success", ["attempts": 2])
    trace.finish()
    let run = try #require(trace.read.tracedRun)
    let attempts = run.steps[0].attempts
    #expect(attempts.map(\.number) == [1, 2])
    #expect(attempts[0].ended == Instant(rfc3339: TraceText.time(4)))
    #expect(attempts[1].started == Instant(rfc3339: TraceText.time(6)))
    #expect(attempts[1].ended == Instant(rfc3339: TraceText.time(7)))
    #expect(run.exchanges.map(\.attempt) == [1, 2])
  }

  @Test func nestedStepsReferToTheirParents() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("login", kind: "use")
    trace.step("login/both", kind: "parallel")
    trace.step("login/silent#1")
    trace.step("login/silent#2")
    trace.end("login/silent#2")
    trace.end("login/silent#1")
    trace.end("login/both")
    trace.end("login")
    trace.step("other", ["parent": "unknown"])
    trace.end("other")
    trace.add(
      "step.finished",
      ["step": "silent", "stepKind": "silent", "outcome": "skipped", "next": "next", "verdict": "skipped", "rule": "r"])
    trace.finish()
    let result = trace.read
    #expect(result.findings.isEmpty)
    let run = try #require(result.tracedRun)
    #expect(run.steps.map(\.id) == ["login", "login/both", "login/silent#1", "login/silent#2", "other", "silent"])
    #expect(run.steps.map(\.depth) == [0, 1, 2, 2, 0, 0])
    #expect(run.steps.map(\.parent) == [nil, 0, 1, 1, nil, nil])
    #expect(run.steps[0].children == [1] && run.steps[1].children == [2, 3])
    #expect(run.outermost == [0, 4, 5])
    #expect(run.steps[5].verdict == .skipped && run.steps[5].attempts.isEmpty)
    #expect(run.steps[5].leftBy == "r" && run.steps[5].enteredBy.isEmpty)
  }

  @Test func eventsBelongToTheCurrentEntryOfTheirStep() throws {
    var trace = TraceText()
    trace.begin()
    for _ in 1...2 {
      trace.step("silent")
      trace.add("decision", ["step": "silent", "subject": "a", "verdict": "b", "reason": "c"])
      trace.end("silent")
    }
    trace.finish()
    let run = try #require(trace.read.tracedRun)
    #expect(run.steps.map(\.decisions) == [[0], [1]])
  }

  @Test func pairsTheStartAndTheEndOfInteractions() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("interactive", kind: "interactive")
    trace.add(
      "interaction",
      [
        "phase": "opened", "purpose": "signIn", "url": "https://l/?state=‹state #1›", "webview": "default",
        "step": "interactive",
      ])
    trace.add(
      "interaction",
      [
        "phase": "ended", "purpose": "signIn", "ending": "closed", "screens": ["username", "mfa"],
        "pageError": "AADSTS1",
        "reason": nil, "step": "interactive",
      ])
    trace.add("interaction", ["phase": "opened", "purpose": "signOut"])
    let run = try #require(trace.read.tracedRun)
    #expect(run.interactions.count == 2)
    #expect(run.interactions[0].screens == ["username", "mfa"] && run.interactions[0].ending == "closed")
    #expect(run.interactions[0].pageError == "AADSTS1" && run.interactions[0].ended != nil)
    #expect(run.interactions[1].ended == nil && run.interactions[1].step == nil)
    #expect(run.steps[0].interactions == [0])
    #expect(run.steps[0].verdict == .unfinished && run.succeeded == nil && run.exitCode == nil)
  }

  @Test func reconstructsTheCacheFromWrites() throws {
    func change(_ kind: String, _ key: String, _ value: String) -> JSON {
      ["change": .string(kind), "section": "AccessToken", "key": .string(key), "entry": ["target": .string(value)]]
    }
    var trace = TraceText()
    trace.begin()
    trace.add("cache.read", ["entries": [["section": "AccessToken", "key": "old", "entry": ["target": "o"]]]])
    trace.step("silent")
    trace.add("cache.read", ["section": "AccessToken", "key": "k", "found": false, "step": "silent"])
    trace.add("cache.written", ["reason": "new", "step": "silent", "changes": [change("added", "k", "1")]])
    trace.end("silent")
    trace.step("signout", kind: "signout")
    trace.add(
      "cache.written",
      ["reason": "gone", "step": "signout", "changes": [change("deleted", "old", "o"), change("changed", "k", "2")]])
    trace.end("signout")
    trace.finish()
    let run = try #require(trace.read.tracedRun)
    func targets(_ cache: TracedCache) -> [String] {
      cache.entries.map { "\($0.key.key)=\($0.value["target"]?.string ?? "")" }
    }
    #expect(targets(run.cache(beforeStep: 0)) == ["old=o"])
    #expect(targets(run.cache(afterStep: 0)) == ["old=o", "k=1"])
    #expect(targets(run.cache(beforeStep: 1)) == ["old=o", "k=1"])
    #expect(targets(run.cacheAtEnd) == ["k=2"])
    #expect(run.cacheReads.count == 1 && !run.cacheReads[0].found)
    #expect(run.steps[1].cacheWrites == [1])
  }

  @Test func tracksTokensThroughRequestsAndTheCache() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.add(
      "http.request",
      [
        "id": 1, "from": "app", "method": "POST", "url": "https://l/", "step": "silent",
        "body": ["bytes": 1, "form": ["refresh_token": "‹refresh token #1›"]],
      ])
    trace.add(
      "http.response",
      [
        "id": 1, "from": "app", "status": 200, "step": "silent",
        "body": ["bytes": 1, "json": ["access_token": "‹access token #1›", "id_token": "‹id token #1›"]],
      ])
    trace.add(
      "cache.written",
      [
        "step": "silent", "reason": "w",
        "changes": [
          ["change": "added", "section": "AccessToken", "key": "k", "entry": ["secret": "‹access token #1›"]]
        ],
      ])
    trace.add(
      "token.acquired",
      [
        "source": "refreshToken", "scopes": ["User.Read"], "accessToken": "‹access token #1›",
        "account": "m@contoso.com",
        "step": "silent", "extended": false,
        "contents": [["token": "‹id token #1›", "header": ["alg": "RS256"], "claims": ["tid": "t"]]],
      ])
    trace.add("decision", ["subject": "s", "verdict": "v", "reason": "‹ a ‹b› ‹c #x› ‹secret #12› ‹cookie #1"])
    trace.end("silent")
    trace.finish()
    let run = try #require(trace.read.tracedRun)
    #expect(
      run.tokens.map(\.label) == ["‹refresh token #1›", "‹access token #1›", "‹id token #1›", "‹secret #12›"])
    let access = run.tokens[1]
    #expect(access.kind == "access token" && access.number == 1)
    #expect(access.uses == [.received(exchange: 0), .cached(write: 0)])
    #expect(access.acquisitions.map(\.source) == ["refreshToken"] && access.acquisitions[0].scopes == ["User.Read"])
    #expect(run.tokens[2].claims?["tid"] == "t" && run.tokens[2].header?["alg"] == "RS256")
    #expect(run.tokens[0].uses == [.sent(exchange: 0)])
  }
}
