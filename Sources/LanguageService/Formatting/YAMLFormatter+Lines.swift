extension YAMLFormatter {
  /// Returns the formatted text.
  func text() -> [UInt8] {
    var output = FormattedLines(like: bytes)
    let plan = linePlan()
    for line in 0..<lines.count {
      let range = lines.range(ofLine: line)
      if line == lines.count - 1, range.isEmpty { break }
      switch plan[line] {
      case .unchanged: output.addUnchanged(bytes[range])
      case .shifted(let delta, let isScalar):
        let text = shifted(range, by: delta)
        if isScalar { output.addUnchanged(text) } else { output.add(text) }
      case .indented(let column):
        output.add(Array(repeating: 0x20, count: column) + content(from: firstByte(ofLine: line), to: range.upperBound))
      }
    }
    return output.bytes
  }

  /// The change to a line.
  private enum LineChange {
    case unchanged
    case shifted(Int, isScalar: Bool)
    case indented(Int)
  }

  private func linePlan() -> [LineChange] {
    var plan: [LineChange?] = Array(repeating: nil, count: lines.count)
    for (line, column) in indentations { plan[line] = .indented(column) }
    // Continuations are in document order, so the anchor of an inner value is processed before the value's lines.
    for continuation in continuations {
      let delta = shift(at: continuation.anchor, plan)
      for line in continuation.lines where line < plan.count {
        if case .indented = plan[line], !continuation.isScalar { continue }
        plan[line] = .shifted(delta, isScalar: continuation.isScalar)
      }
    }
    for line in plan.indices where plan[line] == nil {
      let first = firstByte(ofLine: line)
      let isComment = first < bytes.count && bytes[first] == UInt8(ascii: "#")
      plan[line] = isComment ? .indented(commentColumn(line, plan)) : .indented(oldColumn(ofLine: line))
    }
    return plan.map { $0 ?? .unchanged }
  }

  private func oldColumn(ofLine line: Int) -> Int {
    let range = lines.range(ofLine: line)
    let first = firstByte(ofLine: line)
    return first < range.upperBound ? first - range.lowerBound : 0
  }

  /// Returns the number of columns by which the text at an offset moves.
  private func shift(at offset: Int, _ plan: [LineChange?]) -> Int {
    let line = lines.line(at: offset)
    let first = firstByte(ofLine: line)
    var delta =
      switch plan[line] {
      case .indented(let column): column - oldColumn(ofLine: line)
      case .shifted(let delta, _): delta
      case .unchanged, nil: 0
      }
    var index = firstGap(from: first)
    while index < gaps.count, gaps[index].range.upperBound <= offset {
      delta += gaps[index].text.utf8.count - gaps[index].range.count
      index += 1
    }
    return delta
  }

  /// Returns the new column of a comment: that of the next line with the same indentation, or else of a previous one.
  private func commentColumn(_ line: Int, _ plan: [LineChange?]) -> Int {
    let column = oldColumn(ofLine: line)
    var next = line + 1
    while next < plan.count {
      if case .indented(let new) = plan[next], indentations[next] != nil {
        if oldColumn(ofLine: next) == column { return new }
        break
      }
      next += 1
    }
    var previous = line - 1
    var nearest: Int?
    while previous >= 0 {
      if case .indented(let new) = plan[previous], indentations[previous] != nil {
        let old = oldColumn(ofLine: previous)
        if old == column { return new }
        nearest = nearest ?? max(0, column + new - old)
        if old < column { break }
      }
      previous -= 1
    }
    return nearest ?? column
  }

  /// Returns the text of a line with the new spaces in its gaps.
  private func content(from start: Int, to end: Int) -> [UInt8] {
    var text: [UInt8] = []
    var position = start
    var index = firstGap(from: start)
    while index < gaps.count, gaps[index].range.lowerBound < end {
      let gap = gaps[index]
      index += 1
      guard gap.range.lowerBound >= position else { continue }
      text += bytes[position..<gap.range.lowerBound]
      text += gap.text.utf8
      position = gap.range.upperBound
    }
    if position < end { text += bytes[position..<end] }
    return text
  }

  private func firstGap(from offset: Int) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].range.lowerBound < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func shifted(_ range: Range<Int>, by delta: Int) -> [UInt8] {
    let first = bytes[range].firstIndex { $0 != 0x20 } ?? range.upperBound
    let isEmpty = first == range.upperBound
    let column = max(0, first - range.lowerBound + (isEmpty ? min(delta, 0) : delta))
    return Array(repeating: 0x20, count: column) + content(from: first, to: range.upperBound)
  }
}
