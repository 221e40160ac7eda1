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
  package struct SkippedFix: Sendable {
    package var diagnostic: Diagnostic
    package var reason: String
  }

  package struct Outcome: Sendable {
    package var files: [FixedFile]
    package var leftOut: [SkippedFix]
    /// What was to be said of them before.
    package var before: FilteredReport
    /// What is to be said of the files as they are now.
    package var report: FilteredReport
    /// The files as they are now.
    package var now: [NamedFile]

    /// The given files, those that were written as they are now, the others as they were.
    package func files(of given: [NamedFile], written: Set<String>) -> [NamedFile] {
      let mended = Dictionary(files.map { ($0.name, $0.bytes) }) { first, _ in first }
      return given.map { file in
        var file = file
        if written.contains(file.name), let bytes = mended[file.name] { file.bytes = bytes }
        return file
      }
    }
  }

  /// Fixes may make room for others; where they never end, something is wrong with them.
  private static let mostRounds = 20

  package let judge: @Sendable ([NamedFile]) -> FilteredReport

  package init(judge: @escaping @Sendable ([NamedFile]) -> FilteredReport) { self.judge = judge }

  package func run(_ files: [NamedFile]) -> Outcome {
    let before = judge(files)
    var state = State(files: files, report: before)
    for _ in 0..<Self.mostRounds where !Task.isCancelled {
      guard makeRound(&state) else { break }
    }
    var outcome = Outcome(
      files: [], leftOut: state.leftOut, before: before, report: state.report, now: state.files)
    for (index, file) in state.files.enumerated() where file.bytes != files[index].bytes {
      outcome.files.append(
        FixedFile(
          name: file.name, original: files[index].bytes, bytes: file.bytes, fixed: state.fixed[file.name] ?? []))
    }
    return outcome
  }

  private struct State {
    var files: [NamedFile]
    var report: FilteredReport
    var fixed: [String: [Diagnostic]] = [:]
    var leftOut: [SkippedFix] = []
    /// What is not tried again, by identity.
    var refused: Set<String> = []
  }

  private struct Change {
    var index: Int
    /// The file before the round, from which the findings have their places.
    var file: NamedFile
    var bytes: [UInt8]
    var fixed: [Diagnostic]
  }

  /// - Returns: whether anything changed.
  private func makeRound(_ state: inout State) -> Bool {
    var changes: [Change] = []
    let fixable = Dictionary(grouping: state.report.diagnostics.filter(\.isFixable), by: \.place.source.name)
    for index in state.files.indices {
      let file = state.files[index]
      let findings = (fixable[file.name] ?? []).filter { !state.refused.contains(Self.identity($0)) }
      guard !findings.isEmpty, let change = change(of: file, at: index, findings, &state) else { continue }
      changes.append(change)
    }
    return make(changes[...], &state)
  }

  /// Makes all changes that do no harm; files with a harmful one are found by halves, since judging goes through all files.
  /// - Returns: whether anything changed.
  private func make(_ changes: ArraySlice<Change>, _ state: inout State) -> Bool {
    guard let first = changes.first, !Task.isCancelled else { return false }
    guard changes.count > 1 else {
      var kept: [Diagnostic] = []
      make(first.fixed[...], of: first, &kept, &state)
      return !kept.isEmpty
    }
    if accept(Array(changes), &state) { return true }
    let middle = changes.startIndex + changes.count / 2
    let isFirstMade = make(changes[..<middle], &state)
    let isSecondMade = make(changes[middle...], &state)
    return isFirstMade || isSecondMade
  }

  /// Makes all fixes of a file that do no harm; the others are found by halves, since judging takes its time.
  private func make(
    _ findings: ArraySlice<Diagnostic>, of change: Change, _ kept: inout [Diagnostic], _ state: inout State
  ) {
    guard !Task.isCancelled else { return }
    var reason = "there would be more, or graver mistakes than before"
    do throws(SpanEdits.Conflict) {
      var change = change
      change.fixed = Array(findings)
      change.bytes = try Self.bytes(of: change.file, after: kept + change.fixed)
      if accept([change], &state) {
        kept += change.fixed
        return
      }
    } catch {
      reason = error.words
    }
    if findings.count > 1 {
      let middle = findings.startIndex + findings.count / 2
      make(findings[..<middle], of: change, &kept, &state)
      make(findings[middle...], of: change, &kept, &state)
    } else {
      refuse(findings, reason, &state)
    }
  }

  private func refuse(_ findings: some Sequence<Diagnostic>, _ reason: String, _ state: inout State) {
    for finding in findings where state.refused.insert(Self.identity(finding)).inserted {
      state.leftOut.append(SkippedFix(diagnostic: finding, reason: reason))
    }
  }

  private static func bytes(
    of file: NamedFile, after findings: [Diagnostic]
  ) throws(SpanEdits.Conflict) -> [UInt8] {
    guard let source = findings.first?.place.source else { return file.bytes }
    var seen: Set<Diagnostic.Edit> = []
    let edits = findings.flatMap { $0.fix?.edits ?? [] }.filter { seen.insert($0).inserted }
    return try SpanEdits.bytes(of: file.bytes, after: edits, in: source)
  }

  /// The file after all fixes that do not stand in each other's way.
  private func change(of file: NamedFile, at index: Int, _ findings: [Diagnostic], _ state: inout State) -> Change? {
    var accepted: [Diagnostic.Edit] = []
    var fixed: [Diagnostic] = []
    let text = FileClassification(file).text ?? findings[0].place.source.bytes
    for finding in findings {
      // Places in another state of the file, such as one that a rule read from the disk, say nothing of this one.
      guard let edits = finding.fix?.edits, !edits.isEmpty, finding.place.source.bytes == text,
        edits.allSatisfy({ Self.fits($0, accepted) })
      else { continue }
      accepted += edits.filter { !accepted.contains($0) }
      fixed.append(finding)
    }
    guard !fixed.isEmpty else { return nil }
    do throws(SpanEdits.Conflict) {
      let bytes = try Self.bytes(of: file, after: fixed)
      return bytes == file.bytes ? nil : Change(index: index, file: file, bytes: bytes, fixed: fixed)
    } catch {
      refuse(fixed, error.words, &state)
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
    for change in changes {
      files[change.index].bytes = change.bytes
      // What people turned off still may not be broken.
      guard FileClassification(files[change.index]).isAsGood(as: FileClassification(change.file)) else { return false }
    }
    let report = judge(files)
    guard Self.isBetter(report, than: state.report, changes.flatMap(\.fixed)) else { return false }
    for change in changes { state.fixed[files[change.index].name, default: []] += change.fixed }
    state.files = files
    state.report = report
    return true
  }

  /// Whether there is no error that was not there before and nothing new that is graver than what was mended, there are not more
  /// findings than before, and something of what was mended is gone.
  private static func isBetter(_ now: FilteredReport, than before: FilteredReport, _ fixed: [Diagnostic]) -> Bool {
    // The current name of a keyword is always right. What the former one kept from being read is found only now.
    if fixed.allSatisfy({ $0.rule == RenamedKeyword.rule }) { return true }
    let worst = fixed.map(\.severity).max() ?? .note
    var left: [String: Int] = [:]
    // An error may be told in other words than before: what counts is how many of its kind there are.
    var errors: [String: Int] = [:]
    for finding in before.diagnostics {
      left[identity(finding), default: 0] += 1
      if finding.severity == .error { errors[kind(finding), default: 0] += 1 }
    }
    for finding in now.diagnostics {
      let name = identity(finding)
      left[name, default: 0] -= 1
      if finding.severity == .error {
        errors[kind(finding), default: 0] -= 1
        if errors[kind(finding), default: 0] < 0 { return false }
      } else if left[name, default: 0] < 0, finding.severity > worst {
        return false
      }
    }
    func count(_ report: FilteredReport) -> Int { report.diagnostics.count { $0.severity >= worst } }
    return count(now) <= count(before) && fixed.contains { left[identity($0), default: 0] > 0 }
  }

  private static func kind(_ finding: Diagnostic) -> String { "\(finding.place.source.name)\u{0}\(finding.rule)" }

  private static func identity(_ finding: Diagnostic) -> String {
    "\(kind(finding))\u{0}\(finding.severity.rawValue)\u{0}\(finding.message)"
  }
}

extension Diagnostic {
  /// Whether `--fix` applies the fix. A note reports what may well be intended, so its fix is only a suggestion.
  package var isFixable: Bool { fix != nil && severity > .note }
}
