import Documents
import Effects
import OrderedCollections
import RunTrace

/// Builds a run from its events.
struct TracedRunBuilder {
  private(set) var tracedRun: TracedRun
  /// The format version in `run.started`.
  private(set) var format: Int?
  /// The indices of the running steps, innermost last.
  private var open: [Int] = []
  private var lastSeq = 0
  private var hasScenario = false
  private var hasRun = false
  private var hasTime = false
  /// The style sheet of the last recorded page.
  private var pageStyle: String?
  /// Exchanges that have no response yet, by number.
  private var unanswered: [Int: Int] = [:]
  private var tokens: OrderedDictionary<String, TracedToken> = [:]

  init() {
    let epoch = Instant(nanosecondsSince1970: 0)
    tracedRun = TracedRun(
      format: TraceSchema.version, tool: "", name: "", usedSources: [:], platform: "", settings: [:], started: epoch,
      ended: epoch)
  }

  /// Returns whether an event starts another run.
  func startsAnotherRun(_ kind: TraceEvent.Kind?) -> Bool {
    kind == .scenarioStarted ? hasScenario || hasRun : hasRun
  }

  /// - Returns: Problems with the event at this position.
  mutating func take(_ header: TraceEventParser.Header, _ members: OrderedDictionary<String, JSON>) -> [String] {
    var problems: [String] = []
    if header.seq <= lastSeq {
      problems.append("lines out of order: `seq` \(header.seq) follows \(lastSeq)")
    } else if header.seq > lastSeq + 1, lastSeq > 0 {
      let missing = header.seq - lastSeq - 1
      problems.append("\(missing == 1 ? "an event is" : "\(missing) events are") missing before this one")
    }
    // Cross-references need increasing numbers, so an event that is out of order gets the next number.
    let seq = max(header.seq, lastSeq + 1)
    lastSeq = seq
    if !hasTime { tracedRun.started = header.time }
    hasTime = true
    tracedRun.ended = header.time
    var event = Event(seq: seq, time: header.time, members: members, step: nil)
    event.step = members["step"]?.string.flatMap { step(named: $0) }
    guard let kind = header.kind else {
      tracedRun.unknown.append(
        TracedRun.Unknown(
          seq: seq, time: header.time, kind: header.kindName, step: event.step, members: .object(members)))
      return problems
    }
    switch kind {
    case .runStarted: runStarted(event)
    case .scenarioStarted:
      hasScenario = true
      tracedRun.scenario = TracedRun.Scenario(name: event.text("name") ?? "", outcome: nil, broken: [])
    case .stepStarted: stepStarted(event)
    case .decision: decision(event)
    case .httpRequest: problems += request(event)
    case .httpResponse: problems += answer(event)
    case .cacheRead: cacheRead(event)
    case .cacheWritten: cacheWritten(event)
    case .interaction: interaction(event)
    case .tokenAcquired: tokenAcquired(event)
    case .stepFinished: problems += stepFinished(event)
    case .scenarioFinished: scenarioFinished(event)
    case .runFinished: runFinished(event)
    }
    return problems
  }

  /// Returns the run as recorded so far.
  mutating func finish() -> TracedRun {
    tracedRun.tokens = Array(tokens.values)
    return tracedRun
  }

  // MARK: Run and scenario

  private mutating func runStarted(_ event: Event) {
    hasRun = true
    format = event.members["format"]?.integer.map { Int(clamping: $0) }
    tracedRun.format = format ?? TraceSchema.version
    tracedRun.tool = event.text("tool") ?? ""
    tracedRun.file = event.text("file")
    tracedRun.name = event.text("name") ?? tracedRun.file ?? ""
    tracedRun.source = event.text("source")
    tracedRun.usedSources = (event.members["usedSources"]?.object ?? [:]).compactMapValues(\.string)
    tracedRun.machine = event.members["machine"]
    tracedRun.platform = event.text("platform") ?? ""
    tracedRun.settings = event.members["settings"] ?? [:]
    tracedRun.traceID = event.text("traceId")
    tracedRun.started = event.time
  }

