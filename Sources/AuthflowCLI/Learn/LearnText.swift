import Diagnostics
import Lessons
import Reports

/// What `authflow learn` says, as text for a terminal; what is a sign is a word as well.
struct LearnText {
  private let style: TerminalStyle

  /// Lines longer than this are hard to read, however wide the terminal.
  private static let measure = 100

  init(style: TerminalStyle) {
    self.style = TerminalStyle(
      color: style.color, unicode: style.unicode, width: min(style.width, Self.measure),
      seal: style.seal)
  }

  // MARK: Chapters

  func list(_ progress: LearningProgress) -> String {
    var text = paragraph(
      "How an app signs people in, in \(Chapter.all.count) short chapters. Each has something to watch, and something to repair; nothing of it can break anything.",
      indent: 0)
    for chapter in Chapter.all {
      var words = ""
      if progress.isDone(chapter) {
        words = style.paint(style.unicode ? "✓ done" : "done", .good)
      } else if chapter.number == progress.next?.number {
        words = style.paint("next", .attention)
      }
      let number = (chapter.number < 10 ? " " : "") + "\(chapter.number)"
      text += "\n\(number). \(style.paint(chapter.title, .strong))\(words.isEmpty ? "" : "  \(words)")\n"
      text += paragraph(chapter.summary, indent: 4, tone: .dim)
    }
    text += "\n"
    if let next = progress.next {
      text += paragraph(
        "Go on with `authflow learn \(next.number)`, or by its name: `authflow learn \(next.name)`.", indent: 0)
    } else {
      text += paragraph("All \(Chapter.all.count) are done. Well learned.", indent: 0)
    }
    return style.shown(text)
  }

  func heading(_ chapter: Chapter) -> String {
    style.shown(
      style.paint("Chapter \(chapter.number) of \(Chapter.all.count): \(chapter.title)", .strong) + "\n")
  }

  /// Paragraphs with an empty line before each.
  func paragraphs(_ text: String) -> String {
    style.shown(text.paragraphs.map { "\n" + paragraph($0, indent: 0) }.joined())
  }

  /// Lines to be read as they stand, or copied.
  func listing(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return style.shown("\n" + lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined())
  }

  /// A demonstration's heading: its name, and what was so before the first step.
  func demonstration(_ name: String, given: [String]) -> String {
    var text = "\n" + style.paint("\(style.unicode ? "▶" : ">") Watch: \(name)", .strong) + "\n"
    for line in given { text += style.wrap(line, indent: 4, hanging: 2, tone: .dim) }
    return style.shown(text)
  }

  /// A style for what is told inside a demonstration, two columns further in.
  var inner: TerminalStyle {
    TerminalStyle(color: style.color, unicode: style.unicode, width: style.width - 2, seal: style.seal)
  }

  func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }.joined(
      separator: "\n")
  }

  // MARK: Exercises

  func exercise(_ chapter: Chapter, _ written: [LearningStore.WriteResult]) -> String {
    var text = "\n" + style.paint("Now you", .strong) + "\n"
    text += paragraphs(chapter.exercise.task)
    text += listing(chapter.exercise.broken)
    text += "\n" + files(written) + "\n"
    text += command("authflow learn \(chapter.number) --check", "tells whether it is repaired")
    text += command("authflow learn \(chapter.number) --hint", "helps")
    text += command("authflow learn \(chapter.number) --solution", "shows it repaired")
    return style.shown(text)
  }

  func files(_ written: [LearningStore.WriteResult]) -> String {
    let lines = written.map { file in
      let path = CaretFrame.visible(file.path)
      return switch file.fate {
      case .written: "\(path): written"
      case .unchanged: "\(path): as it was given"
      case .yours: "\(path): yours, left as it is"
      case .restored: "\(path): given anew\(file.kept.map { "; yours is now \(CaretFrame.visible($0))" } ?? "")"
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

  func done(_ chapter: Chapter, _ progress: LearningProgress) -> String {
    var text = "\n" + style.paint("Repaired. Chapter \(chapter.number) is done.", .good) + "\n"
    if let next = progress.next {
      text += paragraph("Next: `authflow learn \(next.number)`, \(next.title).", indent: 0)
    } else {
      text += paragraph("That was the last one: all \(Chapter.all.count) chapters are done. Well learned.", indent: 0)
    }
    return style.shown(text)
  }

  func notYet(_ chapter: Chapter, hint: String?) -> String {
    var text = ""
    if let hint { text += "\n" + paragraph("Hint: \(hint)", indent: 0, hanging: 2) }
    text += "\n" + command("authflow learn \(chapter.number)", "tells the chapter again")
    text += command("authflow learn \(chapter.number) --hint", "shows all hints")
    return style.shown(text)
  }

  func note(_ words: String) -> String { style.shown(paragraph("note: \(words)", indent: 0, hanging: 2)) }

  func passed(_ name: String) -> String {
    style.shown(
      "\(style.paint(style.unicode ? "✓" : "+", .good)) \(CaretFrame.visible(name))  \(style.paint("passed", .good))\n")
  }

  private func command(_ line: String, _ words: String) -> String {
    let isWide = max(30, line.count) + words.count + 4 <= style.width
    let name = style.paint(line, .strong)
    guard isWide else { return "  \(name)\n      \(words)\n" }
    return "  \(name)\(String(repeating: " ", count: max(1, 30 - line.count)))  \(words)\n"
  }

  // MARK: Words

  /// One paragraph in lines that fit; what stands between back quotes stays together, and is bold where there is color.
  private func paragraph(_ text: String, indent: Int, hanging: Int = 0, tone: TerminalStyle.Tone = .plain) -> String {
    var lines: [[String]] = [[]]
    var used = 0
    for word in Self.words(text) {
      let room = style.width - indent - (lines.count == 1 ? 0 : hanging)
      let needed = Self.columns(word, style.color) + (used == 0 ? 0 : 1)
      if used > 0, used + needed > room {
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

  /// Split at spaces, but not between back quotes.
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
