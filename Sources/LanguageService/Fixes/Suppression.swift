import AppRegistration
import Diagnostics
import Documents
import Trust
import Validation

extension WorkspaceSnapshot {
  /// Returns the changes that suppress a finding: a comment before its line, or an entry in `.authflow.yaml` if
  /// comments are not possible.
  func suppressions(of finding: Diagnostic, in document: SnapshotDocument) -> [CodeFix] {
    guard RuleNames.canBeSuppressed(finding.rule) else { return [] }
    if let edit = ignoringComment(for: finding, in: document),
      suppresses(finding, after: [edit], in: document)
    {
      return [
        CodeFix(
          title: "Ignore `\(finding.rule)` here, with a reason", kind: .quickFix, diagnostics: [finding],
          edits: [(document.name, edit)])
      ]
    }
    return configurationEntry(for: finding, in: document).map { [$0] } ?? []
  }

  private static let reason = "TODO: add the reason"

  /// Returns the edit that inserts a comment before the line of a finding.
  private func ignoringComment(for finding: Diagnostic, in document: SnapshotDocument) -> Diagnostic.Edit? {
    let bytes = document.source.bytes
    guard !document.source.isBinary else { return nil }
    let line = document.lines.line(at: finding.place.span?.start ?? 0)
    let start = document.lines.start(ofLine: line)
    let indentation = String(
      decoding: bytes[document.lines.range(ofLine: line)].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    let text = "authflow:ignore \(finding.rule): \(Self.reason)"
    let comment: String
    switch document.reading.document?.syntax {
    case .yaml: comment = "# \(text)"
    case .json, .openStepPropertyList: comment = "// \(text)"
    case .xmlPropertyList: comment = "<!-- \(text) -->"
    case .binaryPropertyList: return nil
    case nil:
      // The document is XML but not a property list.
      guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
      comment = "<!-- \(text) -->"
    }
    return Diagnostic.Edit(span: .at(start), replacement: "\(indentation)\(comment)\n")
  }

  /// Whether the edits remove a finding without adding another finding.
  private func suppresses(_ finding: Diagnostic, after edits: [Diagnostic.Edit], in document: SnapshotDocument) -> Bool
  {
    guard let bytes = try? SpanEdits.apply(edits, to: document.source) else { return false }
    var files = files
    guard let index = files.firstIndex(where: { $0.name == document.name }) else { return false }
    files[index].bytes = bytes
    let after = validate(files)
    func count(_ report: FilteredReport, _ rule: String?) -> Int {
      report.diagnostics.count { $0.place.source.name == document.name && (rule == nil || $0.rule == rule) }
    }
    return count(after, finding.rule) < count(report, finding.rule) && count(after, nil) < count(report, nil)
  }

  /// Returns the change that adds an entry for the file to the configuration.
  private func configurationEntry(for finding: Diagnostic, in document: SnapshotDocument) -> CodeFix? {
    let configuration = configurations.configuration(for: ".")
    let folder = configuration?.folder ?? folder
    let name = configurations.files.first ?? ValidationConfiguration.fileNames[0]
    let prefix = folder == "/" ? "/" : folder + "/"
    guard document.path.hasPrefix(prefix) else { return nil }
    let source = world.bytes(of: name)
    let bytes = (try? source.get()) ?? []
    let path = JSON.string(String(document.path.dropFirst(prefix.count))).text()
    let entry = """
        - rule: \(finding.rule)
          path: \(path)
          reason: "\(Self.reason)"

      """
    let text = String(decoding: bytes, as: UTF8.self)
    let edit: Diagnostic.Edit
    let lines = LineIndex(bytes)
    if let line = (0..<lines.count).first(where: { lines.text(ofLine: $0).hasPrefix("ignore:") }) {
      // A line cannot be added to entries in flow style.
      guard lines.text(ofLine: line).drop(while: { $0 != ":" }).dropFirst().allSatisfy(\.isWhitespace) else {
        return nil
      }
      edit = Diagnostic.Edit(span: .at(lines.start(ofLine: line + 1)), replacement: entry)
    } else {
      let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
      edit = Diagnostic.Edit(span: .at(bytes.count), replacement: "\(separator)ignore:\n\(entry)")
    }
    return CodeFix(
      title: "Ignore `\(finding.rule)` for this file in \(FilePath.name(of: name))", kind: .quickFix,
      diagnostics: [finding], edits: [(name, edit)])
  }
}
