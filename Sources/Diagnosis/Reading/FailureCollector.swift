/// A collector that finds the parts of an input that indicate a failure, in constant memory.
///
/// A small input is one part. In a larger input, a part is a group of lines that contain a cause's phrase or code, plus
/// the surrounding lines. Equal parts are analyzed once and counted.
struct FailureCollector {
  enum Part {
    case new(Excerpt)
    /// The part at this zero-based position occurs again.
    case repetition(Int)
  }

  /// The maximum size, in bytes and lines, of an input that forms one part.
  private static let smallSize = 1 << 16
  private static let smallLineCount = 150
  /// The number of lines to keep before and after a line that indicates a failure.
  private static let context = 12
  private static let maximumPartSize = 1 << 17
  private static let maximumPartLines = 300
  /// The maximum number of different parts.
  private static let maximumParts = 200

  private let source: String
  private let index: PhraseIndex
  /// The parts that were found since the last call to `takeParts`.
  private var parts: [Part] = []
  private var lines: [Excerpt.Line] = []
  private var size = 0
  private var isLarge = false
  private var recent: [Excerpt.Line] = []
  private var recentSize = 0
  private var linesSinceTrigger = 0
  private var literals: Set<Int> = []
  private var seen: [Set<Int>: Int] = [:]
  /// Whether any line contains anything other than white space.
  private(set) var hasText = false

  init(source: String, index: PhraseIndex) {
    self.source = source
    self.index = index
  }

  /// Returns the parts that were found since the last call.
  mutating func takeParts() -> [Part] {
    defer { parts = [] }
    return parts
  }

  mutating func add(_ line: Excerpt.Line) {
    if !hasText { hasText = line.bytes.contains { $0 > 0x20 } }
    guard !isLarge else { return stream(line) }
    lines.append(line)
    size += line.bytes.count
    guard size > Self.smallSize || lines.count > Self.smallLineCount else { return }
    isLarge = true
    let buffered = lines
    lines = []
    size = 0
    for line in buffered { stream(line) }
  }

  mutating func finish() {
    if isLarge { close() } else if hasText { parts.append(.new(Excerpt(source: source, lines: lines))) }
  }

  private mutating func stream(_ line: Excerpt.Line) {
    let found = triggers(in: line.bytes)
    if !found.isEmpty {
      if lines.isEmpty {
        lines = recent
        size = recentSize
      }
      literals.formUnion(found)
      linesSinceTrigger = 0
    }
    if lines.isEmpty {
      recent.append(line)
      recentSize += line.bytes.count
      while recent.count > Self.context || recentSize > Self.smallSize, !recent.isEmpty {
        recentSize -= recent.removeFirst().bytes.count
      }
      return
    }
    lines.append(line)
    size += line.bytes.count
    if found.isEmpty { linesSinceTrigger += 1 }
    if linesSinceTrigger >= Self.context || size > Self.maximumPartSize || lines.count > Self.maximumPartLines {
      close()
    }
  }

  private mutating func close() {
    guard !lines.isEmpty else { return }
    if let number = seen[literals] {
      parts.append(.repetition(number))
    } else if seen.count < Self.maximumParts {
      seen[literals] = seen.count
      parts.append(.new(Excerpt(source: source, lines: lines)))
    }
    lines = []
    size = 0
    recent = []
    recentSize = 0
    literals = []
    linesSinceTrigger = 0
  }

  /// Returns the failure indicators in a line: the index of each literal, and each code as a negative number.
  private func triggers(in bytes: [UInt8]) -> Set<Int> {
    var found: Set<Int> = []
    let text = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    index.triggers.scan(text) { literal, start in
      found.insert(literal)
      guard literal < PhraseIndex.codePrefixes.count else { return }
      let digits = text[(start + PhraseIndex.codePrefixes[literal].utf8.count)...].prefix(10).prefix(while: isDigit)
      if let number = Int(String(decoding: digits, as: UTF8.self)) { found.insert(-number) }
    }
    return found
  }
}
