import Diagnostics
import Documents
import Handbook
import IdentityPlatform
import Lessons
import OrderedCollections
import WorkflowModel

/// The result of `authflow explain`: glossary entries, unknown names, and app code.
struct Explanation {
  private(set) var entries: [GlossaryEntry] = []
  /// The well-formed sign-in service codes that have no entry.
  private(set) var unlisted: [UnknownSignInCode] = []
  /// The names that have no entry, with similar names that have one.
  private(set) var unknown: [(text: String, suggestions: [String])] = []
  /// The error text that the user pasted, if any.
  private(set) var pasted: PastedText?
  /// The app code for the requested steps.
  private(set) var codes: [AppCode] = []
  /// The value of `--code`.
  private(set) var language: AppCode.Language?

  /// Looks up the command's arguments: one name (such as `AADSTS 65001`), several names, or error messages.
  init(lookingUp arguments: [String]) {
    if arguments.count > 1, add(Glossary.lookUp(arguments.joined(separator: " "))) { return }
    for argument in arguments {
      let result = Glossary.lookUp(argument)
      guard !add(result) else { continue }
      let text = PastedText(argument)
      if Self.isText(argument), !text.isEmpty {
        add(text)
      } else if case .unknown(let suggestions) = result {
        unknown.append((argument, suggestions))
      }
    }
  }

  init(pasted text: PastedText) { add(text) }

  /// Adds the app code for all step types in the arguments.
  /// - Returns: Whether the arguments contain a step type.
  mutating func addCodes(for arguments: [String], in language: AppCode.Language?) -> Bool {
    self.language = language
    for argument in arguments {
      let key = StepKind.keys.first { $0.lowercased() == argument.lowercased() } ?? argument
      guard let code = AppCode.named(key), !codes.contains(where: { $0.step == code.step }) else { continue }
      codes.append(code)
    }
    return !codes.isEmpty
  }

  private mutating func add(_ text: PastedText) {
    entries += text.entries
    unlisted += text.unlisted
    pasted = text
  }

  /// - Returns: Whether the name is known.
  private mutating func add(_ result: Glossary.Answer) -> Bool {
    switch result {
    case .known(let matches): entries += matches.filter { !entries.contains($0) }
    case .unlisted(let code): unlisted.append(code)
    case .unknown: return false
    }
    return true
  }

  /// Whether an argument is an error text rather than a name.
  private static func isText(_ argument: String) -> Bool {
    argument.count > 64 || argument.contains { $0.isWhitespace || "={}[]()&:;,<>\"'".contains($0) }
  }

  /// Whether an argument is a path rather than a name.
  private static func isPath(_ argument: String) -> Bool {
    hasDocumentExtension(argument) || argument.contains("/") && !argument.contains("://")
  }

  private static func hasDocumentExtension(_ argument: String) -> Bool {
    let name = argument.lowercased()
    return !name.contains("://") && [".yaml", ".yml", ".json", ".plist"].contains { name.hasSuffix($0) }
  }

  /// The exit status, or nil for success.
  var status: ExitStatus? {
    if !unknown.isEmpty || entries.isEmpty && unlisted.isEmpty { return .usageError }
    return entries.isEmpty ? .failed : nil
  }

  /// The messages for standard error.
  var errors: [(message: String, help: String)] {
    if entries.isEmpty, unlisted.isEmpty, unknown.isEmpty {
      return [
        (
          "no known error or code in this text",
          "paste the complete error with `error`, `error_description`, and `userInfo`, or more log lines"
        )
      ]
    }
    return unknown.map { text, suggestions in
      let isPrintable = Self.isPrintable(text)
      let listHelp = "run `authflow explain --list` to list all names"
      if Self.isPath(text) {
        let path = isPrintable || Self.hasDocumentExtension(text) ? CaretFrame.visible(text) : "this path"
        return ("\(path): no such file", listHelp)
      }
      let help =
        suggestions.isEmpty
        ? listHelp : "did you mean \(suggestions.map { "`\($0)`" }.joined(separator: ", "))?"
      return (isPrintable ? "unknown name `\(CaretFrame.visible(text))`" : "unknown name", help)
    }
  }

  /// Whether the output can repeat the text. The output must not contain a token that the user pasted accidentally.
  private static func isPrintable(_ text: String) -> Bool { text.count <= 40 && !text.hasPrefix("eyJ") }

  /// The explanation for `--format json`. The format is the same for all kinds of arguments.
  var json: JSON {
    var json = pasted?.json ?? [:]
    json["found"] = .array(entries.map(\.json))
    if !codes.isEmpty { json["code"] = .array(codes.flatMap { $0.json(language) }) }
    json["unlisted"] = .array(unlisted.map(\.json))
    json["unknown"] = .array(
      unknown.map { text, suggestions in
        [
          "text": .string(Self.isPrintable(text) ? text : "…"),
          "suggestions": .array(suggestions.map { .string($0) }),
        ]
      })
    return json
  }
}
