import Diagnostics
import Effects

/// The progress of a suite, shown as lines that are updated in place.
package struct SuiteProgress: Sendable {
  private struct Running: Sendable {
    var number: Int
    var title: String
    var since: Instant
  }

  private let total: Int
  private var passed = 0
  private var failed = 0
  private var running: [Running] = []

  /// The maximum number of lines. The limit keeps earlier output visible.
  private static let mostLines = 8

  package init(total: Int) {
    self.total = total
  }

  package mutating func started(_ number: Int, _ title: String, at now: Instant) {
    running.append(Running(number: number, title: title, since: now))
  }

  package mutating func finished(_ test: TestResult) {
    running.removeAll { $0.number == test.number }
    switch test.verdict {
    case .passed: passed += 1
    case .failed, .error: failed += 1
    case .skipped: break
    }
  }

  /// Returns the current lines. Each line is narrower than the terminal.
  package func lines(at now: Instant, style: TerminalStyle) -> [String] {
    var head = "\(passed + failed) of \(total)"
    var parts = [style.paint("\(passed) passed", .good)]
    var plain = ["\(passed) passed"]
    if failed > 0 {
      parts.append(style.paint("\(failed) failed", .bad))
      plain.append("\(failed) failed")
    }
    if !running.isEmpty {
      parts.append("\(running.count) running")
      plain.append("\(running.count) running")
    }
    let bar = style.width - head.count - plain.joined(separator: ", ").count - 6
    if bar >= 10, total > 0 {
      let width = min(bar, 30)
      let full = width * (passed + failed) / total
      let (done, open) = style.unicode ? ("█", "░") : ("#", ".")
      head = String(repeating: done, count: full) + String(repeating: open, count: width - full) + " " + head
    }
    var lines = [head + "  " + parts.joined(separator: ", ")]
    for test in running.prefix(Self.mostLines - 2) {
      let time = TerminalRunReport.duration(now - test.since)
      lines.append("  " + cut(test.title, style.width - 6 - time.count, style) + "  " + style.paint(time, .dim))
    }
    if running.count > Self.mostLines - 2 {
      lines.append(style.paint("  and \(running.count - Self.mostLines + 2) more", .dim))
    }
    return lines.map(style.shown)
  }

  /// Returns the end of a name that is too long, because the end is more specific than the start.
  private func cut(_ text: String, _ width: Int, _ style: TerminalStyle) -> String {
    let text = style.shown(CaretFrame.visible(text))
    guard DisplayWidth.of(text) > width else { return text }
    var used = 1
    let rest = text.reversed().prefix { character in
      used += DisplayWidth.of(character)
      return used <= width
    }
    return (style.unicode ? "…" : "~") + String(rest.reversed())
  }
}
