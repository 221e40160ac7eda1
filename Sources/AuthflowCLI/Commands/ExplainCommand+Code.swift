import Diagnostics
import Documents
import Lessons
import Reports

extension ExplanationText {
  /// A step in the code of an app, in one language; the others are named.
  func code(_ code: AppCode, _ chosen: AppCode.Language?) -> String {
    let language = chosen ?? .swift
    var text = style.paint("\(code.step) in an app", .strong)
    text += "  \(style.paint("\(language.name), \(language.library)", .dim))\n"
    switch code[language] {
    case .missing(let words): text += style.wrap(words, indent: 2)
    case .code(let lines, let note):
      text += "\n"
      for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "    \(line)\n"
      }
      if !note.isEmpty { text += "\n" + style.wrap(note, indent: 2) }
    }
    guard chosen == nil else { return text }
    let others = AppCode.Language.allCases.filter { $0 != language }.map { "\($0.name) (--code \($0.rawValue))" }
    return text + "\n" + style.wrap("Also in \(others.joined(separator: ", ")).", indent: 2, tone: .dim)
  }
}

extension AppCode {
  /// What `explain --format json` prints: in the chosen language, or in all of them.
  func json(_ chosen: Language?) -> [JSON] {
    Language.allCases.filter { chosen == nil || $0 == chosen }.map { language in
      var json: JSON = [
        "step": .string(step), "language": .string(language.rawValue), "library": .string(language.library),
      ]
      switch self[language] {
      case .code(let lines, let note):
        json["code"] = .string(lines)
        if !note.isEmpty { json["note"] = .string(note) }
      case .missing(let words): json["missing"] = .string(words)
      }
      return json
    }
  }
}
