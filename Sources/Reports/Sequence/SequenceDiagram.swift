import Documents
import OrderedCollections

/// A diagram of the messages that the app, authflow, the browser, the identity platform, and Microsoft Graph exchange
/// during a run.
package struct SequenceDiagram: Sendable {
  enum Participant: Hashable, Sendable {
    case app, authflow, browser, platform, graph
    /// An API, identified by its host.
    case api(String)

    /// The name that the diagram shows.
    var title: String {
      switch self {
      case .app: "app"
      case .authflow: "authflow"
      case .browser: "browser"
      case .platform: "identity platform"
      case .graph: "Microsoft Graph"
      case .api(let host): host
      }
    }

    init(_ party: RequestTarget) {
      self =
        switch party {
        case .platform: .platform
        case .graph: .graph
        case .api(let host): .api(host)
        }
    }

    /// The position in the diagram, counted from the left.
    fileprivate var rank: Int {
      switch self {
      case .app: 0
      case .authflow: 1
      case .browser: 2
      case .platform: 3
      case .graph: 4
      case .api: 5
      }
    }
  }

  enum Arrow: Sendable {
    /// A call or a request.
    case call
    /// A response.
    case answer
    /// A missing response.
    case lost
  }

  /// The item in the run that a line represents, with its index.
  enum Subject: Sendable {
    case step(Int), exchange(Int), write(Int)
  }

  struct Line: Sendable {
    enum Kind: Sendable {
      case message(from: Participant, to: Participant, Arrow)
      case note(over: Participant)
      /// A heading, or a line that indicates omitted exchanges.
      case heading
    }

    var kind: Kind
    var text: String
    /// The sequence number of the line's event. Lines are in the order of these numbers.
    var seq: Int
    var subject: Subject?
  }

  let title: String
  /// The participants that send or receive messages, from left to right.
  let participants: [Participant]
  let lines: [Line]

  package init(_ tracedRun: TracedRun) {
    title = RunSummaryLine.title(tracedRun)
    var lines: [Line] = []
    let firstStep = tracedRun.steps.first?.startedSeq ?? .max
    if tracedRun.exchanges.contains(where: { $0.request.seq < firstStep }) {
      lines.append(Line(kind: .heading, text: "given", seq: 0))
      if firstStep < .max { lines.append(Line(kind: .heading, text: "the run", seq: firstStep)) }
    }
    for position in tracedRun.steps.indices { lines += Self.lines(step: position, tracedRun) }
    lines += Self.exchanges(tracedRun)
    for interaction in tracedRun.interactions { lines += Self.lines(interaction) }
    for decision in tracedRun.decisions where !decision.isDetail {
      let words =
        "\(TerminalRunReport.words(decision.subject)) \(TerminalRunReport.words(decision.verdict)): \(decision.reason)"
      lines.append(Line(kind: .note(over: .authflow), text: words, seq: decision.seq))
    }
    for (position, write) in tracedRun.cacheWrites.enumerated() {
      lines.append(
        Line(kind: .note(over: .authflow), text: Self.words(write), seq: write.seq, subject: .write(position)))
    }
    // Preserve the order of lines for the same event.
    self.lines = lines.enumerated().sorted { ($0.element.seq, $0.offset) < ($1.element.seq, $1.offset) }.map(\.element)
    var participants: Set<Participant> = [.app, .authflow]
    for line in lines {
      if case .message(let from, let to, _) = line.kind { participants.formUnion([from, to]) }
    }
    self.participants = participants.sorted { ($0.rank, $0.title) < ($1.rank, $1.title) }
  }

  private static func lines(step position: Int, _ tracedRun: TracedRun) -> [Line] {
    let step = tracedRun.steps[position]
    var lines: [Line] = []
    if step.verdict != .skipped {
      lines.append(
        Line(
          kind: .message(from: .app, to: .authflow, .call), text: step.id, seq: step.startedSeq,
          subject: .step(position)))
    }
    guard let outcome = step.outcome, let seq = step.endedSeq else { return lines }
    let kind: Line.Kind =
      step.verdict == .skipped
      ? .note(over: .authflow)
      : .message(from: .authflow, to: .app, step.verdict == .failed ? .lost : .answer)
    lines.append(Line(kind: kind, text: "\(step.id): \(outcome)", seq: seq, subject: .step(position)))
    return lines
  }

  private static func words(_ write: TracedCacheWrite) -> String {
    let sections = write.changes.map(\.key.section)
    let shown = sections.prefix(3).joined(separator: ", ")
    return "cache: \(sections.count > 3 ? "\(shown), …" : shown)"
  }

  /// Returns the lines for the exchanges. Of more than `ExchangeRuns.mostAlike` similar exchanges, only the first and
  /// last are included.
  private static func exchanges(_ tracedRun: TracedRun) -> [Line] {
    ExchangeRuns.of(tracedRun).flatMap { run in
      guard run.count > ExchangeRuns.mostAlike else { return run.flatMap { lines(exchange: $0, tracedRun) } }
      let second = run.lowerBound + 1
      let omitted = Line(
        kind: .heading, text: "\(run.count - 2) similar exchanges", seq: tracedRun.exchanges[second].request.seq,
        subject: .exchange(second))
      return lines(exchange: run.lowerBound, tracedRun) + [omitted] + lines(exchange: run.upperBound - 1, tracedRun)
    }
  }

  private static func lines(exchange position: Int, _ tracedRun: TracedRun) -> [Line] {
    let exchange = tracedRun.exchanges[position]
    let sender: Participant = exchange.from == .browser ? .browser : .authflow
    let party = Participant(RequestTarget(exchange, in: tracedRun))
    var words = "\(exchange.request.method) \(RequestAddress(exchange.request).path)"
    if let grant = exchange.request.body?.form?.first(where: { $0.name == "grant_type" })?.value {
      words += " (\(grant))"
    }
    var lines = [
      Line(
        kind: .message(from: sender, to: party, .call), text: words, seq: exchange.request.seq,
        subject: .exchange(position))
    ]
    guard let answer = exchange.answer else { return lines }
    let result = answer.status.map { "\($0)\(brought(answer))" } ?? answer.failure ?? "no response"
    let time = answer.duration.map { ", \(TerminalRunReport.duration($0))" } ?? ""
    lines.append(
      Line(
        kind: .message(from: party, to: sender, answer.status == nil ? .lost : .answer), text: result + time,
        seq: answer.seq, subject: .exchange(position)))
    return lines
  }

  /// Summarizes the content of a response in a few words.
  private static func brought(_ answer: TracedResponse) -> String {
    let error = answer.body?.json?["error"]
    if let code = error?.string ?? error?["code"]?.string { return " \(code)" }
    if answer.body?.json?["access_token"] != nil { return " tokens" }
    if answer.headers.first(named: "location").map({ RequestAddress($0).query.contains { $0.name == "code" } }) == true
    {
      return " code"
    }
    return ""
  }

  private static func lines(_ interaction: TracedInteraction) -> [Line] {
    let subject = interaction.step.map(Subject.step)
    let opened =
      interaction.userCode.map { "the user types \($0)" } ?? "open: \(TerminalRunReport.words(interaction.purpose))"
    var lines = [
      Line(
        kind: .message(from: .authflow, to: .browser, .call), text: opened, seq: interaction.openedSeq, subject: subject
      )
    ]
    guard let seq = interaction.endedSeq else { return lines }
    let screens = interaction.screens.map(TerminalRunReport.words).joined(separator: ", ")
    if !screens.isEmpty {
      lines.append(Line(kind: .note(over: .browser), text: "pages shown: \(screens)", seq: seq, subject: subject))
    }
    let arrow: Arrow = ["redirected", "finished"].contains(interaction.ending) ? .answer : .lost
    lines.append(
      Line(
        kind: .message(from: .browser, to: .authflow, arrow),
        text: interaction.pageError ?? interaction.ending ?? "ended", seq: seq, subject: subject))
    return lines
  }
}
