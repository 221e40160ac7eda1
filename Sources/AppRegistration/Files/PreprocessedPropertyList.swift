import Diagnostics
import Documents

/// Property lists that Xcode runs through the C preprocessor (`INFOPLIST_PREPROCESS`).
///
/// Lines such as `#ifdef BETA` make them invalid XML. The values of macros are unknown, so no finding may depend on
/// missing content.
package enum PreprocessedPropertyList {
  package static let rule = "preprocessed-plist"

  /// Reads an XML property list without its directives. Returns nil if it has no directives or cannot be read.
  static func read(_ strict: ReadResult) -> RegistrationDocument? {
    guard let source = strict.document?.source ?? strict.diagnostics.first?.place.source, !source.isBinary,
      let directives = Directives(source.bytes), let first = directives.lines.first
    else { return nil }
    let note = Diagnostic(
      .note, rule: rule, "property list with preprocessor directives is only partially checked",
      at: FileSpan(source, SourceSpan(start: first.lowerBound, end: first.upperBound)))
    // All branches together may be valid, for example if they are list entries. Otherwise, only the first branch is
    // read.
    let allBranches = readXML(directives.blanked(keepsBranches: true), named: source.name)
    let isReadable = !allBranches.diagnostics.hasErrors
    let readable = isReadable ? allBranches : readXML(directives.blanked(keepsBranches: false), named: source.name)
    guard let document = readable.document else { return nil }
    // The remaining errors may come from macros that expand to several elements.
    return RegistrationDocument(
      document: document, kind: AppRegistrationKind.recognize(document),
      diagnostics: [note] + readable.diagnostics.filter { $0.severity != .error }, isOneBranchOnly: !isReadable)
  }

  private static func readXML(_ bytes: [UInt8], named name: String) -> ReadResult {
    DocumentReader.read(bytes, named: name, options: ReadingOptions(syntax: .xmlPropertyList))
  }

  /// The lines of a file that contain preprocessor directives.
  private struct Directives {
    private let bytes: [UInt8]
    private(set) var lines: [Range<Int>] = []
    /// The ranges from each `#else` or `#elif` to its `#endif`.
    private var otherBranches: [Range<Int>] = []

    /// Returns nil if the file has no directives or if its other lines are not XML.
    init?(_ bytes: [UInt8]) {
      self.bytes = bytes
      var open: [Int?] = []
      var start = 0
      var isXML = false
      var isContinued = false
      while start < bytes.count {
        let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        let text = bytes[start..<end].drop { $0 == 0x20 || $0 == 0x09 }
        if isContinued {
          lines.append(start..<end)
        } else if let word = Self.directive(text) {
          lines.append(start..<end)
          switch word {
          case "if", "ifdef", "ifndef": open.append(nil)
          case "else", "elif": if let last = open.popLast() { open.append(last ?? start) }
          case "endif": if let begin = open.popLast() ?? nil { otherBranches.append(begin..<start) }
          default: break
          }
        } else if text.first == UInt8(ascii: "<") {
          isXML = true
        } else if !isXML, !text.isEmpty, !text.starts(with: [0xEF, 0xBB, 0xBF]) {
          return nil
        }
        isContinued = bytes[start..<end].last == UInt8(ascii: "\\") && lines.last?.upperBound == end
        start = end + 1
      }
      guard isXML, !lines.isEmpty else { return nil }
    }

    private static let directiveNames: Set<String> = [
      "if", "ifdef", "ifndef", "else", "elif", "endif", "include", "import", "define", "undef", "pragma", "error",
      "warning",
    ]

    private static func directive(_ line: ArraySlice<UInt8>) -> String? {
      guard line.first == UInt8(ascii: "#") else { return nil }
      let letters = line.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }.prefix {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
      }
      let word = String(decoding: letters, as: UTF8.self)
      return directiveNames.contains(word) ? word : nil
    }

    /// Returns the text with spaces in place of directives, so that offsets do not change.
    func blanked(keepsBranches: Bool) -> [UInt8] {
      var bytes = bytes
      for range in lines + (keepsBranches ? [] : otherBranches) {
        for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
      }
      return bytes
    }
  }
}
