/// The files of a chapter. authflow writes these files to the learner's folder, and the demonstrations use them.
extension Chapter {
  /// The file with the exercise.
  package static let exerciseFile = "exercise.yaml"
  /// The file with the settings, in the same folder.
  package static let settingsFile = "AuthSettings.plist"

  /// The files for the learner's folder.
  package var files: [(name: String, text: String)] {
    [(Self.exerciseFile, exerciseText), (Self.settingsFile, settingsText)]
  }

  /// The workflow that contains the demonstrations, without its scenarios.
  package var shownWorkflow: String {
    workflow.firstRange(of: "\nscenarios:").map { String(workflow[..<$0.lowerBound]) } ?? workflow
  }

  /// The exercise, with the task as a comment.
  package var exerciseText: String { exerciseText(exercise.broken) }
  /// The solution to the exercise.
  package var solutionText: String { exerciseText(exercise.solution) }

  private func exerciseText(_ steps: String) -> String {
    let task = Self.comment(
      "Chapter \(number) of `authflow learn`: \(title).\n\n\(exercise.task)\n\nCheck your solution: authflow learn \(number) --check"
    )
    return "\(task)\(head)\(steps)\n\n\(exercise.scenarios)\n"
  }

  /// Formats paragraphs as comment lines.
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

  /// The settings of the chapter, or the default settings.
  private var settingsText: String {
    EmbeddedData.text("chapters/\(folder)/\(Self.settingsFile)")
      ?? EmbeddedData.text("chapters/\(Self.settingsFile)") ?? ""
  }
}

extension String {
  /// The paragraphs of a text, with each paragraph on one line.
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
