import Effects

/// A tool that diagnoses failed sign-ins from logs, errors, responses, and recordings.
package struct Diagnoser {
  private let knowledge: KnowledgeBase
  private var failures: [DiagnosedFailure] = []
  private var unusable: [(source: String, reason: String)] = []
  /// The failures in each part of the current input, for counting repetitions.
  private var failuresOfParts: [[Int]] = []

  /// The maximum size of a compressed input.
  private static let maximumCompressedSize = 64 << 20

  package init(knowledge: KnowledgeBase = .shipped) { self.knowledge = knowledge }

  /// Diagnoses a text.
  package static func result(of text: String) -> DiagnosisResult {
    var diagnoser = Diagnoser()
    diagnoser.add(Array(text.utf8), named: "text")
    return diagnoser.result
  }

  package var result: DiagnosisResult { DiagnosisResult(failures: failures, unusable: unusable) }

  /// Reads an input that is already in memory.
  package mutating func add(_ bytes: [UInt8], named source: String) {
    add(named: source) { body in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + (1 << 18))
        guard body(Array(bytes[start..<end])) else { return }
        start = end
      }
    }
  }

  /// Reads an input in chunks. Memory use is constant unless the input is compressed.
  /// - Parameter read: A closure that passes each chunk to its argument and stops when the argument returns false.
  package mutating func add<Failure: Error>(
    named source: String, reading read: (([UInt8]) -> Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var input = InputStream(source: source, index: knowledge.index)
    var compressed = CompressedInput(firstSize: InputDecoder.detectedSize, limit: Self.maximumCompressedSize)
    failuresOfParts = []
    func take(_ bytes: [UInt8]) -> Bool {
      input.add(bytes)
      for part in input.takeParts() { add(part) }
      return !input.isBinary
    }
    try read { chunk in
      let bytes = compressed.add(chunk)
      return (bytes.isEmpty || take(bytes)) && !compressed.exceedsLimit
    }
    compressed.finish().read { take($0) }
    input.finish()
    for part in input.takeParts() { add(part) }
    if input.isBinary {
      unusable.append((source, "is not text"))
    } else if !input.hasText {
      unusable.append((source, "is empty"))
    }
  }

  private mutating func add(_ part: FailureCollector.Part) {
    switch part {
    case .repetition(let number):
      guard failuresOfParts.indices.contains(number) else { return }
      for index in failuresOfParts[number] { failures[index].count += 1 }
    case .new(let excerpt):
      failuresOfParts.append(FailureSplitter.split(excerpt).compactMap { add($0) })
    }
  }

  /// Adds a failure, or increments the count of an identical failure.
  /// - Returns: The index of the failure, or nil if the text does not indicate a failure.
  private mutating func add(_ excerpt: Excerpt) -> Int? {
    let analysis = FailureAnalysis(excerpt.bytes, knowledge: knowledge)
    guard let failure = DiagnosedFailure(analysis, excerpt) else { return nil }
    let equal = failures.firstIndex { known in
      known.codes == failure.codes && known.candidates.first?.cause.id == failure.candidates.first?.cause.id
    }
    if let equal {
      failures[equal].count += 1
      return equal
    }
    failures.append(failure)
    return failures.count - 1
  }
}

/// A stream that decodes an input and finds the parts that indicate failures.
private struct InputStream {
  private var decoder = InputDecoder()
  private var splitter = LineSplitter()
  private var collector: FailureCollector

  init(source: String, index: PhraseIndex) { collector = FailureCollector(source: source, index: index) }

  var isBinary: Bool { decoder.isBinary }
  var hasText: Bool { collector.hasText }

  mutating func add(_ bytes: [UInt8]) {
    let text = decoder.decode(bytes)
    guard !decoder.isBinary else { return }
    splitter.add(text) { collector.add($0) }
  }

  mutating func finish() {
    splitter.finish { collector.add($0) }
    collector.finish()
  }

  mutating func takeParts() -> [FailureCollector.Part] { collector.takeParts() }
}
