import Diagnostics
import Documents

/// One finding as a SARIF result.
struct SARIFResult {
  private let finding: Diagnostic
  private let rules: SARIFRules
  private let artifacts: SARIFArtifacts
  private let fingerprint: String

  init(_ finding: Diagnostic, _ rules: SARIFRules, _ artifacts: SARIFArtifacts, fingerprint: String) {
    self.finding = finding
    self.rules = rules
    self.artifacts = artifacts
    self.fingerprint = fingerprint
  }

  /// - Parameter suppressions: The suppressions that apply to the finding. The list is empty for a reported finding.
  func json(suppressions: [JSON]) -> JSON {
    var message = CaretFrame.visible(finding.message)
    if let help = finding.help { message += "; \(CaretFrame.visible(help))" }
    var location = location(of: finding.place)
    location["physicalLocation"]?["region"] = region(snippet: true)
    if let line = finding.redactedLine(), finding.place.span != nil {
      let number = JSON.integer(Int64(finding.place.start.line))
      location["physicalLocation"]?["contextRegion"] = [
        "startLine": number, "endLine": number, "snippet": ["text": .string(line)],
      ]
    }
    var result: JSON = [
      "ruleId": .string(finding.rule), "level": .string(finding.severity.rawValue),
      "message": ["text": .string(Self.plain(message))], "locations": [location],
      "partialFingerprints": ["primaryLocationLineHash": .string(fingerprint)],
      "suppressions": .array(suppressions),
    ]
    if let position = rules.position(of: finding.rule) { result["ruleIndex"] = .integer(Int64(position)) }
    if !finding.related.isEmpty {
      result["relatedLocations"] = .array(
        finding.related.prefix(Self.mostRelated).enumerated().map { position, related in
          var location = self.location(of: related.place)
          location["id"] = .integer(Int64(position + 1))
          location["message"] = ["text": .string(Self.plain(CaretFrame.visible(related.message)))]
          return location
        })
    }
    if let fix = finding.fix, !fix.edits.isEmpty { result["fixes"] = [self.fix(fix)] }
    return result
  }

  /// The maximum number of related locations. Viewers list related locations next to the finding.
  private static let mostRelated = 50

  /// Escapes embedded links, such as `[text](target)` (SARIF 2.1.0, section 3.11.6), because messages quote text from
  /// files.
  static func plain(_ text: String) -> String { text.replacing("](", with: #"\]("#) }

  private func location(of place: FileSpan) -> JSON {
    [
      "physicalLocation": [
        "artifactLocation": artifacts.location(place.source.name), "region": Self.region(of: place),
      ]
    ]
  }

  private func region(snippet: Bool) -> JSON {
    var region = Self.region(of: finding.place)
    if let text = finding.redactedRange(), !text.isEmpty { region["snippet"] = ["text": .string(text)] }
    return region
  }

  /// Returns a region with lines and columns that start at 1. The end column is exclusive.
  private static func region(of place: FileSpan) -> JSON {
    let (start, end) = (place.start, place.end)
    return [
      "startLine": .integer(Int64(start.line)), "startColumn": .integer(Int64(start.column)),
      "endLine": .integer(Int64(end.line)), "endColumn": .integer(Int64(end.column)),
    ]
  }

  /// Returns an edit's replacement text with the file's line breaks.
  private func text(of edit: Diagnostic.Edit) -> String {
    let bytes = finding.place.source.bytes
    guard edit.replacement.utf8.contains(0x0A), let first = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }),
      bytes[first] == 0x0D
    else { return edit.replacement }
    let end = bytes.dropFirst(first + 1).first == 0x0A ? "\r\n" : "\r"
    return edit.replacement.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.joined(
      separator: end)
  }

  private func fix(_ fix: Diagnostic.Fix) -> JSON {
    let replacements = fix.edits.map { edit -> JSON in
      var replacement: JSON = ["deletedRegion": Self.region(of: FileSpan(finding.place.source, edit.span))]
      if !edit.replacement.isEmpty {
        replacement["insertedContent"] = ["text": .string(text(of: edit))]
      }
      return replacement
    }
    return [
      "description": ["text": .string(Self.plain(fix.description))],
      "artifactChanges": [
        [
          "artifactLocation": artifacts.location(finding.place.source.name), "replacements": .array(replacements),
        ]
      ],
    ]
  }
}
