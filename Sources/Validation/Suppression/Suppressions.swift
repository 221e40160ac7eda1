import Diagnostics
import Documents

/// A finding that a comment or the configuration suppresses.
package struct SuppressedFinding: Sendable {
  package enum Origin: String, Sendable {
    /// A comment in the file suppresses the finding.
    case inSource
    /// The configuration suppresses the finding.
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

/// The suppression comments in a file.
struct Suppressions {
  static let withoutReason = "suppression-without-reason"
  static let unknownRule = "suppression-unknown-rule"
  static let unused = "suppression-unused"

  /// Splits findings into reported and suppressed findings. Findings about the comments themselves are added to the
  /// reported findings.
  static func apply(
    to findings: [Diagnostic], in files: [NamedFile]
  ) -> (reported: [Diagnostic], suppressed: [SuppressedFinding]) {
    let mark = Array(SuppressionComment.mark.utf8)
    var byFile: [String: Suppressions] = [:]
    for file in files where contains(mark, file.bytes) {
      guard let suppressions = Suppressions(file), !suppressions.comments.isEmpty else { continue }
      byFile[file.name] = suppressions
    }
    guard !byFile.isEmpty else { return (findings, []) }
    var reported: [Diagnostic] = []
    var suppressed: [SuppressedFinding] = []
    for finding in findings {
      let name = finding.place.source.name
      if let reason = byFile[name]?.suppress(finding) {
        suppressed.append(SuppressedFinding(diagnostic: finding, origin: .inSource, reason: reason))
      } else {
        reported.append(finding)
      }
    }
    for file in files { reported += ProjectValidator.limited(byFile[file.name]?.commentFindings ?? []) }
    return (reported, suppressed)
  }

  private let source: SourceText
  private let comments: [SuppressionComment]
  /// The indices of comments that suppressed a finding, each with the index of the rule name in the comment.
  private var used: Set<[Int]> = []

  private init?(_ file: NamedFile) {
    let options = ReadingOptions(toleratesComments: true)
    let document = DocumentReader.read(file.bytes, named: file.name, options: options).document
    source = document?.source ?? SourceText(name: file.name, bytes: file.bytes)
    let allComments: [Comment]
    if let document, document.syntax == .xmlPropertyList || !Self.isXML(source) {
      allComments = Comments.all(in: document)
    } else if Self.isXML(source) {
      // The file is XML other than a property list.
      allComments = Comments.all(in: source, syntax: .xml)
    } else {
      return nil
    }
    let extents = SuppressionExtents(
      source, document?.syntax == .xmlPropertyList || !Self.isXML(source) ? document : nil, allComments)
    let source = source
    comments = allComments.compactMap { SuppressionComment($0, in: source, extent: extents.last) }
  }

  private static func isXML(_ source: SourceText) -> Bool {
    source.bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
  }

  /// Suppresses a finding if a comment applies to it.
  /// - Returns: The reason in the comment, or nil if no comment applies.
  private mutating func suppress(_ finding: Diagnostic) -> String? {
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

  /// The findings about the comments themselves.
  private var commentFindings: [Diagnostic] {
    var unknown = 0
    return comments.enumerated().flatMap { index, comment -> [Diagnostic] in
      let place = FileSpan(source, comment.span)
      guard !comment.names.isEmpty else {
        return [
          Diagnostic(
            .warning, rule: Self.unknownRule, "suppression without a rule",
            help: "use the format `\(SuppressionComment.mark) rule-id: reason`", at: place)
        ]
      }
      var findings: [Diagnostic] = []
      if comment.reason == nil {
        findings.append(
          Diagnostic(
            .warning, rule: Self.withoutReason, "suppression without a reason has no effect",
            help: "add a reason after a colon: `\(comment.mark) \(comment.names[0].id): reason`", at: place)
        )
      }
      for (position, name) in comment.names.enumerated() {
        let namePlace = FileSpan(source, name.span)
        if !RuleNames.contains(name.id) {
          unknown += 1
          // Computing suggestions takes time, so only the first findings include one.
          findings.append(
            unknown > ProjectValidator.mostFindings
              ? Diagnostic(.warning, rule: Self.unknownRule, "unknown rule", at: namePlace)
              : RuleNames.unknown(name.id, at: namePlace))
        } else if RuleNames.reading.contains(name.id) {
          findings.append(
            Diagnostic(
              .warning, rule: Self.unused, "comments cannot suppress `\(name.id)`",
              help: "turn the rule off in `.authflow.yaml`, because comments are not read in files with syntax errors",
              at: namePlace))
        } else if comment.reason != nil, !used.contains([index, position]) {
          findings.append(
            Diagnostic(
              .note, rule: Self.unused, "unused suppression of `\(name.id)`", help: "remove it", at: namePlace))
        }
      }
      return findings
    }
  }

  private static func contains(_ text: [UInt8], _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count >= text.count else { return false }
      let first = text[0]
      var index = 0
      while index <= bytes.count - text.count {
        if bytes[index] == first, bytes[index..<index + text.count].elementsEqual(text) { return true }
        index += 1
      }
      return false
    }
  }
}