  private mutating func scenarioFinished(_ event: Event) {
    if tracedRun.scenario == nil { tracedRun.scenario = TracedRun.Scenario(name: event.text("name") ?? "", broken: []) }
    tracedRun.scenario?.outcome = event.text("outcome")
    tracedRun.scenario?.broken = event.texts("broken")
  }

  private mutating func runFinished(_ event: Event) {
    tracedRun.ending = TracedRun.Ending(
      time: event.time, outcome: event.text("outcome") ?? "", reason: event.text("reason"), path: event.texts("path"),
      interactions: Int(clamping: event.members["interactions"]?.integer ?? 0),
      pages: event.members["pages"]?.integer.map { Int(clamping: $0) },
      requests: (event.members["requests"]?.object ?? [:]).map { ($0.key, Int(clamping: $0.value.integer ?? 0)) },
      duration: event.duration)
  }

  // MARK: Steps

  /// Returns the index of the running step with the given ID. If the step is not running, returns the last step with
  /// the ID, because events can follow the end of their step.
  private func step(named id: String) -> Int? {
    open.last { tracedRun.steps[$0].id == id } ?? tracedRun.steps.lastIndex { $0.id == id }
  }

  private func around(_ event: Event, _ id: String) -> Int? {
    if let parent = event.text("parent") { return open.last { tracedRun.steps[$0].id == parent } }
    // Older traces contain only the ID.
    let folder = id.lastIndex(of: "/").map { id[..<$0] } ?? ""
    return open.last { position in
      let step = tracedRun.steps[position]
      switch step.kind {
      case "use": return step.id == folder
      case "parallel": return folder == (step.id.lastIndex(of: "/").map { step.id[..<$0] } ?? "") && id.contains("#")
      default: return false
      }
    }
  }

  private mutating func begin(_ event: Event, verdict: TracedStep.Status) -> Int {
    let id = event.text("step") ?? "?"
    let parent = around(event, id)
    let isSkipped = verdict == .skipped
    tracedRun.steps.append(
      TracedStep(
        id: id, kind: event.text("stepKind") ?? "", number: event.members["number"]?.integer.map { Int(clamping: $0) },
        description: event.text("description"), place: TracedLocation(event.members["place"]),
        client: event.text("client"),
        parent: parent, depth: parent.map { tracedRun.steps[$0].depth + 1 } ?? 0,
        enteredBy: isSkipped ? "" : event.text("rule") ?? "", started: event.time, startedSeq: event.seq,
        verdict: verdict,
        attempts: isSkipped ? [] : [TracedStep.Attempt(number: 1, started: event.time)], broken: []))
    let position = tracedRun.steps.count - 1
    if let parent { tracedRun.steps[parent].children.append(position) }
    return position
  }

  private mutating func stepStarted(_ event: Event) { open.append(begin(event, verdict: .unfinished)) }

  private mutating func stepFinished(_ event: Event) -> [String] {
    let id = event.text("step") ?? "?"
    let verdict = event.text("verdict").flatMap(TracedStep.Status.init) ?? .ok
    var problems: [String] = []
    let position: Int
    if let openPosition = open.lastIndex(where: { tracedRun.steps[$0].id == id }) {
      position = open.remove(at: openPosition)
    } else {
      // Skipped steps have no start event.
      if verdict != .skipped { problems.append("step \(id) ends here but never started") }
      position = begin(event, verdict: verdict)
    }
    tracedRun.steps[position].finish(event, verdict)
    return problems
  }

