import Documents
import Effects
import OrderedCollections
import WorkflowModel

extension RunPage {
  var overview: Markup {
    tag("div", .class("overview")) {
      tag("div") {
        tag("p", .class("lead")) { lead }
        if !omissions.isEmpty { tag("p", .class("note")) { leftOut } }
        if let reason = story.ending?.reason { tag("p", .class("why")) { reason } }
        broken
        facts
      }
      machine
    }
  }

  /// What the page does not hold, and where all of it is.
  private var leftOut: String {
    let lists = omissions.map { "\(Self.grouped($0.kept)) of \(Self.grouped($0.all)) \($0.name)" }
    return
      "The run is too long for a page: of each list only the beginning and the end are told, \(lists.joined(separator: ", ")). Numbers on the page count what it tells. The trace has all of it; authflow report shows it in a terminal with -v, and --har and --otlp leave nothing out."
  }

  /// `12,345`.
  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }

  private var lead: String {
    guard let ending = story.ending else {
      return
        "The trace ends before the run does, after \(TerminalRunReport.duration(story.ended - story.started)). The story is told up to there."
    }
    if let scenario = story.scenario {
      let went = ending.outcome == "success" ? "The workflow succeeded" : "The workflow ended with \(ending.outcome)"
      switch scenario.outcome {
      case "passed": return "\(went), as the scenario expects."
      case "error": return "\(went). The scenario could not be judged."
      case nil: return "\(went). The trace ends before the scenario was judged."
      default: return "\(went). That is not what the scenario expects."
      }
    }
    return ending.outcome == "success"
      ? "Every step went as the workflow says." : "The workflow ended with \(ending.outcome)."
  }

  @MarkupBuilder private var broken: Markup {
    let texts = (story.scenario?.broken ?? []) + story.steps.flatMap(\.broken)
    if !texts.isEmpty {
      tag("h3") { "What did not come true" }
      tag("ul", .class("broken")) { for text in texts { tag("li") { text } } }
    }
  }

  private var facts: Markup {
    var rows: [(String, String)] = [("Platform", platformWords)]
    if let file = story.file { rows.append(("Workflow", file)) }
    rows.append(("Began", RelativeTimes.moment(story.started)))
    let length = story.ending?.duration ?? story.ended - story.started
    rows.append(("Took", TerminalRunReport.duration(length)))
    if let ending = story.ending {
      rows.append(("Visits to the browser", "\(ending.interactions)"))
      let requests = ending.requests.filter { $0.count > 0 }.map { "\($0.target) \($0.count)" }
      rows.append(("Requests", requests.isEmpty ? "none" : requests.joined(separator: ", ")))
    }
    if let traceID = story.traceID { rows.append(("Trace id", traceID)) }
    if !story.unknown.isEmpty { rows.append(("Events of a newer authflow", "\(story.unknown.count), not told here")) }
    return tag("dl", .class("facts")) {
      for (name, value) in rows {
        tag("div") {
          tag("dt") { name }
          tag("dd") { value }
        }
      }
    }
  }

  private var platformWords: String {
    switch story.platform {
    case "emulated": "emulated, in this process"
    case "live": "live"
    case "replay": "a recording, played again"
    default: story.platform
    }
  }

  // MARK: The machine

  /// The steps that the drawing shows, in the order in which they were entered.
  private var way: [TracedStep] { story.outermost.map { story.steps[$0] } }

  @MarkupBuilder private var machine: Markup {
    if let diagram = DiagramJSON.diagram(story.machine), !diagram.states.isEmpty {
      let walked = diagram.walked(way.map { ($0.id, $0.outcome ?? "", $0.next) })
      tag("figure", .class("drawing")) {
        tag("div", .class("scroll"), .role("group"), .label("The state machine, drawn"), .focusable) {
          Markup.figure(DiagramFigure(walked, links: links(diagram), end: end))
        }
        tag("figcaption") {
          "The way that the run took is drawn in full; what it did not take is faint. A step leads to what happened in it."
        }
      }
    } else {
      tag("p", .class("dim")) { "The trace does not hold the drawn machine." }
    }
  }

  private var end: String? { story.ending.map { $0.outcome == "success" ? "success" : "failed" } }

  /// The first visit of each state that was performed.
  private func links(_ diagram: MachineDiagram) -> [Int: Int] {
    var links: [Int: Int] = [:]
    for position in story.outermost {
      guard let state = diagram.states.firstIndex(where: { $0.id == story.steps[position].id }),
        links[state] == nil || story.steps[position].verdict != .skipped
      else { continue }
      links[state] = position + 1
    }
    return links
  }
}
