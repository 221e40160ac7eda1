/// An expression as a machine with many ways (Thompson 1968), all followed at once while the text is read once.
struct IRegexpProgram: Sendable {
  private enum Instruction: Sendable {
    /// One code point of the set, then the next instruction.
    case character(Int)
    case split(Int, Int)
    case jump(Int)
    /// Goes on only at the beginning, or only at the end, of the text.
    case begins
    case ends
    case accept
  }

  private var instructions: [Instruction] = []
  private var sets: [CharacterSet] = []
  /// Parts emitted so far, empty ones included.
  private var emitted = 0

  /// Nested counts multiply; what grows beyond this is refused rather than run.
  private static let largestProgram = 50_000

  init(_ tree: IRegexpTree) throws(JSONPathSyntaxError) {
    try emit(tree)
    instructions.append(.accept)
  }

  private mutating func emit(_ tree: IRegexpTree) throws(JSONPathSyntaxError) {
    emitted += 1
    guard emitted < Self.largestProgram else {
      throw JSONPathSyntaxError(
        offset: 0, message: "the expression grows too large when its repetitions are multiplied out",
        help: "use smaller numbers in {n,m}")
    }
    switch tree {
    case .set(let set):
      sets.append(set)
      instructions.append(.character(sets.count - 1))
    case .beginning: instructions.append(.begins)
    case .end: instructions.append(.ends)
    case .sequence(let parts):
      for part in parts { try emit(part) }
    case .alternatives(let branches):
      var ends: [Int] = []
      for (number, branch) in branches.enumerated() {
        guard number < branches.count - 1 else {
          try emit(branch)
          break
        }
        let split = reserve()
        try emit(branch)
        ends.append(reserve())
        instructions[split] = .split(split + 1, instructions.count)
      }
      for end in ends { instructions[end] = .jump(instructions.count) }
    case .repetition(let inner, let least, let most):
      for _ in 0..<(most == nil ? max(least - 1, 0) : least) { try emit(inner) }
      if let most {
        var splits: [Int] = []
        for _ in least..<most {
          splits.append(reserve())
          try emit(inner)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
      } else if least > 0 {
        // The last of the required ones is the one that repeats, so that nested + do not double in size.
        let start = instructions.count
        try emit(inner)
        instructions.append(.split(start, instructions.count + 1))
      } else {
        let split = reserve()
        try emit(inner)
        instructions.append(.jump(split))
        instructions[split] = .split(split + 1, instructions.count)
      }
    }
  }

  /// A place for an instruction whose targets become known later.
  private mutating func reserve() -> Int {
    instructions.append(.jump(0))
    return instructions.count - 1
  }

  var size: Int { instructions.count }

  /// - Parameters:
  ///   - anywhere: whether a match may begin and end inside the text.
  ///   - steps: is increased by the steps that were made.
  /// - Returns: whether it matches, or nil if that takes more steps than the limit.
  func run(on text: String, anywhere: Bool, steps: inout Int, limit: Int) -> Bool? {
    // Making the marks is work as well, though there is no text.
    steps += 1 + instructions.count / 8
    var current = Threads(count: instructions.count)
    var next = Threads(count: instructions.count)
    var scalars = text.unicodeScalars.makeIterator()
    var upcoming = scalars.next()
    current.begin()
    if follow(from: 0, into: &current, atStart: true, atEnd: upcoming == nil), anywhere { return true }
    while let scalar = upcoming {
      steps += 1 + current.reached
      guard steps <= limit else { return nil }
      upcoming = scalars.next()
      next.begin()
      for position in current.waiting {
        guard case .character(let set) = instructions[position] else { continue }
        steps += sets[set].size / 8
        guard sets[set].contains(scalar) else { continue }
        follow(from: position + 1, into: &next, atStart: false, atEnd: upcoming == nil)
      }
      if anywhere { follow(from: 0, into: &next, atStart: false, atEnd: upcoming == nil) }
      swap(&current, &next)
      if anywhere, current.accepts { return true }
      if !anywhere, current.waiting.isEmpty, !current.accepts { return false }
    }
    return current.accepts
  }

  /// The instructions that wait for a character, each once.
  private struct Threads {
    var waiting: [Int] = []
    var accepts = false
    var stack: [Int] = []
    /// The number of instructions in this round, those that only lead on included.
    var reached = 0
    /// Marks with the round's number what was reached in it, so that nothing needs to be cleared.
    private var marks: [Int]
    private var round = 0

    init(count: Int) {
      marks = Array(repeating: 0, count: count)
    }

    mutating func begin() {
      waiting.removeAll(keepingCapacity: true)
      accepts = false
      reached = 0
      round += 1
    }

    mutating func isNew(_ position: Int) -> Bool {
      if marks[position] == round { return false }
      marks[position] = round
      reached += 1
      return true
    }
  }

  /// Adds what is reached from an instruction without reading a character.
  /// - Returns: whether the end is among it.
  @discardableResult
  private func follow(from start: Int, into threads: inout Threads, atStart: Bool, atEnd: Bool) -> Bool {
    threads.stack.append(start)
    while let position = threads.stack.popLast() {
      guard threads.isNew(position) else { continue }
      switch instructions[position] {
      case .character: threads.waiting.append(position)
      case .jump(let target): threads.stack.append(target)
      case .split(let first, let second):
        threads.stack.append(second)
        threads.stack.append(first)
      case .begins: if atStart { threads.stack.append(position + 1) }
      case .ends: if atEnd { threads.stack.append(position + 1) }
      case .accept: threads.accepts = true
      }
    }
    return threads.accepts
  }
}