  private mutating func decision(_ event: Event) {
    let facts = event.members["facts"] ?? [:]
    tracedRun.decisions.append(
      TracedDecision(
        seq: event.seq, time: event.time, step: event.step, subject: event.text("subject") ?? "",
        verdict: event.text("verdict") ?? "", reason: event.text("reason") ?? "", facts: facts,
        isDetail: facts["detail"]?.bool ?? false))
    note(event.members)
    guard let step = event.step else { return }
    tracedRun.steps[step].decisions.append(tracedRun.decisions.count - 1)
    // If the step is retried, the event contains the attempt number and the wait time. If only a request inside the
    // step is retried, the event contains neither.
    guard event.text("subject") == "retry", let number = facts["attempt"]?.integer,
      let wait = facts["milliseconds"]?.number, let last = tracedRun.steps[step].attempts.indices.last
    else { return }
    tracedRun.steps[step].attempts[last].ended = event.time
    tracedRun.steps[step].attempts[last].reason = event.text("reason")
    tracedRun.steps[step].attempts.append(
      TracedStep.Attempt(
        number: Int(clamping: number), started: event.time + (Event.duration(milliseconds: wait) ?? .zero)))
  }

  // MARK: Exchanges and pages

  private mutating func request(_ event: Event) -> [String] {
    let id = Int(clamping: event.members["id"]?.integer ?? 0)
    let position = tracedRun.exchanges.count
    let body = TracedBody(event.members["body"])
    tracedRun.exchanges.append(
      TracedExchange(
        id: id, from: TracedExchange.Sender(rawValue: event.text("from") ?? "") ?? .app, step: event.step,
        attempt: event.step.map { max(1, tracedRun.steps[$0].attempts.count) } ?? 1,
        request: TracedRequest(
          seq: event.seq, time: event.time, method: event.text("method") ?? "", url: event.text("url") ?? "",
          headers: TracedHeaders(event.members["headers"]), body: body)))
    if let step = event.step { tracedRun.steps[step].exchanges.append(position) }
    note(event.members, .sent(exchange: position))
    return unanswered.updateValue(position, forKey: id) == nil
      ? [] : ["an earlier request with the same ID \(id) has no response yet"]
  }

  private mutating func answer(_ event: Event) -> [String] {
    let id = Int(clamping: event.members["id"]?.integer ?? 0)
    guard let position = unanswered.removeValue(forKey: id) else {
      note(event.members)
      return ["response to request \(id), which is missing or already has a response"]
    }
    let status = event.members["status"]?.integer.map { Int(clamping: $0) }
    tracedRun.exchanges[position].answer = TracedResponse(
      seq: event.seq, time: event.time, status: status,
      failure: event.text("failure") ?? (status == nil ? "no response" : nil),
      headers: TracedHeaders(event.members["headers"]), body: TracedBody(event.members["body"]),
      duration: event.duration)
    note(event.members, .received(exchange: position))
    return []
  }

  private mutating func interaction(_ event: Event) {
    note(event.members)
    let purpose = event.text("purpose") ?? ""
    if event.text("phase") != "opened" {
      let last = tracedRun.interactions.lastIndex {
        $0.ended == nil && $0.purpose == purpose && $0.step == event.step
      }
      guard let last else { return }
      if event.text("phase") == "page" {
        tracedRun.interactions[last].pages.append(page(event))
        return
      }
      tracedRun.interactions[last].ended = event.time
      tracedRun.interactions[last].endedSeq = event.seq
      tracedRun.interactions[last].ending = event.text("ending")
      tracedRun.interactions[last].screens = event.texts("screens")
      tracedRun.interactions[last].pageError = event.text("pageError")
      tracedRun.interactions[last].reason = event.text("reason")
      return
    }
    if let step = event.step { tracedRun.steps[step].interactions.append(tracedRun.interactions.count) }
    tracedRun.interactions.append(
      TracedInteraction(
        purpose: purpose, step: event.step, opened: event.time, openedSeq: event.seq, url: event.text("url"),
        webview: event.text("webview"), userCode: event.text("userCode")))
  }

  private mutating func page(_ event: Event) -> TracedPage {
    // For consecutive pages with the same style sheet, the trace contains the style sheet only once.
    if let style = event.text("style") { pageStyle = style }
    return TracedPage(
      seq: event.seq, time: event.time, screen: event.text("screen"), title: event.text("title") ?? "",
      url: event.text("url") ?? "", markup: event.text("markup") ?? "", style: pageStyle,
      entered: (event.members["entered"]?.array ?? []).map {
        (label: $0["label"]?.string ?? "", value: $0["value"]?.string ?? "")
      },
      pressed: event.text("pressed"))
  }

