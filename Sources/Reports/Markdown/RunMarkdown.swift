import Diagnostics

/// A run as a pull request comment: first the failures, then all steps, and the HTTP exchanges in a collapsed section.
package enum RunMarkdown {
  /// The maximum size of a comment in bytes. GitHub accepts comments with up to 65,536 characters.
  package static let commentLimit = 65_000

  /// - Parameter limit: The maximum size in bytes. A note replaces omitted parts.
  package static func text(_ tracedRun: TracedRun, limit: Int = commentLimit) -> String {
    let sign =
      switch tracedRun.succeeded {
      case true?: "✅"
      case false?: "❌"
      case nil: "⚠️"
      }
    var page = Page(limit: limit)
    page.add("### \(sign) \(line(RunSummaryLine.title(tracedRun))): \(line(RunSummaryLine.verdict(tracedRun)))\n\n")
    if let reason = RunSummaryLine.reason(tracedRun) { page.add("\(line(cut(reason, most: 2000)))\n\n") }
    page.add("\(line(RunSummaryLine.facts(tracedRun)))\n")
    let failed = tracedRun.steps.indices.filter { [.failed, .unfinished].contains(tracedRun.steps[$0].verdict) }
    if !failed.isEmpty { page.addTable("\n**Failed steps**\n\n", steps(failed, tracedRun)) }
    page.addTable("\n**Steps**\n\n", steps(Array(tracedRun.steps.indices), tracedRun))
    if !tracedRun.exchanges.isEmpty {
      let summary = "\n<details><summary>\(tracedRun.exchanges.count.counting("request"))</summary>\n\n"
      page.addTable(summary, exchanges(tracedRun), end: "\n</details>\n")
    }
    if !tracedRun.tool.isEmpty { page.add("\n<sub>\(line(tracedRun.tool))</sub>\n") }
    return page.text
  }

  private static func line(_ text: String) -> String { MarkdownText.line(text) }

  private static func cut(_ text: String, most: Int) -> String {
    text.count > most ? text.prefix(most - 1) + "…" : text
  }

  private struct Table {
    var head: String
    var rows: [String]
  }

  private static func steps(_ positions: [Int], _ tracedRun: TracedRun) -> Table {
    Table(
      head: "| | step | outcome | reason | time |\n|---|---|---|---|---:|\n",
      rows: positions.map { position in
        let step = tracedRun.steps[position]
        let reasons = RunSummaryLine.reasons(tracedRun, step: position).map { line(cut($0, most: 400)) }
        let indent = String(repeating: "&nbsp;&nbsp;", count: min(step.depth, 8))
        let place = step.place.map { " <sub>\(line("\($0.file):\($0.line)"))</sub>" } ?? ""
        let time =
          RunSummaryLine.duration(step).map { step.verdict == .skipped ? "" : TerminalRunReport.duration($0) } ?? ""
        return
          "| \(sign(step)) | \(indent)\(line(step.id))\(place) | \(line(step.outcome ?? "unfinished")) |"
          + " \(reasons.prefix(6).joined(separator: "<br>")) | \(time) |\n"
      })
  }

  private static func sign(_ step: TracedStep) -> String {
    switch step.verdict {
    case .ok: "✅"
    case .handled: "↪️"
    case .failed: "❌"
    case .skipped: "➖"
    case .unfinished: "⚠️"
    }
  }

  private static func exchanges(_ tracedRun: TracedRun) -> Table {
    Table(
      head: "| | from | request | response | time | step |\n|---:|---|---|---|---:|---|\n",
      rows: tracedRun.exchanges.map { exchange in
        let answer = exchange.answer.map { $0.status.map(String.init) ?? $0.failure ?? "" } ?? "none"
        let request = "\(exchange.request.method) \(RequestAddress(exchange.request).plain)"
        let step = exchange.step.map { tracedRun.steps[$0].id } ?? "given"
        return
          "| \(exchange.id) | \(exchange.from.rawValue) | \(line(cut(request, most: 200))) |"
          + " \(line(cut(answer, most: 200))) | \(exchange.duration.map { TerminalRunReport.duration($0) } ?? "") | \(line(step)) |\n"
      })
  }

  /// A page with a size limit.
  private struct Page {
    let limit: Int
    var text = ""

    mutating func add(_ part: String) {
      if text.utf8.count + part.utf8.count <= limit { text += part }
    }

    mutating func addTable(_ title: String, _ table: Table, end: String = "") {
      let reserve = 200
      guard text.utf8.count + title.utf8.count + table.head.utf8.count + reserve < limit else { return }
      text += title + table.head
      var left = table.rows.count
      for row in table.rows {
        guard text.utf8.count + row.utf8.count + reserve < limit else { break }
        text += row
        left -= 1
      }
      if left > 0 { text += "\n\(left) more are omitted: the page would be too long.\n" }
      text += end
    }
  }
}
