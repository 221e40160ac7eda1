import Documents
import OrderedCollections
import TraceReading

/// Who says what to whom in a run, as a value: app ↔ authflow ↔ browser ↔ identity platform ↔ Graph.
package struct SequenceDiagram: Sendable {
  package enum Participant: Hashable, Sendable {
    case app, authflow, browser, platform, graph
    /// An API by its host.
    case api(String)

    /// What people call it.
    package var title: String {
      switch self {
      case .app: "app"
      case .authflow: "authflow"
      case .browser: "browser"
      case .platform: "identity platform"
      case .graph: "Microsoft Graph"
      case .api(let host): host
      }
    }

    /// From the app's side to the API's.
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

  package enum Arrow: Sendable {
    /// A call or a request.
    case call
    /// What came back.
    case answer
    /// What did not come back.
    case lost
  }

  package enum Line: Sendable {
    case message(from: Participant, to: Participant, Arrow, String, seq: Int)
    case note(over: Participant, String, seq: Int)
    /// A part of the run with a name: what is given.
    case heading(String, seq: Int)

    package var seq: Int {
      switch self {
      case .message(_, _, _, _, let seq), .note(_, _, let seq), .heading(_, let seq): seq
      }
    }
  }

  package private(set) var title: String
  /// From left to right; only those that take part.
  package private(set) var participants: [Participant]
  package private(set) var lines: [Line]

  package init(_ story: RunStory) {
    title = RunHeadline.title(story)
    var lines: [Line] = []
    let firstStep = story.steps.first?.startedSeq ?? .max
    if story.exchanges.contains(where: { $0.request.seq < firstStep }) { lines.append(.heading("given", seq: 0)) }
    if lines.isEmpty == false, firstStep < .max { lines.append(.heading("the run", seq: firstStep)) }
    for step in story.steps { lines += Self.lines(step) }
    for exchange in story.exchanges { lines += Self.lines(exchange, story) }
    for interaction in story.interactions { lines += Self.lines(interaction) }
    for decision in story.decisions where !decision.isDetail {
      let words = "\(TerminalStory.words(decision.subject)) \(TerminalStory.words(decision.verdict)): \(decision.why)"
      lines.append(.note(over: .authflow, words, seq: decision.seq))
    }
    // Those of one event stay in the order in which they were made.
    self.lines = lines.enumerated().sorted { ($0.element.seq, $0.offset) < ($1.element.seq, $1.offset) }.map(\.element)
    var participants: Set<Participant> = [.app, .authflow]
    for case .message(let from, let to, _, _, _) in lines { participants.formUnion([from, to]) }
    self.participants = participants.sorted { ($0.rank, $0.title) < ($1.rank, $1.title) }
  }

  private static func lines(_ step: StoryStep) -> [Line] {
    var lines: [Line] = []
    if step.verdict != .skipped {
      lines.append(.message(from: .app, to: .authflow, .call, step.id, seq: step.startedSeq))
    }
    guard let outcome = step.outcome, let seq = step.endedSeq else { return lines }
    if step.verdict == .skipped {
      lines.append(.note(over: .authflow, "\(step.id) \(outcome)", seq: seq))
    } else {
      let failed = step.verdict == .failed
      lines.append(.message(from: .authflow, to: .app, failed ? .lost : .answer, "\(step.id): \(outcome)", seq: seq))
    }
    return lines
  }

  private static func lines(_ exchange: StoryExchange, _ story: RunStory) -> [Line] {
    let sender: Participant = exchange.from == .browser ? .browser : .authflow
    let party: Participant =
      switch StoryParty(exchange, in: story) {
      case .platform: .platform
      case .graph: .graph
      case .api(let host): .api(host)
      }
    let address = StoryAddress(exchange.request)
    var words = "\(exchange.request.method) \(address.path)"
    if let grant = exchange.request.body?.form?.first(where: { $0.name == "grant_type" })?.value {
      words += " (\(grant))"
    }
    var lines: [Line] = [.message(from: sender, to: party, .call, words, seq: exchange.request.seq)]
    guard let answer = exchange.answer else { return lines }
    let time = answer.duration.map { ", \(RunHeadline.time($0))" } ?? ""
    if let status = answer.status {
      let error = answer.body?.json?["error"]
      let code = error?.string ?? error?["code"]?.string
      let said = "\(status)\(code.map { " \($0)" } ?? "")\(time)"
      lines.append(.message(from: party, to: sender, .answer, said, seq: answer.seq))
    } else {
      lines.append(.message(from: party, to: sender, .lost, "\(answer.failure ?? "no answer")\(time)", seq: answer.seq))
    }
    return lines
  }

  private static func lines(_ interaction: StoryInteraction) -> [Line] {
    var lines: [Line] = [
      .message(
        from: .authflow, to: .browser, .call, "open: \(TerminalStory.words(interaction.purpose))",
        seq: interaction.openedSeq)
    ]
    guard let seq = interaction.endedSeq else { return lines }
    let screens = interaction.screens.map(TerminalStory.words).joined(separator: ", ")
    if !screens.isEmpty { lines.append(.note(over: .browser, "the person saw \(screens)", seq: seq)) }
    let ending = interaction.pageError ?? interaction.ending ?? "ended"
    let arrow: Arrow = ["redirected", "finished"].contains(interaction.ending) ? .answer : .lost
    lines.append(.message(from: .browser, to: .authflow, arrow, ending, seq: seq))
    return lines
  }
}
