/// The files of a chapter, as they are written to the learner's folder and as its demonstrations read them.
extension Chapter {
  /// The file that the learner repairs.
  package static let exerciseFile = "exercise.yaml"
  /// The app's settings, which lie beside it.
  package static let settingsFile = "AuthSettings.plist"

  /// What is written to the learner's folder: the file's name, and its text.
  package var files: [(name: String, text: String)] {
    [(Self.exerciseFile, exerciseText), (Self.settingsFile, settingsText)]
  }

  /// The workflow of the demonstrations as it is shown: without scenarios.
  package var shownWorkflow: String {
    workflow.firstRange(of: "\nscenarios:").map { String(workflow[..<$0.lowerBound]) } ?? workflow
  }

  /// The exercise as it is given, with its task on top.
  package var exerciseText: String { exerciseText(exercise.broken) }
  /// The exercise, repaired.
  package var solutionText: String { exerciseText(exercise.solution) }

  private func exerciseText(_ steps: String) -> String {
    let task = Self.comment(
      "Chapter \(number) of `authflow learn`: \(title).\n\n\(exercise.task)\n\nWhether it is repaired: authflow learn \(number) --check"
    )
    return "\(task)\(head)\(steps)\n\n\(exercise.scenarios)\n"
  }

  /// Paragraphs as lines of a comment.
  private static func comment(_ text: String) -> String {
    var lines: [String] = []
    for paragraph in text.paragraphs {
      if !lines.isEmpty { lines.append("#") }
      var line = "#"
      for word in paragraph.split(separator: " ") {
        if line.count + word.count + 1 > 100 {
          lines.append(line)
          line = "#"
        }
        line += " " + word
      }
      lines.append(line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The app's settings: the chapter's own, or those of all chapters.
  private var settingsText: String {
    EmbeddedData.text("chapters/\(folder)/\(Self.settingsFile)")
      ?? EmbeddedData.text("chapters/\(Self.settingsFile)") ?? ""
  }
}

extension String {
  /// What stands between empty lines, each paragraph in one line.
  package var paragraphs: [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        if paragraphs.last?.isEmpty == false { paragraphs.append([]) }
      } else {
        paragraphs[paragraphs.count - 1].append(line)
      }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }
}
