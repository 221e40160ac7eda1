import Diagnostics
import Documents

/// What there is to read about a rule: why it matters, an example of what it finds with its own words, and the same mended.
package struct RulePage: Sendable {
  package let rule: any Rule
  /// What the rule says of its bad example.
  package let findings: [Diagnostic]

  /// A page; the bad example is judged for it.
  package init(_ rule: any Rule) {
    self.rule = rule
    findings = ExampleProject(rule.bad).validate().diagnostics.filter { $0.rule == rule.id }
  }

  /// Whether `--fix` mends what the example shows.
  package var isFixable: Bool { findings.contains(where: \.isFixable) }

  /// The help as one paragraph.
  package var help: String { rule.help.split(whereSeparator: \.isNewline).joined(separator: " ") }

  /// The page in Markdown, from a heading of its own on.
  package var markdown: String {
    var text = """
      ## \(rule.id)

      \(rule.severityWords.capitalized)\(isFixable ? ", mended by `--fix`" : ""). Finds: \(rule.words.escapedForMarkdown).

      \(help.escapedForMarkdown)

      """
    for file in rule.bad.files {
      text += "\n\(Self.block(file))"
      let told = findings.filter { $0.place.source.name == file.name }
      for finding in told {
        let start = finding.place.start
        text += "\n- \(start.line):\(start.column) \(CaretFrame.visible(finding.message).escapedForMarkdown)"
        if let help = finding.help { text += " (\(CaretFrame.visible(help).escapedForMarkdown))" }
      }
      if !told.isEmpty { text += "\n" }
    }
    text += "\nAs it should be:\n"
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

/// An example's files as a project in memory.
package struct ExampleProject: Sendable {
  /// What examples name without holding it themselves.
  private static let besides = ["Info.plist": #"{"CFBundleIdentifier": "com.contoso.app"}"#]
  /// 2026-01-01, for what expires.
  private static let now: Int64 = 1_767_225_600

  package let example: RuleExample

  package init(_ example: RuleExample) { self.example = example }

  package func validate() -> ValidationReport {
    let texts = Self.besides.merging(example.files.map { ($0.name, $0.text) }) { $1 }
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

/// All rules' pages, as the handbook that is kept beside the code.
package enum RuleHandbook {
  package static func markdown(of rules: RuleSet) -> String {
    var text = """
      # Rules of validation

      What `authflow validate` looks for, in the order in which `authflow validate --rules` lists it. Made from the rules themselves;
      every example is run by a test. An error is what MSAL or the service refuses, a warning is what will bite, a note is worth
      knowing. `authflow explain RULE` tells the same.

      | rule | severity | finds | `--fix` |
      |---|---|---|---|

      """
    let pages = rules.rules.map(RulePage.init)
    for page in pages {
      let id = page.rule.id
      let words = page.rule.words.escapedForMarkdown.replacing("|", with: "\\|")
      text += "| [\(id)](#\(id)) | \(page.rule.severityWords) | \(words) | \(page.isFixable ? "yes" : "") |\n"
    }
    return text + pages.map { "\n" + $0.markdown }.joined()
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

  /// Text whose `<bundle id>` is not read as an HTML tag, and which has no emphasis; code between backticks stays as it is.
  fileprivate var escapedForMarkdown: String {
    var isCode = false
    return reduce(into: "") { escaped, character in
      if character == "`" { isCode.toggle() }
      if !isCode && "\\*<".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
