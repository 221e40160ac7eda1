import Diagnostics
import Documents
import Lessons
import Reports

extension ExplanationText {
  /// Renders the app code for a step in one language and lists the other languages.
  func code(_ code: AppCode, _ selected: AppCode.Language?) -> String {
    let language = selected ?? .swift
    var text = style.paint("App code for \(code.step)", .strong)
    text += "  \(style.paint("\(language.name), \(language.library)", .dim))\n"
    switch code[language] {
    case .missing(let reason): text += style.wrap(reason, indent: 2)
    case .code(let lines, let note):
      text += "\n"
      for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "    \(line)\n"
      }
      if !note.isEmpty { text += "\n" + style.wrap(note, indent: 2) }
    }
    guard selected == nil else { return text }
    let others = AppCode.Language.allCases.filter { $0 != language }.map { "\($0.name) (--code \($0.rawValue))" }
    return text + "\n" + style.wrap("Other languages: \(others.joined(separator: ", "))", indent: 2, tone: .dim)
  }
}

extension AppCode {
  /// Returns the code for `explain --format json`, in the selected language or in all languages.
  func json(_ selected: Language?) -> [JSON] {
    Language.allCases.filter { selected == nil || $0 == selected }.map { language in
      var json: JSON = [
        "step": .string(step), "language": .string(language.rawValue), "library": .string(language.library),
      ]
      switch self[language] {
      case .code(let lines, let note):
        json["code"] = .string(lines)
        if !note.isEmpty { json["note"] = .string(note) }
      case .missing(let reason): json["missing"] = .string(reason)
      }
      return json
    }
  }
}
