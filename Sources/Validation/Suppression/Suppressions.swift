import Diagnostics
import Documents

/// A finding of which nothing is said, because somebody accepted it.
package struct SuppressedFinding: Sendable {
  package enum Origin: String, Sendable {
    /// A comment in the file.
    case inSource
    /// The configuration.
    case external
  }

  package var diagnostic: Diagnostic
  package var origin: Origin
  package var reason: String

  package init(diagnostic: Diagnostic, origin: Origin, reason: String) {
    self.diagnostic = diagnostic
    self.origin = origin
    self.reason = reason
  }
}

/// The comments of files that accept findings, and what they do to a report.
struct Suppressions {
  static let withoutReason = "suppression-without-reason"
  static let unknownRule = "suppression-unknown-rule"
  static let unused = "suppression-unused"

  /// Divides findings into those that are told and those that a comment accepts, and says what is wrong with the comments.
  static func apply(
    to findings: [Diagnostic], in files: [NamedFile]
  ) -> (told: [Diagnostic], suppressed: [SuppressedFinding]) {
    let mark = Array(SuppressionComment.mark.utf8)
    var byFile: [String: Suppressions] = [:]
    for file in files where contains(mark, file.bytes) {
      guard let found = Suppressions(file), !found.comments.isEmpty else { continue }
      byFile[file.name] = found
    }
    guard !byFile.isEmpty else { return (findings, []) }
    var told: [Diagnostic] = []
    var suppressed: [SuppressedFinding] = []
    for finding in findings {
      let name = finding.place.source.name
      if let reason = byFile[name]?.take(finding) {
        suppressed.append(SuppressedFinding(diagnostic: finding, origin: .inSource, reason: reason))
      } else {
        told.append(finding)
      }
    }
    for file in files { told += ProjectValidator.bounded(byFile[file.name]?.complaints ?? []) }
    return (told, suppressed)
  }

  private let source: SourceText
  private let comments: [SuppressionComment]
  /// Which names of which comments have accepted something.
  private var used: Set<[Int]> = []

  private init?(_ file: NamedFile) {
    let options = ReadingOptions(toleratesComments: true)
    let document = DocumentReader.read(file.bytes, named: file.name, options: options).document
    source = document?.source ?? SourceText(name: file.name, bytes: file.bytes)
    let found: [Comment]
    if let document, document.syntax == .xmlPropertyList || !Self.isXML(source) {
      found = Comments.all(in: document)
    } else if Self.isXML(source) {
      // XML that is no property list.
      found = Comments.all(in: source, syntax: .xml)
    } else {
      return nil
    }
    let extents = SuppressionExtents(
      source, document?.syntax == .xmlPropertyList || !Self.isXML(source) ? document : nil, found)
    let source = source
    comments = found.compactMap { SuppressionComment($0, in: source, extent: extents.last) }
  }

  private static func isXML(_ source: SourceText) -> Bool {
    source.bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
  }

  /// The reason why a finding is accepted; nil where it is not.
  private mutating func take(_ finding: Diagnostic) -> String? {
    guard !RuleNames.reading.contains(finding.rule), !RuleNames.suppression.contains(finding.rule) else { return nil }
    let line = finding.place.span == nil ? 1 : finding.place.start.line
    for (index, comment) in comments.enumerated() {
      guard let reason = comment.reason, comment.isWholeFile || comment.lines.contains(line),
        let name = comment.names.firstIndex(where: { $0.id == finding.rule })
      else { continue }
      used.insert([index, name])
      return reason
    }
    return nil
  }

  /// What is wrong with the comments themselves.
  private var complaints: [Diagnostic] {
    var unknown = 0
    return comments.enumerated().flatMap { index, comment -> [Diagnostic] in
      let place = FileSpan(source, comment.span)
      guard !comment.names.isEmpty else {
        return [
          Diagnostic(
            .warning, rule: Self.unknownRule, "the comment names no rule, so it does nothing",
            help: "write \(SuppressionComment.mark) rule-id: reason", at: place)
        ]
      }
      var told: [Diagnostic] = []
      if comment.reason == nil {
        told.append(
          Diagnostic(
            .warning, rule: Self.withoutReason, "nothing is suppressed without a reason",
            help: "write why it is accepted, behind a colon: \(comment.mark) \(comment.names[0].id): reason", at: place)
        )
      }
      for (position, name) in comment.names.enumerated() {
        let nameplace = FileSpan(source, name.span)
        if !RuleNames.areKnown(name.id) {
          unknown += 1
          // Guessing what was meant takes its time, and is told of the first ones only.
          told.append(
            unknown > ProjectValidator.mostFindings
              ? Diagnostic(.warning, rule: Self.unknownRule, "there is no such rule", at: nameplace)
              : RuleNames.unknown(name.id, at: nameplace))
        } else if RuleNames.reading.contains(name.id) {
          told.append(
            Diagnostic(
              .warning, rule: Self.unused, "\(name.id) cannot be suppressed by a comment",
              help: "what does not read has no comments; a configuration file can turn it off", at: nameplace))
        } else if comment.reason != nil, !used.contains([index, position]) {
          told.append(
            Diagnostic(
              .note, rule: Self.unused, "\(name.id) finds nothing here, so there is nothing to suppress",
              help: "remove it", at: nameplace))
        }
      }
      return told
    }
  }

  private static func contains(_ word: [UInt8], _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count >= word.count else { return false }
      let first = word[0]
      var index = 0
      while index <= bytes.count - word.count {
        if bytes[index] == first, bytes[index..<index + word.count].elementsEqual(word) { return true }
        index += 1
      }
      return false
    }
  }
}
