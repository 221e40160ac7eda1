import Diagnostics
import Documents

/// The documentation page for a rule. It contains the explanation, an example with its findings, and the corrected
/// example.
package struct RulePage: Sendable {
  package let rule: any Rule
  /// The rule's findings in its bad example.
  package let findings: [Diagnostic]

  /// Creates a page and validates the bad example.
  package init(_ rule: any Rule) {
    self.rule = rule
    findings = ExampleProject(rule.bad).validate().diagnostics.filter { $0.rule == rule.id }
  }

  /// The address of the reference page for all rules.
  private static let reference =
    "https://github.com/example/authflow/blob/main/Sources/authflow/authflow.docc/Reference/Rules.md"

  /// Returns the address of the documentation for a rule, or nil if the rule is unknown.
  package static func address(of rule: String) -> String? { RuleNames.contains(rule) ? "\(reference)#\(rule)" : nil }

  /// Whether `--fix` corrects the example.
  package var isFixable: Bool { findings.contains(where: \.isFixable) }

  /// The explanation as one paragraph.
  package var explanation: String { rule.explanation.split(whereSeparator: \.isNewline).joined(separator: " ") }

  /// The page as Markdown, starting with a second-level heading.
  package var markdown: String {
    var text = """
      ## \(rule.id)

      Severity: \(rule.severityDescription).\(isFixable ? " Fixable with `--fix`." : "") Detects: \
      \(rule.summary.escapedForMarkdown).

      \(explanation.escapedForMarkdown)

      """
    for file in rule.bad.files {
      text += "\n\(Self.block(file))"
      let fileFindings = findings.filter { $0.place.source.name == file.name }
      for finding in fileFindings {
        let start = finding.place.start
        text += "\n- \(start.line):\(start.column) \(CaretFrame.visible(finding.message).escapedForMarkdown)"
        if let help = finding.help { text += " (\(CaretFrame.visible(help).escapedForMarkdown))" }
      }
      if !fileFindings.isEmpty { text += "\n" }
    }
    text += "\nCorrected:\n"
    for file in rule.good.files { text += "\n\(Self.block(file))" }
    return text
  }

  private static func block(_ file: RuleExample.File) -> String {
    let text = file.text.hasSuffix("\n") ? file.text : file.text + "\n"
    return "`\(file.name)`\n\n```\(Self.language(of: file.name))\n\(text)```\n"
  }

  private static func language(of name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "yaml", "yml": "yaml"
    case "json": "json"
    case "plist", "entitlements", "xml": "xml"
    default: ""
    }
  }
}

/// An in-memory project that contains an example's files.
package struct ExampleProject: Sendable {
  /// Files that examples refer to but do not contain.
  private static let referencedFiles = ["Info.plist": #"{"CFBundleIdentifier": "com.contoso.app"}"#]
  /// The current time for rules that check expiration dates: 2026-01-01, in seconds since 1970.
  private static let now: Int64 = 1_767_225_600

  package let example: RuleExample

  package init(_ example: RuleExample) { self.example = example }

  package func validate() -> ValidationReport {
    let texts = Self.referencedFiles.merging(example.files.map { ($0.name, $0.text) }) { $1 }
    let validator = ProjectValidator(now: Self.now) { path, options in
      guard let text = texts[path] else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    return validator.validate(
      example.files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") })
  }
}

/// The reference page for all rules, which is stored in the documentation.
package enum RuleHandbook {
  package static func markdown(of rules: RuleSet) -> String {
    var text = """
      # Validation rules

      These are the rules of `authflow validate`, in the order in which `authflow validate --rules` lists them. Errors
      report configurations that MSAL or the service rejects. Warnings report configurations that are likely to fail
      later. Notes are informational. If a rule has several severities, the first is the default. To show one rule in
      the terminal, run `authflow explain RULE`. This page is generated from the rules, and a test runs every example.

      | Rule | Severity | Detects | `--fix` |
      |---|---|---|---|

      """
    let pages = rules.rules.map(RulePage.init)
    for page in pages {
      let id = page.rule.id
      let summary = page.rule.summary.escapedForMarkdown.replacing("|", with: "\\|")
      text += "| [\(id)](#\(id)) | \(page.rule.severityDescription) | \(summary) | \(page.isFixable ? "yes" : "") |\n"
    }
    return text + pages.map { "\n" + $0.markdown }.joined() + readingRules
  }

  /// The rules without examples. Each rule has a heading, to which editors link.
  private static var readingRules: String {
    let suppression = RuleNames.suppressionSummaries.sorted { $0.key < $1.key }.map { ReadingRule($0, $1, .warning) }
    let rules = ReadingRule.all + suppression
    return """

      ## Syntax and language rules

      These rules check a file while authflow reads it: its syntax, its declared keys, the workflow language, and \
      suppressions.

      """
        + rules.map { rule in
          """

          ### \(rule.id)

          Severity: \(rule.severity.rawValue). Detects: \(rule.summary.escapedForMarkdown).

          """
        }.joined()
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

  /// Escapes emphasis marks and text such as `<bundle id>`, which Markdown would interpret as an HTML tag. Code spans
  /// are unchanged.
  fileprivate var escapedForMarkdown: String {
    var isCode = false
    return reduce(into: "") { escaped, character in
      if character == "`" { isCode.toggle() }
      if !isCode && "\\*<".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
