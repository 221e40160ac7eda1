/// A chapter of `authflow learn`: text with demonstrations, and an exercise.
///
/// Each folder in `Data/chapters` is a chapter. In a folder, `chapter.md` contains the text, `workflow.yaml` contains
/// the demonstrations, `exercise.yaml` contains the workflow to correct, and `solution.yaml` contains the correct
/// steps.
package struct Chapter: Sendable {
  package enum Part: Sendable, Hashable {
    /// Paragraphs separated by empty lines, with names in backticks.
    case text(String)
    /// The workflow of the chapter, without its scenarios.
    case workflow
    /// A run of a scenario from the chapter's workflow, shown step by step.
    case demonstration(String)
  }

  /// A workflow that the learner corrects until the chapter's scenarios pass.
  package struct Exercise: Sendable {
    /// The task that the learner must complete.
    package var task: String
    /// The inputs and steps of the exercise.
    package var broken: String
    /// The inputs and steps of the solution.
    package var solution: String
    /// The scenarios of the exercise and of the solution.
    package var scenarios: String
    /// The hints, from general to specific.
    package var hints: [String]
  }

  /// The number of the chapter in reading order, starting at 1.
  package var number: Int
  /// The name of the chapter, which is a single word. The name is an argument on the command line and part of the
  /// folder's name.
  package var name: String
  package var title: String
  /// The topic in one line.
  package var summary: String
  /// The workflow that contains the demonstrations.
  package var workflow: String
  package var parts: [Part]
  package var exercise: Exercise
  /// The keys that precede the steps of the exercise.
  var head: String

  /// The name of the folder, such as `02-silent`.
  package var folder: String { "\(number < 10 ? "0" : "")\(number)-\(name)" }

  /// The names of the demonstrations, in order.
  package var demonstrations: [String] {
    parts.compactMap { if case .demonstration(let name) = $0 { name } else { nil } }
  }

  /// All text in the chapter.
  package var texts: [String] {
    parts.compactMap { if case .text(let text) = $0 { text } else { nil } } + [exercise.task] + exercise.hints
  }
}

extension Chapter {
  /// All chapters, in order.
  package static let all: [Chapter] = {
    let files = EmbeddedData.paths(in: "chapters/").filter { $0.hasSuffix("/chapter.md") }
    return files.enumerated().map { Chapter(number: $0 + 1, folder: $1.dropLast("/chapter.md".count)) }
  }()

  /// Finds a chapter by number, name, folder, or a unique prefix, as in `2`, `02`, `silent`, and `02-silent`.
  package static func named(_ word: String) -> Chapter? {
    let word = word.lowercased()
    if let number = Int(word) { return all.first { $0.number == number } }
    if let exact = all.first(where: { $0.name == word || $0.folder == word }) { return exact }
    let matches = all.filter { !word.isEmpty && $0.name.hasPrefix(word) }
    return matches.count == 1 ? matches[0] : nil
  }

  /// Loads a chapter from its folder, such as `chapters/02-silent`.
  private init(number: Int, folder: Substring) {
    func file(_ name: String) -> String {
      guard let text = EmbeddedData.text("\(folder)/\(name)") else { preconditionFailure("\(folder) has no \(name)") }
      return text
    }
    self.number = number
    name = String(folder.split(separator: "-", maxSplits: 1)[1])
    workflow = file("workflow.yaml")
    let (start, exercise) = file("exercise.yaml").split(at: "\nsettings: \(Self.settingsFile)\n")
    let (steps, scenarios) = exercise.split(at: "\n\nscenarios:")
    head = "\(start)\nsettings: \(Self.settingsFile)\n"
    let page = ChapterPage(file("chapter.md"))
    title = page.title
    summary = page.summary
    self.exercise = Exercise(
      task: page.task, broken: steps, solution: String(file("solution.yaml").dropLast()),
      scenarios: "scenarios:\(scenarios.dropLast())", hints: page.hints)
    parts = page.parts
  }
}

extension String {
  /// Returns the text before and after the first occurrence of a separator.
  fileprivate func split(at piece: String) -> (String, String) {
    guard let range = firstRange(of: piece) else { return (self, "") }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
