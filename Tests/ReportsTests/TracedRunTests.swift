import Documents
import Effects
import OrderedCollections
import Reports
import Testing

@Suite struct TracedRunTests {
  @Test func aStepTellsWhereItCameFromAndWhereItLed() throws {
    var trace = TraceText()
    trace.begin()
    trace.step(
      "silent", ["number": 1, "place": ["file": "a.yaml", "line": 7, "column": 5], "client": "mail"])
    trace.add(
      "decision",
      ["step": "silent", "subject": "accessToken", "verdict": "expired", "reason": "it ended a minute ago"])
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
    let reading = trace.read
    #expect(reading.words.isEmpty)
    let story = try #require(reading.story)
    let step = try #require(story.steps.first)
    #expect(step.id == "silent" && step.kind == "silent" && step.number == 1 && step.client == "mail")
    #expect(step.place == TracedLocation(file: "a.yaml", line: 7, column: 5))
    #expect(step.outcome == "interactionRequired" && step.verdict == .handled)
    #expect(step.enteredBy == "the first step" && step.leftBy == "default of silent" && step.next == "interactive")
    #expect(step.duration == .microseconds(12_500))
    #expect(step.started == Instant(rfc3339: TraceText.time(2)) && step.ended == Instant(rfc3339: TraceText.time(5)))
    #expect(step.failure?.code == "AADSTS50076" && step.failure?.msal == "interactionRequired")
    #expect(step.decisions == [0, 1])
    #expect(story.reasons(ofStep: 0).map(\.subject) == ["accessToken"])
    #expect(story.ending?.outcome == "interactionRequired" && story.succeeded == false && story.exitCode == 1)
  }

  @Test func aScenarioIsJudgedByWhatItExpects() throws {
    var trace = TraceText()
    trace.add("scenario.started", ["name": "offline"])
    trace.begin()
    trace.add("http.request", ["id": 1, "from": "app", "method": "GET", "url": "https://login/"])
    trace.step("silent")
    trace.end("silent", "offline")
    trace.finish("offline")
    trace.add("scenario.finished", ["name": "offline", "outcome": "passed", "broken": []])
    let story = try #require(trace.read.story)
    #expect(story.scenario?.name == "offline" && story.scenario?.outcome == "passed")
    #expect(story.succeeded == true && story.exitCode == 0)
    #expect(story.exchanges[0].step == nil && story.isGiven(seq: story.exchanges[0].request.seq))
  }

  @Test func anExchangeIsARequestAndItsAnswer() throws {
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
    let story = try #require(trace.read.story)
    #expect(story.steps[0].exchanges == [0, 1])
    let first = story.exchanges[0]
    #expect(first.answer?.status == 400 && first.duration == .microseconds(20_057))
    #expect(first.correlationID == "c-1" && first.requestID == "r-1")
    #expect(first.request.headers.first(named: "Authorization") == "Bearer ‹access token #1›")
    #expect(first.request.body?.form?.first?.value == "refresh_token")
    #expect(first.answer?.body?.json?["error"] == "invalid_grant")
    #expect(first.answer?.headers.fields.filter { $0.name == "set-cookie" }.count == 2)
    #expect(story.exchanges[1].answer?.failure == "no network" && story.exchanges[1].answer?.status == nil)
  }

