import Diagnostics
import Documents

/// Values for references in files, such as `$(PRODUCT_BUNDLE_IDENTIFIER)` and `${TENANT}`.
package struct Definitions: Sendable {
  /// The value of a name, or nil if it is undefined.
  package var value: @Sendable (String) -> String?
  /// The value of `${env:NAME}`, which is a variable that the user passed, as in workflows.
  package var environment: @Sendable (String) -> String? = { _ in nil }
  /// The severity of a reference without a value: an error if the values are required, and a lower severity if files
  /// are only validated.
  package var severity: Diagnostic.Severity
  /// Whether references without a value are left unchanged and not reported.
  package var preservesReferences = false

  package init(severity: Diagnostic.Severity = .error, value: @escaping @Sendable (String) -> String?) {
    self.severity = severity
    self.value = value
  }

  package init(_ values: [String: String], severity: Diagnostic.Severity = .error) {
    self.init(severity: severity) { values[$0] }
  }

  package static let none = Definitions([:])

  /// A copy for files that usually contain references, such as an Info.plist. It does not report undefined references.
  package var preservingReferences: Definitions {
    var definitions = self
    definitions.preservesReferences = true
    return definitions
  }

  /// Returns these definitions and the variables that the user passed, which provide values for undefined names and for
  /// `${env:NAME}`.
  package func or(_ others: [String: String]) -> Definitions {
    var definitions = self
    definitions.environment = { [environment] name in environment(name) ?? others[name] }
    definitions.value = { [value] name in value(name) ?? others[name] }
    return definitions
  }

  /// Whether a string contains a reference in the format of any build system.
  package static func containsReference(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "$")) && (text.contains("$(") || text.contains("${"))
      || ForeignReference.find(in: text) != nil
  }

  /// Returns the string with references resolved. Each reference without a value is reported and left unchanged.
  package func fill(_ text: String, at place: FileSpan, _ problems: inout DiagnosticCollector) -> String {
    guard text.utf8.count <= TemplatePlaceholder.longestText else { return text }
    if let foreign = ForeignReference.find(in: text), !preservesReferences {
      problems.add(unresolved(foreign, at: place))
    }
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    // Finding the last brackets first avoids repeated searches for a closing bracket that does not exist.
    let ends = (round: text.lastIndex(of: ")"), curly: text.lastIndex(of: "}"))
    var result = ""
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let tail = rest[dollar...]
      if tail.hasPrefix("$${") {
        result += "${"
        rest = tail.dropFirst(3)
        continue
      }
      let end = tail.hasPrefix("$(") ? ends.round : ends.curly
      guard let end, end > dollar, let reference = Self.reference(at: tail) else {
        result += "$"
        rest = tail.dropFirst()
        continue
      }
      if let filled = resolve(reference.name) {
        result += filled
      } else {
        result += reference.written
        if !preservesReferences { problems.add(unresolved(reference, at: place)) }
      }
      rest = tail[reference.written.endIndex...]
    }
    return result + rest
  }

  /// Returns the string with references resolved, and messages about references without a value.
  package func fill(_ text: String) -> (text: String, missing: [String]) {
    var problems = DiagnosticCollector()
    let filled = fill(text, at: FileSpan(SourceText(name: "", text: text), nil), &problems)
    return (filled, problems.diagnostics.map(\.message))
  }

  /// Returns the reference `$(NAME)` or `${NAME}` at the start of a string.
  private static func reference(at text: Substring) -> (name: Substring, written: Substring)? {
    let close: Character
    if text.hasPrefix("$(") { close = ")" } else if text.hasPrefix("${") { close = "}" } else { return nil }
    guard let end = text.firstIndex(of: close) else { return nil }
    let name = text[text.index(text.startIndex, offsetBy: 2)..<end]
    return name.isEmpty ? nil : (name, text[...end])
  }

  /// Returns the names of the build settings that a string refers to, such as `PRODUCT_BUNDLE_IDENTIFIER`.
  package static func references(in text: String) -> [String] {
    guard text.utf8.count <= TemplatePlaceholder.longestText else { return [] }
    return text.indices.compactMap { index in
      guard text[index] == "$", let found = reference(at: text[index...]) else { return nil }
      return String(found.name.prefix { $0 != ":" })
    }
  }

  /// Returns the value of a name, which can be followed by colons and Xcode build setting operators.
  private func resolve(_ reference: Substring) -> String? {
    if let name = Self.variable(reference) { return environment(name) }
    if let whole = value(String(reference)) { return whole }
    let parts = reference.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    var current = value(String(parts[0]))
    for part in parts.dropFirst() {
      if part.hasPrefix("default=") {
        if current == nil || current?.isEmpty == true { current = String(part.dropFirst("default=".count)) }
        continue
      }
      switch part {
      case "lower": current = current?.lowercased()
      case "upper": current = current?.uppercased()
      case "rfc1034identifier", "identifier":
        let separator: Character = part == "identifier" ? "_" : "-"
        current = current.map {
          String($0.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : separator })
        }
      default: return nil
      }
    }
    return current
  }

  /// Returns the variable in a reference `${env:NAME}`.
  private static func variable(_ reference: Substring) -> String? {
    reference.hasPrefix("env:") ? String(reference.dropFirst("env:".count)) : nil
  }

  private func unresolved(_ reference: (name: Substring, written: Substring), at place: FileSpan) -> Diagnostic {
    if let name = Self.variable(reference.name) {
      return unresolved(
        reference.written, help: "pass `--env \(name)`, or `--env-file FILE` with \(name)=…", at: place)
    }
    let name = reference.name.prefix { $0 != ":" }
    return unresolved(reference.written, help: "pass `--define \(name)=value`", at: place)
  }

  /// Returns the diagnostic for a reference that only another tool replaces.
  private func unresolved(_ reference: Substring, at place: FileSpan) -> Diagnostic {
    unresolved(reference, help: "replace it with a value, or validate the generated file", at: place)
  }

  private func unresolved(_ written: Substring, help: String, at place: FileSpan) -> Diagnostic {
    var place = place
    if let span = place.span {
      let text = place.source.text(in: span)
      if let range = text.firstRange(of: written) {
        let start = span.start + text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        place.span = SourceSpan(start: start, end: start + written.utf8.count)
      }
    }
    return Diagnostic(
      severity, rule: "unresolved-variable", "undefined variable `\(written)`", help: help, at: place)
  }
}
