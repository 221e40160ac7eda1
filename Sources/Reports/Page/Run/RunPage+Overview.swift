import Documents
import Effects
import OrderedCollections
import WorkflowModel

extension RunPage {
  var overview: Markup {
    tag("div", .class("overview")) {
      tag("div") {
        tag("p", .class("lead")) { lead }
        if !omissions.isEmpty { tag("p", .class("note")) { omissionNote } }
        if let reason = tracedRun.ending?.reason { tag("p", .class("why")) { reason } }
        broken
        facts
      }
      machine
    }
  }

  /// A note that lists the omitted parts and the reports that contain them.
  private var omissionNote: String {
    let lists = omissions.map { "\(Self.grouped($0.kept)) of \(Self.grouped($0.all)) \($0.name)" }
    return
      "The run is too long for this page, which contains only the beginning and the end of each list: \(lists.joined(separator: ", ")). Counts include only the items on this page. The trace contains the entire run: to see it, run authflow report with -v, --har, or --otlp."
  }

  /// Formats a number with thousands separators, such as `12,345`.
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
    guard let ending = tracedRun.ending else {
      return
        "The trace ends before the end of the run, after \(TerminalRunReport.duration(tracedRun.ended - tracedRun.started))."
    }
    if let scenario = tracedRun.scenario {
      let result = ending.outcome == "success" ? "The workflow succeeded" : "The workflow ended with \(ending.outcome)"
      switch scenario.outcome {
      case "passed": return "\(result), as the scenario expects."
      case "error": return "\(result). The scenario could not be evaluated."
      case nil: return "\(result). The trace ends before the scenario is evaluated."
      default: return "\(result). The scenario expects a different result."
      }
    }
    return ending.outcome == "success"
      ? "The workflow succeeded." : "The workflow ended with \(ending.outcome)."
  }

  @MarkupBuilder private var broken: Markup {
    let texts = (tracedRun.scenario?.broken ?? []) + tracedRun.steps.flatMap(\.broken)
    if !texts.isEmpty {
      tag("h3") { "Failed expectations" }
      tag("ul", .class("broken")) { for text in texts { tag("li") { text } } }
    }
  }

  private var facts: Markup {
    var rows: [(String, String)] = [("Platform", TerminalRunReport.platformName(tracedRun.platform))]
    if let file = tracedRun.file { rows.append(("Workflow", file)) }
    rows.append(("Start", RelativeTimes.moment(tracedRun.started)))
    let length = tracedRun.ending?.duration ?? tracedRun.ended - tracedRun.started
    rows.append(("Duration", TerminalRunReport.duration(length)))
    if let ending = tracedRun.ending {
      rows.append(("Browser opened", ending.interactions == 1 ? "once" : "\(ending.interactions) times"))
      rows.append(("Pages shown", "\(ending.pages ?? tracedRun.interactions.reduce(0) { $0 + $1.screens.count })"))
      let requests = ending.requests.filter { $0.count > 0 }.map { "\($0.target) \($0.count)" }
      rows.append(("Requests", requests.isEmpty ? "none" : requests.joined(separator: ", ")))
    }
    if let traceID = tracedRun.traceID { rows.append(("Trace ID", traceID)) }
    if !tracedRun.unknown.isEmpty {
      rows.append(("Events from a newer authflow version", "\(tracedRun.unknown.count), not shown"))
    }
    return tag("dl", .class("facts")) {
      for (name, value) in rows {
        tag("div") {
          tag("dt") { name }
          tag("dd") { value }
        }
      }
    }
  }

  // MARK: State diagram

  /// The steps in the diagram, in the order in which they started.
  private var executedPath: [TracedStep] { tracedRun.outermost.map { tracedRun.steps[$0] } }

  /// The outcome of the run, or nil if the trace ends earlier.
  package var outcome: String? { tracedRun.ending?.outcome }

  /// The state machine with the path of the run, or nil if the trace does not contain it.
  package var machineFigure: DiagramFigure? {
    guard let diagram = DiagramJSON.diagram(tracedRun.machine), !diagram.states.isEmpty else { return nil }
    let walk = DiagramWalk(
      diagram,
      path: executedPath.map { step in
        .init(
          id: step.id, outcome: step.outcome ?? "", next: step.next,
          span: step.startedSeq...max(step.startedSeq, step.endedSeq ?? .max))
      })
    return DiagramFigure(walk, links: links(diagram), end: end)
  }

  @MarkupBuilder private var machine: Markup {
    if let machineFigure {
      tag("figure", .class("drawing zoom")) {
        tag("div", .class("scroll"), .role("group"), .label("State diagram"), .focusable) {
          Markup.figure(machineFigure)
        }
        tag("figcaption") {
          "The executed path is highlighted. Each executed step links to its details. A label such as \"3 others\" shows the number of outcomes that did not occur."
        }
      }
    } else {
      tag("p", .class("dim")) { "The trace does not contain a state diagram." }
    }
  }

  private var end: (name: String, seq: Int)? {
    guard let ending = tracedRun.ending else { return nil }
    let last = executedPath.compactMap(\.endedSeq).max() ?? 0
    return (ending.outcome == "success" ? "success" : "failed", last)
  }

  /// Returns the number of each state's last step, by state position. A skipped step counts only if the state was never
  /// executed.
  private func links(_ diagram: MachineDiagram) -> [Int: Int] {
    var links: [Int: Int] = [:]
    for position in tracedRun.outermost {
      guard let state = diagram.states.firstIndex(where: { $0.id == tracedRun.steps[position].id }),
        links[state] == nil || tracedRun.steps[position].verdict != .skipped
      else { continue }
      links[state] = position + 1
    }
    return links
  }
}