  @Test func attemptsAreToldByTheirRetries() throws {
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
        "step": "silent", "subject": "retry", "verdict": "again", "reason": "a call's own",
        "facts": ["attempt": 1, "waitMilliseconds": 5],
      ])
    trace.add("http.request", ["id": 2, "from": "app", "method": "GET", "url": "https://l/", "step": "silent"])
    trace.end("silent", "success", ["attempts": 2])
    trace.finish()
    let story = try #require(trace.read.story)
    let attempts = story.steps[0].attempts
    #expect(attempts.map(\.number) == [1, 2])
    #expect(attempts[0].ended == Instant(rfc3339: TraceText.time(4)))
    #expect(attempts[1].started == Instant(rfc3339: TraceText.time(6)))
    #expect(attempts[1].ended == Instant(rfc3339: TraceText.time(7)))
    #expect(story.exchanges.map(\.attempt) == [1, 2])
  }

  @Test func stepsInsideOthersKnowThem() throws {
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
    trace.step("other", ["parent": "nobody"])
    trace.end("other")
    trace.add(
      "step.finished",
      ["step": "silent", "stepKind": "silent", "outcome": "skipped", "next": "next", "verdict": "skipped", "rule": "r"])
    trace.finish()
    let reading = trace.read
    #expect(reading.words.isEmpty)
    let story = try #require(reading.story)
    #expect(story.steps.map(\.id) == ["login", "login/both", "login/silent#1", "login/silent#2", "other", "silent"])
    #expect(story.steps.map(\.depth) == [0, 1, 2, 2, 0, 0])
    #expect(story.steps.map(\.parent) == [nil, 0, 1, 1, nil, nil])
    #expect(story.steps[0].children == [1] && story.steps[1].children == [2, 3])
    #expect(story.outermost == [0, 4, 5])
    #expect(story.steps[5].verdict == .skipped && story.steps[5].attempts.isEmpty)
    #expect(story.steps[5].leftBy == "r" && story.steps[5].enteredBy.isEmpty)
  }

  @Test func whatIsToldOfASecondEntryBelongsToThatEntry() throws {
    var trace = TraceText()
    trace.begin()
    for _ in 1...2 {
      trace.step("silent")
      trace.add("decision", ["step": "silent", "subject": "a", "verdict": "b", "reason": "c"])
      trace.end("silent")
    }
    trace.finish()
    let story = try #require(trace.read.story)
    #expect(story.steps.map(\.decisions) == [[0], [1]])
  }

  @Test func interactionsHaveABeginningAndAnEnd() throws {
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
    let story = try #require(trace.read.story)
    #expect(story.interactions.count == 2)
    #expect(story.interactions[0].screens == ["username", "mfa"] && story.interactions[0].ending == "closed")
    #expect(story.interactions[0].pageError == "AADSTS1" && story.interactions[0].ended != nil)
    #expect(story.interactions[1].ended == nil && story.interactions[1].step == nil)
    #expect(story.steps[0].interactions == [0])
    #expect(story.steps[0].verdict == .unfinished && story.succeeded == nil && story.exitCode == nil)
  }

  @Test func theCacheIsReplayedFromItsWrites() throws {
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
    let story = try #require(trace.read.story)
    func targets(_ cache: TracedCache) -> [String] {
      cache.entries.map { "\($0.key.key)=\($0.value["target"]?.string ?? "")" }
    }
    #expect(targets(story.cache(beforeStep: 0)) == ["old=o"])
    #expect(targets(story.cache(afterStep: 0)) == ["old=o", "k=1"])
    #expect(targets(story.cache(beforeStep: 1)) == ["old=o", "k=1"])
    #expect(targets(story.cacheAtEnd) == ["k=2"])
    #expect(story.cacheReads.count == 1 && !story.cacheReads[0].found)
    #expect(story.steps[1].cacheWrites == [1])
  }

  @Test func aTokenIsFollowedWhereverItGoes() throws {
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
    let story = try #require(trace.read.story)
    #expect(
      story.tokens.map(\.label) == ["‹refresh token #1›", "‹access token #1›", "‹id token #1›", "‹secret #12›"])
    let access = story.tokens[1]
    #expect(access.kind == "access token" && access.number == 1)
    #expect(access.uses == [.received(exchange: 0), .cached(write: 0)])
    #expect(access.acquisitions.map(\.source) == ["refreshToken"] && access.acquisitions[0].scopes == ["User.Read"])
    #expect(story.tokens[2].claims?["tid"] == "t" && story.tokens[2].header?["alg"] == "RS256")
    #expect(story.tokens[0].uses == [.sent(exchange: 0)])
  }
}
