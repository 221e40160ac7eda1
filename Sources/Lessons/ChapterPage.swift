/// A parser for `chapter.md`, which consists of a heading, a summary, paragraphs, and the sections `## Exercise` and
/// `### Hints`. The markers `<!-- workflow -->` and `<!-- run: SCENARIO -->` can appear between paragraphs.
struct ChapterPage {
  private(set) var title = ""
  private(set) var summary = ""
  private(set) var task = ""
  private(set) var hints: [String] = []
  private(set) var parts: [Chapter.Part] = []
  private var paragraphs: [String] = []

  init(_ text: String) {
    enum Section { case head, text, exercise, hints }
    var section = Section.head
    for block in text.split(separator: "\n\n") {
      let block = String(block).trimmingNewlines
      switch block {
      case "## Exercise": section = .exercise
      case "### Hints": section = .hints
      case "<!-- workflow -->": add(.workflow)
      default:
        switch section {
        case .head:
          if block.hasPrefix("# ") {
            title = String(block.dropFirst(2))
          } else {
            summary = block
            section = .text
          }
        case .text:
          if block.hasPrefix("<!-- run: ") {
            add(.demonstration(String(block.dropFirst("<!-- run: ".count).dropLast(" -->".count))))
          } else {
            paragraphs.append(block.unwrapped)
          }
        case .exercise: task += (task.isEmpty ? "" : "\n\n") + block.unwrapped
        case .hints: hints = block.dropFirst("- ".count).split(separator: "\n- ").map { String($0).unwrapped }
        }
      }
    }
    add(nil)
  }

  /// Adds the paragraphs before a marker, and then the part that the marker inserts.
  private mutating func add(_ part: Chapter.Part?) {
    if !paragraphs.isEmpty { parts.append(.text(paragraphs.joined(separator: "\n\n"))) }
    paragraphs = []
    if let part { parts.append(part) }
  }
}

extension String {
  /// The text with wrapped lines joined.
  fileprivate var unwrapped: String {
    split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  fileprivate var trimmingNewlines: String {
    String(drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
  }
}
