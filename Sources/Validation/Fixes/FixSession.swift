import Diagnostics
import Documents

/// Applies a report's fixes in rounds. The session defers conflicting fixes to the next round. It keeps changes only if
/// they do not make the report worse.
package struct FixSession: Sendable {
  /// A changed file.
  package struct FixedFile: Sendable {
    package var name: String
    package var original: [UInt8]
    package var bytes: [UInt8]
    /// The fixed findings, in the order in which they were fixed.
    package var fixed: [Diagnostic]
  }

  /// A fix that was not applied.
  package struct SkippedFix: Sendable {
    package var diagnostic: Diagnostic
    package var reason: String
  }

  package struct Outcome: Sendable {
    package var files: [FixedFile]
    package var skippedFixes: [SkippedFix]
    /// The report before any fixes.
    package var before: FilteredReport
    /// The report after all fixes.
    package var report: FilteredReport
    /// All files, with the fixes applied.
    package var fixedFiles: [NamedFile]

    /// Returns all files, with fixes in the written files only.
    package func files(of originals: [NamedFile], written: Set<String>) -> [NamedFile] {
      let fixed = Dictionary(files.map { ($0.name, $0.bytes) }) { first, _ in first }
      return originals.map { file in
        var file = file
        if written.contains(file.name), let bytes = fixed[file.name] { file.bytes = bytes }
        return file
      }
    }
  }

  /// The maximum number of rounds, in case fixes undo each other.
  private static let mostRounds = 20

  package let validate: @Sendable ([NamedFile]) -> FilteredReport

  package init(validate: @escaping @Sendable ([NamedFile]) -> FilteredReport) { self.validate = validate }

  package func run(_ files: [NamedFile]) -> Outcome {
    let before = validate(files)
    var state = State(files: files, report: before)
    for _ in 0..<Self.mostRounds where !Task.isCancelled {
      guard applyRound(&state) else { break }
    }
    var outcome = Outcome(
      files: [], skippedFixes: state.skippedFixes, before: before, report: state.report, fixedFiles: state.files)
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
    var skippedFixes: [SkippedFix] = []
    /// The identities of findings whose fixes the session does not try again.
    var rejected: Set<String> = []
  }

  private struct Change {
    var index: Int
    /// The file before the round. The findings' locations refer to this version.
    var file: NamedFile
    var bytes: [UInt8]
    var fixed: [Diagnostic]
  }

  /// - Returns: Whether any file changed.
  private func applyRound(_ state: inout State) -> Bool {
    var changes: [Change] = []
    let fixable = Dictionary(grouping: state.report.diagnostics.filter(\.isFixable), by: \.place.source.name)
    for index in state.files.indices {
      let file = state.files[index]
      let findings = (fixable[file.name] ?? []).filter { !state.rejected.contains(Self.identity($0)) }
      guard !findings.isEmpty, let change = change(of: file, at: index, findings, &state) else { continue }
      changes.append(change)
    }
    return apply(changes[...], &state)
  }

  /// Applies all changes that do not make the report worse. Because each validation checks all files, the method finds
  /// harmful changes by bisection.
  /// - Returns: Whether any file changed.
  private func apply(_ changes: ArraySlice<Change>, _ state: inout State) -> Bool {
    guard let first = changes.first, !Task.isCancelled else { return false }
    guard changes.count > 1 else {
      var applied: [Diagnostic] = []
      apply(first.fixed[...], of: first, &applied, &state)
      return !applied.isEmpty
    }
    if accept(Array(changes), &state) { return true }
    let middle = changes.startIndex + changes.count / 2
    let changedFirst = apply(changes[..<middle], &state)
    let changedSecond = apply(changes[middle...], &state)
    return changedFirst || changedSecond
  }

  /// Applies a file's fixes, except those that make the report worse. Because validation is slow, the method finds
  /// harmful fixes by bisection.
  private func apply(
    _ findings: ArraySlice<Diagnostic>, of change: Change, _ applied: inout [Diagnostic], _ state: inout State
  ) {
    guard !Task.isCancelled else { return }
    var reason = "the fix would cause other findings"
    do throws(SpanEdits.Conflict) {
      var change = change
      change.fixed = Array(findings)
      change.bytes = try Self.bytes(of: change.file, after: applied + change.fixed)
      if accept([change], &state) {
        applied += change.fixed
        return
      }
    } catch {
      reason = error.reason
    }
    if findings.count > 1 {
      let middle = findings.startIndex + findings.count / 2
      apply(findings[..<middle], of: change, &applied, &state)
      apply(findings[middle...], of: change, &applied, &state)
    } else {
      reject(findings, reason, &state)
    }
  }

  private func reject(_ findings: some Sequence<Diagnostic>, _ reason: String, _ state: inout State) {
    for finding in findings where state.rejected.insert(Self.identity(finding)).inserted {
      state.skippedFixes.append(SkippedFix(diagnostic: finding, reason: reason))
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

  /// Applies a file's fixes, except those that conflict with earlier fixes.
  private func change(of file: NamedFile, at index: Int, _ findings: [Diagnostic], _ state: inout State) -> Change? {
    var accepted: [Diagnostic.Edit] = []
    var fixed: [Diagnostic] = []
    let text = FileClassification(file).text ?? findings[0].place.source.bytes
    for finding in findings {
      // If a rule read another version of the file from disk, the finding's locations do not apply to this version.
      guard let edits = finding.fix?.edits, !edits.isEmpty, finding.place.source.bytes == text,
        edits.allSatisfy({ Self.isCompatible($0, accepted) })
      else { continue }
      accepted += edits.filter { !accepted.contains($0) }
      fixed.append(finding)
    }
    guard !fixed.isEmpty else { return nil }
    do throws(SpanEdits.Conflict) {
      let bytes = try Self.bytes(of: file, after: fixed)
      return bytes == file.bytes ? nil : Change(index: index, file: file, bytes: bytes, fixed: fixed)
    } catch {
      reject(fixed, error.reason, &state)
      return nil
    }
  }

  /// Returns whether an edit can be applied together with other edits. Equal edits are compatible. Adjacent edits are
  /// deferred to the next round.
  private static func isCompatible(_ edit: Diagnostic.Edit, _ others: [Diagnostic.Edit]) -> Bool {
    others.allSatisfy { other in
      edit == other || edit.span.end < other.span.start || other.span.end < edit.span.start
        // Removals of adjacent lines are compatible, even though one removal ends where the other starts.
        || edit.span.end == other.span.start && edit.replacement.isEmpty && other.replacement.isEmpty
        || other.span.end == edit.span.start && edit.replacement.isEmpty && other.replacement.isEmpty
    }
  }

  /// Applies changes if they improve the report.
  private func accept(_ changes: [Change], _ state: inout State) -> Bool {
    var files = state.files
    for change in changes {
      files[change.index].bytes = change.bytes
      // The syntax must remain valid even if the configuration turns off syntax rules.
      guard FileClassification(files[change.index]).isAsGood(as: FileClassification(change.file)) else { return false }
    }
    let report = validate(files)
    guard Self.isBetter(report, than: state.report, changes.flatMap(\.fixed)) else { return false }
    for change in changes { state.fixed[files[change.index].name, default: []] += change.fixed }
    state.files = files
    state.report = report
    return true
  }

  /// Returns whether fixes improved a report. At least one fixed finding must no longer occur. There must not be
  /// additional errors, new findings with a higher severity than the fixed findings, or more findings than before.
  private static func isBetter(_ now: FilteredReport, than before: FilteredReport, _ fixed: [Diagnostic]) -> Bool {
    // Renaming a keyword is always an improvement, even if new findings appear in the content under the keyword.
    if fixed.allSatisfy({ $0.rule == RenamedKeyword.rule }) { return true }
    let worst = fixed.map(\.severity).max() ?? .note
    var remaining: [String: Int] = [:]
    // The message of an error can change, so errors are counted by rule.
    var errors: [String: Int] = [:]
    for finding in before.diagnostics {
      remaining[identity(finding), default: 0] += 1
      if finding.severity == .error { errors[key(finding), default: 0] += 1 }
    }
    for finding in now.diagnostics {
      let name = identity(finding)
      remaining[name, default: 0] -= 1
      if finding.severity == .error {
        errors[key(finding), default: 0] -= 1
        if errors[key(finding), default: 0] < 0 { return false }
      } else if remaining[name, default: 0] < 0, finding.severity > worst {
        return false
      }
    }
    func count(_ report: FilteredReport) -> Int { report.diagnostics.count { $0.severity >= worst } }
    return count(now) <= count(before) && fixed.contains { remaining[identity($0), default: 0] > 0 }
  }

  private static func key(_ finding: Diagnostic) -> String { "\(finding.place.source.name)\u{0}\(finding.rule)" }

  private static func identity(_ finding: Diagnostic) -> String {
    "\(key(finding))\u{0}\(finding.severity.rawValue)\u{0}\(finding.message)"
  }
}

extension Diagnostic {
  /// Whether `--fix` applies the fix. A note can report something intentional, so the fix for a note is only a
  /// suggestion.
  package var isFixable: Bool { fix != nil && severity > .note }
}
