/// One chapter of `authflow learn`: a text with demonstrations that really run, and a workflow to repair.
///
/// A chapter is a folder of `Data/chapters`: `chapter.md` is its text, `workflow.yaml` has its demonstrations, `exercise.yaml`
/// the workflow to repair, and `solution.yaml` the repaired steps.
package struct Chapter: Sendable {
  package enum Part: Sendable, Hashable {
    /// Paragraphs, with an empty line between them; `words` between back quotes are names.
    case text(String)
    /// The chapter's workflow without its scenarios.
    case workflow
    /// A scenario of the chapter's workflow, run and shown step by step.
    case demonstration(String)
  }

  /// A workflow to repair until the chapter's scenarios pass.
  package struct Exercise: Sendable {
    /// What is wrong and what is wanted.
    package var task: String
    /// Inputs and steps as the learner gets them.
    package var broken: String
    /// The same, repaired.
    package var solution: String
    /// What must happen; the same for both.
    package var scenarios: String
    /// From a nudge to nearly the answer.
    package var hints: [String]
  }

  /// Counts from 1; chapters are read in this order.
  package var number: Int
  /// One word, as on the command line and in the folder's name.
  package var name: String
  package var title: String
  /// What it is about, in a line.
  package var summary: String
  /// The workflow file of the demonstrations.
  package var workflow: String
  package var parts: [Part]
  package var exercise: Exercise
  /// The keys before the steps of the exercise.
  var head: String

  /// The folder's name: `02-silent`.
  package var folder: String { "\(number < 10 ? "0" : "")\(number)-\(name)" }

  /// The names of the demonstrations, in the order in which they are shown.
  package var demonstrations: [String] {
    parts.compactMap { if case .demonstration(let name) = $0 { name } else { nil } }
  }

  /// All texts of the chapter.
  package var texts: [String] {
    parts.compactMap { if case .text(let text) = $0 { text } else { nil } } + [exercise.task] + exercise.hints
  }
}

extension Chapter {
  /// All chapters, in their order.
  package static let all: [Chapter] = {
    let files = EmbeddedData.paths(in: "chapters/").filter { $0.hasSuffix("/chapter.md") }
    return files.enumerated().map { Chapter(number: $0 + 1, folder: $1.dropLast("/chapter.md".count)) }
  }()

  /// The chapter that a number or a name means: `2`, `02`, `silent`, `02-silent`, or the unmistakable beginning of a name.
  package static func meant(by word: String) -> Chapter? {
    let word = word.lowercased()
    if let number = Int(word) { return all.first { $0.number == number } }
    if let exact = all.first(where: { $0.name == word || $0.folder == word }) { return exact }
    let beginning = all.filter { !word.isEmpty && $0.name.hasPrefix(word) }
    return beginning.count == 1 ? beginning[0] : nil
  }

  /// A chapter from its folder, such as `chapters/02-silent`.
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
  /// What stands before and behind the first such piece.
  fileprivate func split(at piece: String) -> (String, String) {
    guard let range = firstRange(of: piece) else { return (self, "") }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
