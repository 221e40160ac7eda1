import Documents
import Effects
import OrderedCollections

extension RunPage {
  /// The maximum number of lines that the page shows from a file.
  private static let mostLines = 5000

  /// The source of the workflow and of all nested workflows. The first line of each step links to the step.
  var source: Markup {
    tag("div", .class("source"), .role("region"), .label("Workflow source"), .focusable) {
      if let text = tracedRun.source { listing(text, name: tracedRun.file ?? "workflow", file: 0) }
      for (position, used) in tracedRun.usedSources.enumerated() {
        listing(used.value, name: used.key, file: position + 1)
      }
    }
  }

  /// Returns the line where a step is defined. Returns nil if the trace does not contain the file or the line.
  func lineOf(_ step: TracedStep) -> PageAnchor? {
    guard let place = step.place, let (text, file) = listing(of: place.file),
      place.line <= min(Self.mostLines, text.utf8.count { $0 == 0x0A } + 1)
    else { return nil }
    return .line(place.line, file: file)
  }

  private func listing(of file: String) -> (text: String, number: Int)? {
    if file == tracedRun.file, let source = tracedRun.source { return (source, 0) }
    if let index = tracedRun.usedSources.keys.firstIndex(of: file) {
      return (tracedRun.usedSources.values[index], index + 1)
    }
    // In older traces, the workflow's path differs from the paths in its steps.
    guard let source = tracedRun.source, tracedRun.usedSources.isEmpty else { return nil }
    return (source, 0)
  }

  private func listing(_ text: String, name: String, file: Int) -> Markup {
    var steps: [PageAnchor: Int] = [:]
    for (position, step) in tracedRun.steps.enumerated() {
      if let line = lineOf(step), steps[line] == nil || step.verdict != .skipped { steps[line] = position }
    }
    let lines = text.split(separator: "\n", maxSplits: Self.mostLines, omittingEmptySubsequences: false)
    return tag("div", .class("file")) {
      tag("p", .class("filename")) { name }
      tag("ol", .class("lines")) {
        for (index, line) in lines.prefix(Self.mostLines).enumerated() {
          let anchor = PageAnchor.line(index + 1, file: file)
          if let step = steps[anchor] {
            tag(
              "li", .id(anchor), .class("at \(tracedRun.steps[step].verdict.rawValue)"),
              .highlightsWith(Self.step(step))
            ) {
              tag("a", .to(Self.step(step)), .title("details of \(tracedRun.steps[step].id)")) { "\(line)" }
            }
          } else {
            tag("li") { "\(line)" }
          }
        }
      }
      if lines.count > Self.mostLines { tag("p", .class("dim")) { "The remaining lines are omitted." } }
    }
  }
}
