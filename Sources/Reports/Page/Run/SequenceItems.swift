import Documents
import Effects
import OrderedCollections
import TraceReading

/// What a sequence diagram shows, row by row.
struct SequenceItem {
  enum Kind {
    /// From one to another; `to == from` is a note.
    case message(from: Participant, to: Participant, isAnswer: Bool)
    /// A step begins.
    case step
    /// Many exchanges that are alike.
    case repeated
  }

  var kind: Kind
  var text: String
  var number: Int?
  /// Where it leads.
  var anchor: PageAnchor?
  /// `good`, `bad`, `detour` or `open`.
  var tone = ""
}

extension SequenceItem {
  /// More exchanges of one sort than these, one after the other, are drawn as one.
  static let mostAlike = 3

  /// Everything that one side tells another, in order.
  static func items(_ page: RunPage) -> [SequenceItem] {
    let story = page.story
    var events: [(seq: Int, items: [SequenceItem])] = []
    for (position, step) in story.steps.enumerated() where step.verdict != .skipped {
      events.append(
        (
          step.startedSeq,
          [
            SequenceItem(
              kind: .step, text: "\(step.id)\(step.kind == step.id ? "" : " (\(step.kind))")",
              anchor: RunPage.step(position))
          ]
        ))
      guard let ended = step.endedSeq, step.children.isEmpty else { continue }
      events.append(
        (
          ended,
          [
            SequenceItem(
              kind: .message(from: .authflow, to: .app, isAnswer: true), text: step.outcome ?? "",
              anchor: RunPage.step(position),
              tone: step.verdict == .ok ? "good" : step.verdict == .handled ? "detour" : "bad")
          ]
        ))
    }
    for interaction in story.interactions {
      events.append(
        (
          interaction.openedSeq,
          [
            SequenceItem(
              kind: .message(from: .authflow, to: .browser, isAnswer: false),
              text: interaction.userCode.map { "the person types \($0)" } ?? "opens a page (\(interaction.purpose))",
              anchor: interaction.step.map(RunPage.step))
          ]
        ))
      guard let ended = interaction.endedSeq else { continue }
      events.append(
        (
          ended,
          [
            SequenceItem(
              kind: .message(from: .browser, to: .authflow, isAnswer: true), text: interaction.ending ?? "ended",
              anchor: interaction.step.map(RunPage.step), tone: interaction.ending == "failed" ? "bad" : "")
          ]
        ))
    }
    for write in story.cacheWrites.enumerated() {
      events.append(
        (
          write.element.seq,
          [
            SequenceItem(
              kind: .message(from: .authflow, to: .authflow, isAnswer: false), text: words(write.element),
              anchor: RunPage.write(write.offset))
          ]
        ))
    }
    events += exchanges(story)
    return events.sorted { $0.seq < $1.seq }.flatMap(\.items)
  }

  private static func words(_ write: StoryCacheWrite) -> String {
    let sections = write.changes.map(\.key.section)
    let shown = sections.prefix(3).joined(separator: ", ")
    return "cache: \(sections.count > 3 ? "\(shown), …" : shown)"
  }

  /// Exchanges, runs of equal ones drawn as their first and their last.
  private static func exchanges(_ story: RunStory) -> [(seq: Int, items: [SequenceItem])] {
    var events: [(seq: Int, items: [SequenceItem])] = []
    for run in ExchangeRuns.of(story) {
      guard run.count > mostAlike else {
        for each in run { events += one(story, each) }
        continue
      }
      events += one(story, run.lowerBound)
      events.append(
        (
          story.exchanges[run.lowerBound + 1].request.seq,
          [
            SequenceItem(
              kind: .repeated, text: "the same \(run.count - 2) times more",
              anchor: RunPage.exchange(run.lowerBound + 1))
          ]
        ))
      events += one(story, run.upperBound - 1)
    }
    return events
  }

  private static func one(_ story: RunStory, _ position: Int) -> [(seq: Int, items: [SequenceItem])] {
    let exchange = story.exchanges[position]
    let from = Participant(sender: exchange)
    let to = Participant(receiver: exchange)
    let address = MessageAddress(exchange)
    let asked = SequenceItem(
      kind: .message(from: from, to: to, isAnswer: false), text: "\(exchange.request.method) \(address.short)",
      number: position + 1, anchor: RunPage.exchange(position))
    let (text, tone) = RunPage.status(of: exchange)
    guard let answer = exchange.answer else {
      return [(exchange.request.seq, [asked])]
    }
    let answered = SequenceItem(
      kind: .message(from: to, to: from, isAnswer: true), text: "\(text)\(told(answer))", number: position + 1,
      anchor: RunPage.exchange(position), tone: tone)
    return [(exchange.request.seq, [asked]), (answer.seq, [answered])]
  }

  /// What an answer brings, in a word.
  private static func told(_ answer: StoryAnswer) -> String {
    if let error = answer.body?.json?["error"]?.string { return " \(error)" }
    if let error = answer.body?.json?["error"]?["code"]?.string { return " \(error)" }
    if answer.body?.json?["access_token"] != nil { return " tokens" }
    if answer.headers.first(named: "location")?.contains("code=") == true { return " code" }
    return ""
  }
}
