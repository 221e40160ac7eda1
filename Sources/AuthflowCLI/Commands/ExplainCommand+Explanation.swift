import Diagnostics
import Documents
import Handbook
import IdentityPlatform
import Lessons
import OrderedCollections
import WorkflowModel

/// What is answered to one question.
struct Explanation {
  var entries: [GlossaryEntry] = []
  var unlisted: [UnknownSignInCode] = []
  /// What is not known, with what may have been meant.
  private(set) var unknown: [(text: String, suggestions: [String])] = []
  /// What a pasted text held besides.
  private(set) var pasted: PastedText?
  /// The steps that were asked for, in the code of an app.
  private(set) var codes: [AppCode] = []
  /// The language that was asked for.
  private(set) var language: AppCode.Language?

  /// The words of the command line: one subject (`AADSTS 65001`), several, or a whole error in quotes.
  init(lookingUp words: [String], in glossary: Glossary = .whole) {
    let whole = words.joined(separator: " ")
    if words.count > 1, add(glossary.lookUp(up: whole), for: whole) { return }
    for word in words where !add(glossary.lookUp(up: word), for: word) {
      let text = PastedText(word, glossary: glossary)
      guard Self.isText(word), !text.isEmpty else {
        if case .unknown(let suggestions) = glossary.lookUp(up: word) { unknown.append((word, suggestions)) }
        continue
      }
      add(text)
    }
  }

  init(pasted text: PastedText) { add(text) }

  /// Adds the code of an app for each word that is a step.
  /// - Returns: whether there is any.
  mutating func addCodes(for words: [String], in language: AppCode.Language?) -> Bool {
    self.language = language
    for word in words {
      let key = StepKind.keys.first { $0.lowercased() == word.lowercased() } ?? word
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

  /// - Returns: whether anything was found.
  private mutating func add(_ answer: Glossary.Answer, for word: String) -> Bool {
    switch answer {
    case .known(let found): entries += found.filter { !entries.contains($0) }
    case .unlisted(let code): unlisted.append(code)
    case .unknown: return false
    }
    return true
  }

  /// Whether an argument is more than a name: an error that was pasted in quotes.
  private static func isText(_ word: String) -> Bool {
    word.count > 64 || word.contains { $0.isWhitespace || "={}[]()&:;,<>\"'".contains($0) }
  }

  /// Whether a file is meant rather than a word.
  private static func isPath(_ word: String) -> Bool {
    hasDocumentEnding(word) || word.contains("/") && !word.contains("://")
  }

  private static func hasDocumentEnding(_ word: String) -> Bool {
    let name = word.lowercased()
    return !name.contains("://") && [".yaml", ".yml", ".json", ".plist"].contains { name.hasSuffix($0) }
  }

  /// How the command ends.
  var status: ExitStatus? {
    if !unknown.isEmpty || entries.isEmpty && unlisted.isEmpty { return .usageError }
    return entries.isEmpty ? .failed : nil
  }

  /// What is said on standard error.
  var complaints: [String] {
    if entries.isEmpty, unlisted.isEmpty, unknown.isEmpty {
      return [
        "error: nothing in this text is known here\n  help: paste the whole error, with its codes: userInfo, error and error_description, or the lines of the log around it"
      ]
    }
    return unknown.map { text, suggestions in
      // What was typed may be a token that was pasted by mistake.
      let isShort = text.count <= 40 && !text.hasPrefix("eyJ")
      if Self.isPath(text) {
        let path = isShort || Self.hasDocumentEnding(text) ? CaretFrame.visible(text) : "this path"
        return "error: \(path): no such file\n  help: authflow explain --list lists the words that are known"
      }
      let shown = isShort ? "\"\(CaretFrame.visible(text))\"" : "this"
      let help =
        suggestions.isEmpty
        ? "authflow explain --list lists everything that is known"
        : "did you mean \(suggestions.joined(separator: ", "))?"
      return "error: \(shown) is nothing that is known here\n  help: \(help)"
    }
  }

  /// One form for every question.
  var json: JSON {
    var json = pasted?.json ?? [:]
    json["found"] = .array(entries.map(\.json))
    if !codes.isEmpty { json["code"] = .array(codes.flatMap { $0.json(language) }) }
    json["unlisted"] = .array(unlisted.map(\.json))
    json["unknown"] = .array(
      unknown.map { text, suggestions in
        [
          "text": .string(text.count <= 40 && !text.hasPrefix("eyJ") ? text : "…"),
          "suggestions": .array(suggestions.map { .string($0) }),
        ]
      })
    return json
  }
}
