/// One chapter of `authflow learn`: a text with demonstrations that are really run, and a workflow to repair.
package struct Chapter: Sendable {
  package enum Part: Sendable, Hashable {
    /// Paragraphs, with an empty line between them; `words` between back quotes are names.
    case text(String)
    /// The chapter's workflow as it is written, its scenarios left out.
    case workflow
    /// A scenario of the chapter's workflow, run and told as it happens.
    case demonstration(String)
  }

  /// A workflow to repair until the chapter's scenarios pass.
  package struct Exercise: Sendable {
    /// What is wrong and what is wanted.
    package var task: String
    /// Inputs and steps as they are given.
    package var broken: String
    /// The same, repaired.
    package var solution: String
    /// What must happen; the same for both.
    package var scenarios: String
    /// From a nudge to nearly the answer.
    package var hints: [String]
    /// How the given workflow fails: by scenario, an entry of the path that it goes, or what is not as expected.
    package var failures: [String: String]
  }

  /// Counts from 1; chapters are read in this order.
  package var number: Int
  /// One word, as on the command line and in the folder's name.
  package var name: String
  package var title: String
  /// What it is about, in a line.
  package var summary: String
  /// Whether its app says that it can handle claims challenges.
  package var handlesChallenges = false
  /// Inputs, steps and scenarios of the demonstrations.
  package var workflow: String
  package var parts: [Part]
  package var exercise: Exercise

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
  package static let all: [Chapter] = [
    .account, .silent, .interactive, .scopes, .errors, .conditionalAccess, .claims, .throttling, .accounts, .adal,
    .tests,
  ]

  /// The chapter that a number or a name means: `2`, `02`, `silent`, `02-silent`, or the unmistakable beginning of a name.
  package static func meant(by word: String) -> Chapter? {
    let word = word.lowercased()
    if let number = Int(word) { return all.first { $0.number == number } }
    if let exact = all.first(where: { $0.name == word || $0.folder == word }) { return exact }
    let beginning = all.filter { !word.isEmpty && $0.name.hasPrefix(word) }
    return beginning.count == 1 ? beginning[0] : nil
  }
}
