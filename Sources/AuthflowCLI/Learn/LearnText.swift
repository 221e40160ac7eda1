import Diagnostics
import Lessons
import Reports

/// Renders the output of `authflow learn` as text for a terminal.
struct LearnText {
  private let style: TerminalStyle

  /// The largest readable width of a line, in columns.
  private static let maximumWidth = 100

  init(style: TerminalStyle) {
    self.style = TerminalStyle(
      color: style.color, unicode: style.unicode, width: min(style.width, Self.maximumWidth),
      seal: style.seal)
  }

  // MARK: Chapters

  func list(_ progress: LearningProgress) -> String {
    var text = paragraph(
      "Learn how apps sign in users, in \(Chapter.all.count) short chapters with examples and exercises.",
      indent: 0)
    for chapter in Chapter.all {
      var status = ""
      if progress.isDone(chapter) {
        status = style.paint(style.unicode ? "✓ done" : "done", .good)
      } else if chapter.number == progress.next?.number {
        status = style.paint("next", .attention)
      }
      let number = (chapter.number < 10 ? " " : "") + "\(chapter.number)"
      text += "\n\(number). \(style.paint(chapter.title, .strong))\(status.isEmpty ? "" : "  \(status)")\n"
      text += paragraph(chapter.summary, indent: 4, tone: .dim)
    }
    text += "\n"
    text += next(in: progress) { "Next: run `authflow learn \($0.number)`, or `authflow learn \($0.name)`." }
    return style.shown(text)
  }

  func heading(_ chapter: Chapter) -> String {
    style.shown(
      style.paint("Chapter \(chapter.number) of \(Chapter.all.count): \(chapter.title)", .strong) + "\n")
  }

  /// Renders paragraphs, with an empty line before each paragraph.
  func paragraphs(_ text: String) -> String {
    style.shown(text.paragraphs.map { "\n" + paragraph($0, indent: 0) }.joined())
  }

  /// Renders verbatim lines, such as the lines of a workflow.
  func listing(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return style.shown("\n" + lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined())
  }

  /// Renders the name and preconditions of a demonstration.
  func demonstration(_ name: String, setup: [String]) -> String {
    var text = "\n" + style.paint("\(style.unicode ? "▶" : ">") Demonstration: \(name)", .strong) + "\n"
    for line in setup { text += style.wrap(line, indent: 4, hanging: 2, tone: .dim) }
    return style.shown(text)
  }

  /// The style for a demonstration's report, which is indented by two columns.
  var indentedStyle: TerminalStyle {
    TerminalStyle(color: style.color, unicode: style.unicode, width: style.width - 2, seal: style.seal)
  }

  func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }.joined(
      separator: "\n")
  }

  // MARK: Exercises

  func exercise(_ chapter: Chapter, _ results: [LearningStore.WriteResult]) -> String {
    var text = "\n" + style.paint("Exercise", .strong) + "\n"
    text += paragraphs(chapter.exercise.task)
    text += listing(chapter.exercise.broken)
    text += "\n" + files(results) + "\n"
    text += command("authflow learn \(chapter.number) --check", "checks your solution")
    text += command("authflow learn \(chapter.number) --hint", "shows hints")
    text += command("authflow learn \(chapter.number) --solution", "shows a solution")
    return style.shown(text)
  }

  func files(_ results: [LearningStore.WriteResult]) -> String {
    let lines = results.map { file in
      let path = CaretFrame.visible(file.path)
      return switch file.action {
      case .written: "\(path): written"
      case .unchanged: "\(path): unchanged"
      case .modified: "\(path): not overwritten, because you have changed it"
      case .restored:
        "\(path): restored\(file.backup.map { "; your version is now \(CaretFrame.visible($0))" } ?? "")"
      }
    }
    return style.shown(lines.map { style.wrap($0, indent: 2, hanging: 2, breaking: false) }.joined())
  }

  func hints(_ chapter: Chapter) -> String {
    var text = heading(chapter)
    for (index, hint) in chapter.exercise.hints.enumerated() {
      text += "\n" + paragraph("\(index + 1). \(hint)", indent: 0, hanging: 3)
    }
    return style.shown(text)
  }

  func solution(_ chapter: Chapter) -> String {
    heading(chapter) + listing(chapter.exercise.solution)
  }

  func solved(_ chapter: Chapter, _ progress: LearningProgress) -> String {
    let text = "\n" + style.paint("Solved. Chapter \(chapter.number) is done.", .good) + "\n"
    return style.shown(text + next(in: progress) { "Next: `authflow learn \($0.number)`, \($0.title)." })
  }

  private func next(in progress: LearningProgress, describe: (Chapter) -> String) -> String {
    paragraph(
      progress.next.map(describe) ?? "You have completed all \(Chapter.all.count) chapters.", indent: 0)
  }

  func notSolved(_ chapter: Chapter, hint: String?) -> String {
    var text = ""
    if let hint { text += "\n" + paragraph("Hint: \(hint)", indent: 0, hanging: 2) }
    text += "\n" + command("authflow learn \(chapter.number)", "shows the chapter")
    text += command("authflow learn \(chapter.number) --hint", "shows all hints")
    return style.shown(text)
  }

  func note(_ text: String) -> String { style.shown(paragraph("note: \(text)", indent: 0, hanging: 2)) }

  func passed(_ name: String) -> String {
    style.shown(
      "\(style.paint(style.unicode ? "✓" : "+", .good)) \(CaretFrame.visible(name))  \(style.paint("passed", .good))\n")
  }

  private func command(_ line: String, _ purpose: String) -> String {
    let isWide = max(30, line.count) + purpose.count + 4 <= style.width
    let name = style.paint(line, .strong)
    guard isWide else { return "  \(name)\n      \(purpose)\n" }
    return "  \(name)\(String(repeating: " ", count: max(1, 30 - line.count)))  \(purpose)\n"
  }

  // MARK: Paragraphs

  /// Wraps one paragraph. Code in backticks is not wrapped, and is bold on terminals with colors.
  private func paragraph(_ text: String, indent: Int, hanging: Int = 0, tone: TerminalStyle.Tone = .plain) -> String {
    var lines: [[String]] = [[]]
    var used = 0
    for word in Self.words(text) {
      let available = style.width - indent - (lines.count == 1 ? 0 : hanging)
      let needed = Self.columns(word, style.color) + (used == 0 ? 0 : 1)
      if used > 0, used + needed > available {
        lines.append([word])
        used = Self.columns(word, style.color)
      } else {
        lines[lines.count - 1].append(word)
        used += needed
      }
    }
    return lines.enumerated().map { index, words in
      String(repeating: " ", count: indent + (index == 0 ? 0 : hanging))
        + words.map { painted($0, tone) }.joined(separator: " ") + "\n"
    }.joined()
  }

  /// Splits text at spaces that are not inside backticks.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isCode = false
    for character in text {
      if character == "`" { isCode.toggle() }
      if character == " ", !isCode {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  private static func columns(_ word: String, _ color: Bool) -> Int {
    DisplayWidth.of(word) - (color ? word.count { $0 == "`" } : 0)
  }

  private func painted(_ word: String, _ tone: TerminalStyle.Tone) -> String {
    guard style.color, word.contains("`") else { return style.paint(word, tone) }
    let parts = word.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { style.paint(String($1), $0 % 2 == 1 ? .strong : tone) }.joined()
  }
}
