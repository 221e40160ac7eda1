import Diagnostics
import Documents

/// Makes the fixes of a report, round after round: what two fixes both want to change waits, and every file must be better than
/// before.
package struct FixSession: Sendable {
  /// A file that changes.
  package struct FixedFile: Sendable {
    package var name: String
    package var original: [UInt8]
    package var bytes: [UInt8]
    /// The findings that were mended, in the order of the rounds.
    package var fixed: [Diagnostic]
  }

  /// A fix that was not made.
  package struct LeftOut: Sendable {
    package var diagnostic: Diagnostic
    package var reason: String
  }

  package struct Outcome: Sendable {
    package var files: [FixedFile]
    package var leftOut: [LeftOut]
    /// What is to be said of the files as they are now.
    package var report: JudgedReport
    /// The files as they are now.
    package var now: [NamedFile]
  }

  /// Fixes may make room for others; where they never end, something is wrong with them.
  private static let mostRounds = 20

  package let judge: @Sendable ([NamedFile]) -> JudgedReport

  package init(judge: @escaping @Sendable ([NamedFile]) -> JudgedReport) { self.judge = judge }

  package func run(_ files: [NamedFile]) -> Outcome {
    var state = State(files: files, report: judge(files))
    for _ in 0..<Self.mostRounds {
      guard makeRound(&state) else { break }
    }
    var outcome = Outcome(files: [], leftOut: state.leftOut, report: state.report, now: state.files)
    for (index, file) in state.files.enumerated() where file.bytes != files[index].bytes {
      outcome.files.append(
        FixedFile(
          name: file.name, original: files[index].bytes, bytes: file.bytes, fixed: state.fixed[file.name] ?? []))
    }
    return outcome
  }

  private struct State {
    var files: [NamedFile]
    var report: JudgedReport
    var fixed: [String: [Diagnostic]] = [:]
    var leftOut: [LeftOut] = []
    /// Files whose fixes are not made any more.
    var refused: Set<String> = []
  }

  private struct Change {
    var index: Int
    var bytes: [UInt8]
    var fixed: [Diagnostic]
  }

  /// - Returns: whether anything changed.
  private func makeRound(_ state: inout State) -> Bool {
    var changes: [Change] = []
    for index in state.files.indices where !state.refused.contains(state.files[index].name) {
      let file = state.files[index]
      let findings = state.report.diagnostics.filter { $0.fix != nil && $0.place.source.name == file.name }
      guard !findings.isEmpty, let change = change(of: file, at: index, findings, &state) else { continue }
      changes.append(change)
    }
    guard !changes.isEmpty else { return false }
    if accept(changes, &state) { return true }
    // One of them does harm: each is tried by itself.
    var madeAny = false
    for change in changes {
      if changes.count > 1, accept([change], &state) {
        madeAny = true
      } else {
        refuse(change, "the file would have more, or graver mistakes than before", &state)
      }
    }
    return madeAny
  }

  private func refuse(_ change: Change, _ reason: String, _ state: inout State) {
    state.refused.insert(state.files[change.index].name)
    state.leftOut += change.fixed.map { LeftOut(diagnostic: $0, reason: reason) }
  }

  /// The file after all fixes that do not stand in each other's way.
  private func change(of file: NamedFile, at index: Int, _ findings: [Diagnostic], _ state: inout State) -> Change? {
    var accepted: [Diagnostic.Edit] = []
    var fixed: [Diagnostic] = []
    for finding in findings {
      guard let edits = finding.fix?.edits, !edits.isEmpty, edits.allSatisfy({ Self.fits($0, accepted) }) else {
        continue
      }
      accepted += edits.filter { !accepted.contains($0) }
      fixed.append(finding)
    }
    guard let source = fixed.first?.place.source else { return nil }
    do throws(SpanEdits.Conflict) {
      let bytes = try SpanEdits.bytes(of: file.bytes, after: accepted, in: source)
      return bytes == file.bytes ? nil : Change(index: index, bytes: bytes, fixed: fixed)
    } catch {
      refuse(Change(index: index, bytes: [], fixed: fixed), error.words, &state)
      return nil
    }
  }

  /// Whether an edit can be made beside others: the same one is no conflict; what touches another waits for the next round.
  private static func fits(_ edit: Diagnostic.Edit, _ others: [Diagnostic.Edit]) -> Bool {
    others.allSatisfy { other in
      edit == other || edit.span.end < other.span.start || other.span.end < edit.span.start
        // Lines side by side do not touch, though one ends where the other begins.
        || edit.span.end == other.span.start && edit.replacement.isEmpty && other.replacement.isEmpty
        || other.span.end == edit.span.start && edit.replacement.isEmpty && other.replacement.isEmpty
    }
  }

  /// Makes the changes where everything is better afterwards.
  private func accept(_ changes: [Change], _ state: inout State) -> Bool {
    var files = state.files
    for change in changes { files[change.index].bytes = change.bytes }
    let report = judge(files)
    guard Self.isBetter(report, than: state.report, changes.flatMap(\.fixed)) else { return false }
    for change in changes { state.fixed[files[change.index].name, default: []] += change.fixed }
    state.files = files
    state.report = report
    return true
  }

  /// Whether nothing new is graver than what was mended, every file reads, there are not more findings than before, and something
  /// of what was mended is gone.
  private static func isBetter(_ now: JudgedReport, than before: JudgedReport, _ fixed: [Diagnostic]) -> Bool {
    let worst = fixed.map(\.severity).max() ?? .note
    var left: [String: Int] = [:]
    for finding in before.diagnostics { left[identity(finding), default: 0] += 1 }
    for finding in now.diagnostics {
      let name = identity(finding)
      left[name, default: 0] -= 1
      guard left[name, default: 0] < 0 else { continue }
      if finding.severity > worst || RuleNames.reading.contains(finding.rule) && finding.severity == .error {
        return false
      }
    }
    func count(_ report: JudgedReport) -> Int { report.diagnostics.count { $0.severity >= worst } }
    return count(now) <= count(before) && fixed.contains { left[identity($0), default: 0] > 0 }
  }

  private static func identity(_ finding: Diagnostic) -> String {
    "\(finding.place.source.name)\u{0}\(finding.rule)\u{0}\(finding.severity.rawValue)\u{0}\(finding.message)"
  }
}
