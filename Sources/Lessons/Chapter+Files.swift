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

  /// The workflow of the demonstrations.
  package var workflowText: String { head + workflow + "\n" }

  /// The same as it is shown: without scenarios.
  package var shownWorkflow: String {
    let scenarios = workflow.firstRange(of: "\nscenarios:").map { workflow[..<$0.lowerBound] }
    return head + (scenarios ?? workflow[...])
  }

  /// The exercise as it is given, with its task on top.
  package var exerciseText: String { exerciseText(exercise.broken) }
  /// The exercise, repaired.
  package var solutionText: String { exerciseText(exercise.solution) }

  private var head: String {
    """
    authflow: 1
    name: \(title)
    settings: \(Self.settingsFile)

    """
  }

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

  private var settingsText: String {
    let capabilities =
      handlesChallenges
      ? """
      \t<!-- The app can handle claims challenges: MSAL says so with each request for a token. -->
      \t<key>ClientCapabilities</key>
      \t<array>
      \t\t<string>CP1</string>
      \t</array>

      """ : ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<!-- An app that exists on the embedded platform only. -->
      \t<key>AppId</key>
      \t<string>6731de76-14a6-49ae-97bc-6eba6914391e</string>
      \t<key>GraphScopes</key>
      \t<array>
      \t\t<string>User.Read</string>
      \t</array>
      \t<key>Authority</key>
      \t<string>https://login.microsoftonline.com/common</string>
      \t<key>BundleId</key>
      \t<string>com.contoso.lessons</string>
      \(capabilities)</dict>
      </plist>

      """
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