  // MARK: Cache and tokens

  private mutating func cacheRead(_ event: Event) {
    note(event.members)
    if let held = event.members["entries"]?.array {
      return cacheHeld(held.compactMap { Self.change($0, event, kind: "added") }, event)
    }
    tracedRun.cacheReads.append(
      TracedCacheRead(
        seq: event.seq, time: event.time, step: event.step,
        key: TracedCacheKey(
          section: event.text("section") ?? "", key: event.text("key") ?? ""),
        found: event.members["found"]?.bool ?? false))
  }

  /// Records the complete contents of the cache, at the start of the run or after the cache was replaced.
  private mutating func cacheHeld(_ held: [TracedCacheWrite.Change], _ event: Event) {
    guard !tracedRun.cacheWrites.isEmpty || !tracedRun.steps.isEmpty else {
      for change in held { tracedRun.cacheAtStart.apply(change) }
      return
    }
    let before = tracedRun.cache(before: event.seq).entries
    let now = Set(held.map(\.key))
    var changes = before.filter { !now.contains($0.key) }.map {
      TracedCacheWrite.Change(kind: "deleted", key: $0.key, entry: $0.value)
    }
    for var change in held where before[change.key] != change.entry {
      if before[change.key] != nil { change.kind = "changed" }
      changes.append(change)
    }
    if let step = event.step { tracedRun.steps[step].cacheWrites.append(tracedRun.cacheWrites.count) }
    tracedRun.cacheWrites.append(
      TracedCacheWrite(
        seq: event.seq, time: event.time, step: event.step, reason: event.text("reason") ?? "", changes: changes))
  }

  private mutating func cacheWritten(_ event: Event) {
    let changes = (event.members["changes"]?.array ?? []).compactMap { Self.change($0, event, kind: nil) }
    if let step = event.step { tracedRun.steps[step].cacheWrites.append(tracedRun.cacheWrites.count) }
    note(event.members, .cached(write: tracedRun.cacheWrites.count))
    tracedRun.cacheWrites.append(
      TracedCacheWrite(
        seq: event.seq, time: event.time, step: event.step, reason: event.text("reason") ?? "", changes: changes))
  }

  private static func change(_ json: JSON, _ event: Event, kind: String?) -> TracedCacheWrite.Change? {
    guard let section = json["section"]?.string, let key = json["key"]?.string else { return nil }
    return TracedCacheWrite.Change(
      kind: kind ?? json["change"]?.string ?? "changed",
      key: TracedCacheKey(section: section, key: key), entry: json["entry"] ?? [:])
  }

  private mutating func tokenAcquired(_ event: Event) {
    note(event.members)
    if let label = event.text("accessToken") {
      tokens[label]?.acquisitions.append(
        TracedToken.Acquisition(
          seq: event.seq, time: event.time, step: event.step, source: event.text("source") ?? "",
          scopes: event.texts("scopes"), expiresOn: event.text("expiresOn"),
          isExtended: event.members["extended"]?.bool ?? false, account: event.text("account"),
          authority: event.text("authority"), tenant: event.text("tenant"), correlationID: event.text("correlationId")))
    }
    for content in event.members["contents"]?.array ?? [] {
      guard let label = content["token"]?.string else { continue }
      tokens[label]?.header = content["header"]
      tokens[label]?.claims = content["claims"]
    }
  }

  /// Records all placeholders in an event.
  private mutating func note(_ members: OrderedDictionary<String, JSON>, _ use: TracedToken.Use? = nil) {
    for value in members.values {
      PlaceholderLabel.each(in: value) { label, kind, number in
        let label = String(label)
        var token = tokens[label] ?? TracedToken(label: label, kind: String(kind), number: number)
        if let use, token.uses.last != use { token.uses.append(use) }
        tokens[label] = token
      }
    }
  }
}
