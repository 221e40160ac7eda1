import Diagnostics
import Documents
import Validation

/// A change to files that a user can select for a finding or a document.
package struct CodeFix: Sendable {
  package enum Kind: Sendable {
    case quickFix
    /// All safe fixes in the document.
    case fixAll
  }

  package var title: String
  package var kind: Kind
  /// The findings that the change removes.
  package var diagnostics: [Diagnostic] = []
  /// The edits with their file names. The spans refer to the text of the snapshot.
  package var edits: [(file: String, edit: Diagnostic.Edit)]
  /// Whether this is the most likely change for the finding.
  package var isPreferred = false
}

extension WorkspaceSnapshot {
  /// Returns the changes for the findings in a span of a document.
  package func fixes(for findings: [Diagnostic], in document: SnapshotDocument) -> [CodeFix] {
    var fixes: [CodeFix] = []
    for finding in findings where !Task.isCancelled {
      if let fix = finding.fix {
        fixes.append(
          CodeFix(
            title: Self.capitalized(fix.description), kind: .quickFix, diagnostics: [finding],
            edits: fix.edits.map { (document.name, $0) }, isPreferred: finding.isFixable))
      } else if let suggestion = suggestion(for: finding) {
        fixes.append(suggestion)
      }
    }
    for finding in findings where !Task.isCancelled {
      fixes += suppressions(of: finding, in: document)
    }
    return fixes
  }

  /// Returns the change that replaces a misspelled name with the name that the finding suggests (`did you mean X?`).
  private func suggestion(for finding: Diagnostic) -> CodeFix? {
    guard let help = finding.help, let span = finding.place.span, help.hasPrefix("did you mean `"),
      let name = Self.code(in: help), let misspelled = Self.code(in: finding.message), !misspelled.isEmpty
    else { return nil }
    let source = finding.place.source
    let text = Array(source.text(in: span).utf8)
    guard let range = text.firstRange(of: Array(misspelled.utf8)) else { return nil }
    let edit = Diagnostic.Edit(
      span: SourceSpan(start: span.start + range.lowerBound, end: span.start + range.upperBound), replacement: name)
    return CodeFix(
      title: "Change to `\(name)`", kind: .quickFix, diagnostics: [finding], edits: [(source.name, edit)],
      isPreferred: true)
  }

  /// Returns the first text in backticks.
  private static func code(in text: String) -> String? {
    let parts = text.split(separator: "`", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? String(parts[1]) : nil
  }

  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Returns the change that applies all safe fixes in a document, or nil if there are none.
  package func fixAll(in document: SnapshotDocument) -> CodeFix? {
    let name = document.name
    let session = FixSession { [self] files in
      var report = validate(files)
      for index in report.diagnostics.indices where report.diagnostics[index].place.source.name != name {
        report.diagnostics[index].fix = nil
      }
      return report
    }
    let outcome = session.run(files)
    guard !Task.isCancelled, let fixed = outcome.files.first(where: { $0.name == name }) else { return nil }
    return CodeFix(
      title: "Apply \(fixed.fixed.count.counting("safe fix", plural: "safe fixes"))", kind: .fixAll,
      diagnostics: fixed.fixed,
      edits: TextDifference.edits(from: document.source.bytes, to: fixed.bytes).map { (name, $0) })
  }
}

/// The difference between two texts as edits.
package enum TextDifference {
  /// Returns the edits that change one text into another. Equal lines between changes are not replaced.
  package static func edits(from old: [UInt8], to new: [UInt8]) -> [Diagnostic.Edit] {
    guard old != new else { return [] }
    let (oldLines, newLines) = (lines(of: old), lines(of: new))
    var edits: [Diagnostic.Edit] = []
    var removed: Range<Int>?
    var offsets = [0]
    for line in oldLines { offsets.append(offsets[offsets.count - 1] + line.count) }
    // The removed and inserted lines, as positions in the old text.
    let difference = newLines.difference(from: oldLines)
    var removals: Set<Int> = []
    var insertions: [Int: ArraySlice<UInt8>] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removals.insert(offset)
      case .insert(let offset, let line, _): insertions[offset] = line
      }
    }
    var (oldIndex, newIndex) = (0, 0)
    var inserted: [ArraySlice<UInt8>] = []
    func flush() {
      guard removed != nil || !inserted.isEmpty else { return }
      let range = removed ?? oldIndex..<oldIndex
      // If lines are replaced by the same number of lines, each line is a separate edit.
      let replaced = range.count == inserted.count ? range.map { $0..<($0 + 1) } : [range]
      let texts = range.count == inserted.count ? inserted.map { [$0] } : [inserted]
      for (range, lines) in zip(replaced, texts) {
        edits.append(
          Diagnostic.Edit(
            span: SourceSpan(start: offsets[range.lowerBound], end: offsets[range.upperBound]),
            replacement: String(decoding: lines.flatMap(\.self), as: UTF8.self)))
      }
      removed = nil
      inserted = []
    }
    while oldIndex < oldLines.count || newIndex < newLines.count {
      if oldIndex < oldLines.count, removals.contains(oldIndex) {
        removed = (removed?.lowerBound ?? oldIndex)..<(oldIndex + 1)
        oldIndex += 1
      } else if let line = insertions[newIndex] {
        inserted.append(line)
        newIndex += 1
      } else {
        flush()
        oldIndex += 1
        newIndex += 1
      }
    }
    flush()
    return edits
  }

  /// Splits text into lines, including line endings.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}
