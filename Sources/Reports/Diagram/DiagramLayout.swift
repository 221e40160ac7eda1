import WorkflowModel

/// The positions of a diagram's parts, in pixels.
///
/// The steps are in one column in list order, with fallbacks to the right. Each step has a separate row, so lines
/// between the columns do not cross boxes.
struct DiagramLayout {
  struct Box {
    var position: Int
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }
    var middleX: Int { x + width / 2 }
    var middleY: Int { y + height / 2 }
  }

  struct Line {
    var sort: MachineDiagram.Transition.Sort
    var path: String
    var labels: [String]
    var labelX: Int
    var labelY: Int
    var anchor: String
    /// Whether a run covered this part of the diagram. Nil if the diagram does not show coverage.
    var isCovered: Bool?
    /// The position of the transition, or nil for other lines.
    var transition: Int?
  }

  private(set) var boxes: [Box] = []
  /// The end states: `success`, and `failed` if a transition leads to it.
  private(set) var ends: [(name: String, box: Box)] = []
  private(set) var lines: [Line] = []
  private(set) var width = 0
  private(set) var height = 0
  let startY = 64

  static let labelHeight = 15
  private static let boxWidth = 290
  private static let laneStep = 22
  /// The approximate width of a label character in 12 px system-ui.
  private static let letter = 7

  private let diagram: MachineDiagram
  private let leaving: [[Int]]
  /// For each row, the first row at or below it whose step is not a fallback.
  private let nextInColumn: [Int]
  private let mainCount: Int
  /// For each box, the height on its right side that lines already occupy.
  private var departures: [Int: Int] = [:]
  private var fallbackDepartures: [Int: Int] = [:]
  private var downLabels: [Int: Int] = [:]
  private var leftLanes = Lanes()
  private var middleLanes = Lanes()
  private var lane: [Int: Int] = [:]
  private var left = 0
  private var fallbackX = 0
  private var failureX = 0

  init(_ diagram: MachineDiagram) {
    self.diagram = diagram
    leaving = diagram.leaving
    var next = Array(0...diagram.states.count)
    for position in diagram.states.indices.reversed() where diagram.states[position].role == .fallback {
      next[position] = next[position + 1]
    }
    nextInColumn = next
    mainCount = diagram.mainCount
    dealLanes()
    let backLabels = diagram.transitions.filter { isBackEdge($0) }.flatMap { DiagramLabel.lines($0) }.map(\.count).max()
    left = 40 + (backLabels.map { leftLanes.count * Self.laneStep + $0 * Self.letter + 20 } ?? 0)
    let gapLabels = diagram.transitions.indices.filter { lane[$0] != nil && !isBackEdge(diagram.transitions[$0]) }
      .flatMap { DiagramLabel.lines(diagram.transitions[$0]) }.map(\.count).max()
    let gap = 70 + (gapLabels.map { middleLanes.count * Self.laneStep + $0 * Self.letter } ?? 0)
    fallbackX = left + Self.boxWidth + gap
    let hasFallbacks = diagram.states.contains { $0.role == .fallback }
    let failureLabels =
      diagram.transitions.filter { $0.to == .failure }.flatMap { DiagramLabel.lines($0) }.map(\.count).max() ?? 0
    failureX =
      (hasFallbacks ? fallbackX + Self.boxWidth : left + Self.boxWidth + gap - 70) + 50 + failureLabels * Self.letter
    placeBoxes()
    placeEnds()
    addStart()
    for index in diagram.transitions.indices { add(index) }
    addFinally()
    height = (ends.map(\.box.bottom).max() ?? 0) + 30
    width = max(
      (ends.map(\.box.right).max() ?? 0) + 30, left + Self.boxWidth + 40,
      hasFallbacks ? fallbackX + Self.boxWidth + 30 : 0)
  }

  var start: (x: Int, y: Int) { (left + Self.boxWidth / 2, startY) }

  // MARK: Lanes

  /// Vertical lanes next to the column. Lines in different lanes do not overlap.
  private struct Lanes {
    /// The used rows in each lane, sorted.
    private var taken: [[ClosedRange<Int>]] = []
    var count: Int { taken.count }

    /// Reserves the nearest free lane between two rows.
    mutating func take(_ first: Int, _ second: Int) -> Int {
      // The range is in quarter rows, so that two lines can meet in a row without overlapping.
      let range = (min(first, second) * 4)...(max(first, second) * 4 + 1)
      for lane in taken.indices {
        let place = Self.place(of: range, in: taken[lane])
        guard place == taken[lane].count || !taken[lane][place].overlaps(range) else { continue }
        taken[lane].insert(range, at: place)
        return lane
      }
      taken.append([range])
      return taken.count - 1
    }

    /// Returns the index of the first occupied range that does not end above the given range.
    private static func place(of range: ClosedRange<Int>, in lane: [ClosedRange<Int>]) -> Int {
      var (low, high) = (0, lane.count)
      while low < high {
        let middle = (low + high) / 2
        if lane[middle].upperBound < range.lowerBound { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private mutating func dealLanes() {
    for (index, transition) in diagram.transitions.enumerated() {
      if isBackEdge(transition) {
        lane[index] = leftLanes.take(transition.from, row(transition.to))
      } else if transition.to != .failure, !isStraightDown(transition), !isFallback(transition.from) {
        lane[index] = middleLanes.take(transition.from, row(transition.to))
      }
    }
  }

  private func isFallback(_ position: Int) -> Bool { diagram.states[position].role == .fallback }

  private func row(_ target: MachineDiagram.Target) -> Int {
    switch target {
    case .state(let position): position
    case .success, .failure: diagram.states.count
    }
  }

  private func isBackEdge(_ transition: MachineDiagram.Transition) -> Bool {
    if case .state(let position) = transition.to { position <= transition.from } else { false }
  }

  /// Returns whether there are only fallbacks between the source and the target.
  private func isStraightDown(_ transition: MachineDiagram.Transition) -> Bool {
    guard !isFallback(transition.from), !isBackEdge(transition) else { return false }
    let end: Int
    switch transition.to {
    case .failure: return false
    case .success: end = mainCount
    case .state(let position):
      if isFallback(position) { return false }
      end = position
    }
    return nextInColumn[transition.from + 1] >= end
  }

  // MARK: Boxes

  private mutating func placeBoxes() {
    var y = startY + 40
    for (position, state) in diagram.states.enumerated() {
      let height = boxHeight(position)
      let x = state.role == .fallback ? fallbackX : left
      boxes.append(Box(position: position, x: x, y: y, width: Self.boxWidth, height: height))
      // Leave space for straight lines below the box and for other lines on the right.
      var down = 0
      var beside = 0
      for transition in leaving[position].map({ diagram.transitions[$0] }) {
        let count = DiagramLabel.lines(transition).count
        if isStraightDown(transition) {
          down += count
        } else if !isBackEdge(transition) {
          beside += count * Self.labelHeight + 10
        }
      }
      y += max(height + 34 + down * Self.labelHeight, beside + 34)
    }
  }

  /// Returns the height that the box needs for its text and for all lines on the right side.
  private func boxHeight(_ position: Int) -> Int {
    let words = diagram.states[position].detail.isEmpty ? 42 : 56
    let beside = leaving[position].map { diagram.transitions[$0] }.filter { transition in
      !isBackEdge(transition) && !isStraightDown(transition)
        && (transition.to == .failure || !isFallback(position))
    }
    let last = beside.dropLast().reduce(14) { $0 + DiagramLabel.lines($1).count * Self.labelHeight + 10 }
    return max(words, beside.isEmpty ? 0 : last + 14)
  }

  private mutating func placeEnds() {
    let y = (boxes.last?.bottom ?? startY) + 80
    let middle = left + Self.boxWidth / 2
    ends.append(("success", Box(position: 0, x: middle - 60, y: y, width: 120, height: 36)))
    if diagram.transitions.contains(where: { $0.to == .failure }) {
      ends.append(("failed", Box(position: 0, x: failureX - 60, y: y, width: 120, height: 36)))
    }
  }

  // MARK: Lines

  private mutating func addStart() {
    let to = boxes.first?.y ?? ends[0].box.y
    lines.append(line(.next, [(start.x, start.y + 7), (start.x, to)], [], (0, 0), "start"))
  }

  private mutating func add(_ index: Int) {
    let transition = diagram.transitions[index]
    let count = lines.count
    defer {
      for line in lines.indices.suffix(lines.count - count) {
        lines[line].isCovered = transition.isCovered
        lines[line].transition = index
      }
    }
    let labels = DiagramLabel.lines(transition)
    let box = boxes[transition.from]
    if isStraightDown(transition) {
      let to = target(transition.to)
      // If several lines have the same route, their labels are stacked.
      let above = downLabels[transition.from, default: 0]
      downLabels[transition.from] = above + labels.count
      lines.append(
        line(
          transition.sort, [(box.middleX, box.bottom), (box.middleX, to.y)], labels,
          (box.middleX + 10, box.bottom + 20 + above * Self.labelHeight), "start"))
    } else if isBackEdge(transition), let lane = lane[index] {
      let to = target(transition.to)
      let x = left - 24 - lane * Self.laneStep
      let isSame = to.position == box.position && transition.to != .success
      let fromY = isSame ? box.y + 10 : box.y + 16
      let toY = isSame ? box.bottom - 10 : to.bottom - 14
      let points =
        isFallback(transition.from)
        ? [(box.x, fromY), (x, fromY), (x, toY), (to.x, toY)] : [(box.x, fromY), (x, fromY), (x, toY), (to.x, toY)]
      lines.append(
        line(
          transition.sort, points, labels, (x - 8, (fromY + toY) / 2 - (labels.count - 1) * Self.labelHeight / 2 + 4),
          "end"))
    } else if transition.to == .failure {
      let y = depart(transition.from, labels.count)
      lines.append(
        line(
          .failure, [(box.right, y), (failureX, y), (failureX, ends[ends.count - 1].box.y)], labels,
          (failureX - 10, y + 14), "end", of: transition.sort))
    } else if isFallback(transition.from) {
      addLeavingFallback(transition, labels)
    } else if let lane = lane[index] {
      let to = target(transition.to)
      let y = depart(transition.from, labels.count)
      let x = box.right + 26 + lane * Self.laneStep
      let enters = to.x > x ? to.x : to.right
      lines.append(
        line(
          transition.sort, [(box.right, y), (x, y), (x, to.middleY), (enters, to.middleY)], labels, (x + 8, y + 14),
          "start"))
    }
  }

  /// Adds a line from the bottom of a fallback to the main column. If there are several lines, they are side by side.
  private mutating func addLeavingFallback(_ transition: MachineDiagram.Transition, _ labels: [String]) {
    let box = boxes[transition.from]
    let to = target(transition.to)
    let side = fallbackDepartures[transition.from, default: 0]
    fallbackDepartures[transition.from] = side + 1
    // The first line is on the left so that its label fits before the next line.
    let x = box.x + 40 + side * 130
    var points = [(x: x, y: box.bottom), (x: x, y: to.middleY), (x: to.right, y: to.middleY)]
    if case .state(let position) = transition.to, isFallback(position) { points = [(x, box.bottom), (x, to.y)] }
    // If there is another fallback below this one, the line passes to the left of that fallback.
    let isBlocked = boxes.contains { $0.x == box.x && $0.y > box.y && $0.y < to.middleY && $0.y != to.y }
    guard isBlocked else {
      lines.append(line(transition.sort, points, labels, (x + 8, box.bottom + 18), "start"))
      return
    }
    let around = box.x - 16 - side * 12
    let y = box.bottom - 8 - side * 8
    points = [(box.x, y), (around, y), (around, to.middleY), (to.right, to.middleY)]
    lines.append(line(transition.sort, points, labels, (around + 8, box.bottom + 18), "start"))
  }

  private mutating func addFinally() {
    for position in boxes.indices where diagram.states[position].role == .finally {
      let from = boxes[position]
      let to = position + 1 < boxes.count ? boxes[position + 1] : ends[0].box
      lines.append(
        line(
          .next, [(from.middleX, from.bottom), (from.middleX, to.y)], ["finally"],
          (from.middleX + 10, from.bottom + 20), "start"))
    }
  }

  private func target(_ target: MachineDiagram.Target) -> Box {
    switch target {
    case .state(let position): boxes[position]
    case .success: boxes.count > mainCount ? boxes[mainCount] : ends[0].box
    case .failure: ends[ends.count - 1].box
    }
  }

  /// Returns the next free vertical position on the right side of a box.
  private mutating func depart(_ position: Int, _ labels: Int) -> Int {
    let used = departures[position, default: 0]
    departures[position] = used + labels * Self.labelHeight + 10
    return boxes[position].y + 14 + used
  }

  private func line(
    _ sort: MachineDiagram.Transition.Sort, _ points: [(x: Int, y: Int)], _ labels: [String], _ label: (x: Int, y: Int),
    _ anchor: String, of own: MachineDiagram.Transition.Sort? = nil
  ) -> Line {
    let path = points.enumerated().map { "\($0.offset == 0 ? "M" : "L")\($0.element.x) \($0.element.y)" }.joined()
    return Line(sort: sort, path: path, labels: labels, labelX: label.x, labelY: label.y, anchor: anchor)
  }
}
