/// An expression compiled to a nondeterministic automaton (Thompson 1968). Matching tracks all states in one pass over
/// the text.
struct IRegexpProgram: Sendable {
  private enum Instruction: Sendable {
    /// Consumes one code point of the set, then continues with the next instruction.
    case character(Int)
    case split(Int, Int)
    case jump(Int)
    /// Continues only at the start of the text, or only at its end.
    case isStart
    case ends
    case accept
  }

  private var instructions: [Instruction] = []
  private var sets: [CharacterSet] = []
  /// The number of emitted parts, including empty parts.
  private var emitted = 0

  /// The maximum number of instructions. Nested repetitions multiply the size, and larger programs are rejected.
  private static let maximumSize = 50_000

  init(_ tree: IRegexpTree) throws(JSONPathSyntaxError) {
    try emit(tree)
    instructions.append(.accept)
  }

  private mutating func emit(_ tree: IRegexpTree) throws(JSONPathSyntaxError) {
    emitted += 1
    guard emitted < Self.maximumSize else {
      throw JSONPathSyntaxError(
        offset: 0, message: "expression too large after expanding its repetitions",
        help: "use smaller numbers in `{n,m}`")
    }
    switch tree {
    case .set(let set):
      sets.append(set)
      instructions.append(.character(sets.count - 1))
    case .textStart: instructions.append(.isStart)
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
    case .repetition(let inner, let minimum, let maximum):
      for _ in 0..<(maximum == nil ? max(minimum - 1, 0) : minimum) { try emit(inner) }
      if let maximum {
        var splits: [Int] = []
        for _ in minimum..<maximum {
          splits.append(reserve())
          try emit(inner)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
      } else if minimum > 0 {
        // The last required repetition is the loop, so that nested + operators do not double in size.
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

  /// Reserves an instruction whose targets are set later.
  private mutating func reserve() -> Int {
    instructions.append(.jump(0))
    return instructions.count - 1
  }

  var size: Int { instructions.count }

  /// - Parameters:
  ///   - anywhere: Whether a match may start and end inside the text.
  ///   - steps: A counter to which the method adds the number of steps taken.
  /// - Returns: Whether the expression matches, or nil if matching takes more steps than the limit.
  func run(on text: String, anywhere: Bool, steps: inout Int, limit: Int) -> Bool? {
    // Count the work of creating the marks too, even if the text is empty.
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

  /// The distinct instructions that are waiting for a character.
  private struct Threads {
    var waiting: [Int] = []
    var accepts = false
    var stack: [Int] = []
    /// The number of instructions reached in this round, including those that do not consume a character.
    var reached = 0
    /// The round in which each instruction was last reached. Storing the round avoids clearing the marks.
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

  /// Adds all instructions that are reachable from an instruction without consuming a character.
  /// - Returns: Whether the end is reachable.
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
      case .isStart: if atStart { threads.stack.append(position + 1) }
      case .ends: if atEnd { threads.stack.append(position + 1) }
      case .accept: threads.accepts = true
      }
    }
    return threads.accepts
  }
}
