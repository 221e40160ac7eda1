import Documents
import Effects
import OrderedCollections

/// The completed chapters, which are saved as a small JSON object (version 1).
package struct LearningProgress: Sendable, Hashable {
  package struct Record: Sendable, Hashable {
    /// The number of times that the exercise check has failed.
    package var failures = 0
    /// The time when the learner first solved the exercise, in RFC 3339 format. Nil if the exercise has not been
    /// solved.
    package var done: String?
  }

  /// The progress of each chapter, by chapter name.
  private var records: [String: Record] = [:]

  package init() {}

  /// Decodes the saved progress. Skips unknown chapters and invalid values. Returns nil if the bytes are not valid
  /// progress data.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes), let chapters = json["chapters"]?.object else { return nil }
    for (name, value) in chapters where Chapter.all.contains(where: { $0.name == name }) {
      records[name] = Record(
        failures: max(0, min(1_000_000, Int(value["failures"]?.integer ?? 0))),
        done: value["done"]?.string.flatMap { Instant(rfc3339: $0)?.rfc3339() })
    }
  }

  package subscript(chapter: Chapter) -> Record {
    get { records[chapter.name] ?? Record() }
    set { records[chapter.name] = newValue }
  }

  package func isDone(_ chapter: Chapter) -> Bool { self[chapter].done != nil }

  package mutating func forget(_ chapter: Chapter) { records[chapter.name] = nil }

  /// The first chapter that is not complete, or nil.
  package var next: Chapter? { Chapter.all.first { !isDone($0) } }

  package var doneCount: Int { Chapter.all.count { isDone($0) } }

  /// Returns the hint to show, or nil if the exercise has no hints. Each failed check advances to the next hint.
  package func hint(for chapter: Chapter) -> String? {
    let hints = chapter.exercise.hints
    return hints.isEmpty ? nil : hints[min(max(0, self[chapter].failures - 1), hints.count - 1)]
  }

  package var json: JSON {
    var chapters: JSON.Members = [:]
    for chapter in Chapter.all {
      guard let record = records[chapter.name] else { continue }
      var value: JSON = ["failures": .integer(Int64(record.failures))]
      if let done = record.done { value["done"] = .string(done) }
      chapters[chapter.name] = value
    }
    return ["version": 1, "chapters": .object(chapters)]
  }
}
