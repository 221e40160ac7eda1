/// Where everything of a picture stands, in pixels.
struct DiagramLayout {
  struct Box {
    var position: Int
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  struct End {
    var name: String
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  struct Line {
    var sort: MachineDiagram.Transition.Sort
    var path: String
    var labels: [String]
    var labelX: Int
    var labelY: Int
    var anchor: String
  }

  private(set) var boxes: [Box] = []
  private(set) var ends: [End] = []
  private(set) var lines: [Line] = []
  private(set) var width = 0
  private(set) var height = 0
  private(set) var center = 0
  private(set) var startY = 56

  static let labelHeight = 15
  private static let boxWidth = 300
  private static let laneStep = 26
  private static let endWidth = 120
  private static let endHeight = 36
  /// About what a label's letter takes in 12 px system-ui.
  private static let letter = 7

  /// A stretch of a lane that is taken.
  private struct Lanes {
    var taken: [[ClosedRange<Int>]] = []

    /// The nearest lane that is free from `top` to `bottom`.
    mutating func take(_ top: Int, _ bottom: Int) -> Int {
      let range = min(top, bottom)...max(top, bottom)
      for lane in taken.indices where !taken[lane].contains(where: { $0.overlaps(range) }) {
        taken[lane].append(range)
        return lane
      }
      taken.append([range])
      return taken.count - 1
    }
  }

  init(_ diagram: MachineDiagram) {
    let main = diagram.mainCount
    let jumps = diagram.transitions.filter { Self.isJump($0, main) }
    let back = jumps.filter { Self.leadsBack($0) }
    // Lanes are dealt out on rows first, so that the margins are known before anything is placed.
    var leftLanes = Lanes()
    var rightLanes = Lanes()
    var lane: [Int: Int] = [:]
    for (index, transition) in diagram.transitions.enumerated() where Self.isJump(transition, main) {
      let to = Self.row(transition.to, main)
      // Room above and below keeps two lines in one lane apart.
      let top = min(transition.from, to) * 4
      let bottom = max(transition.from, to) * 4 + 1
      lane[index] = Self.leadsBack(transition) ? leftLanes.take(top, bottom) : rightLanes.take(top, bottom)
    }
    let leftLabels = back.flatMap { DiagramLabel.lines($0) }.map(\.count).max() ?? 0
    let left = 40 + (back.isEmpty ? 0 : leftLanes.taken.count * Self.laneStep + leftLabels * Self.letter + 20)
    center = left + Self.boxWidth / 2
    placeBoxes(diagram, left: left, main: main)
    let successY = (boxes.last.map { $0.y + $0.height } ?? startY) + 70
    let failureX = left + Self.boxWidth + 70 + rightLanes.taken.count * Self.laneStep + 240
    ends.append(End(name: "success", x: center - Self.endWidth / 2, y: successY, width: Self.endWidth, height: Self.endHeight))
    let fails = diagram.transitions.contains { $0.to == .failure }
    if fails { ends.append(End(name: "failed", x: failureX, y: successY, width: Self.endWidth, height: Self.endHeight)) }
    let failureLane = failureX + Self.endWidth / 2
    addStart()
    for (index, transition) in diagram.transitions.enumerated() {
      add(transition, lane: lane[index], main: main, left: left, failureLane: failureLane)
    }
    addFinally(diagram, main: main)
    height = successY + Self.endHeight + 30
    let rightLabels = lines.filter { $0.anchor == "start" }.map { $0.labelX + ($0.labels.map(\.count).max() ?? 0) * Self.letter + 20 }.max() ?? 0
    width = max(fails ? failureX + Self.endWidth + 30 : left + Self.boxWidth + 70 + rightLanes.taken.count * Self.laneStep, rightLabels, left + Self.boxWidth + 40)
  }

  private mutating func placeBoxes(_ diagram: MachineDiagram, left: Int, main: Int) {
    var y = startY + 40
    for (position, state) in diagram.states.enumerated() {
      let height = state.detail.isEmpty ? 42 : 56
      boxes.append(Box(position: position, x: left, y: y, width: Self.boxWidth, height: height))
      // Enough room below for the labels of what goes straight down, and beside for those that leave to the right.
      let leaving = diagram.transitions.filter { $0.from == position }
      let down = leaving.filter { !Self.isJump($0, main) && $0.to != .failure }.map { DiagramLabel.lines($0).count }.max() ?? 1
      let beside = leaving.filter { Self.isJump($0, main) || $0.to == .failure }.reduce(0) { $0 + DiagramLabel.lines($1).count * Self.labelHeight + 8 }
      y += max(height + 34 + down * Self.labelHeight, beside + 24)
    }
  }

  private mutating func addStart() {
    guard let first = boxes.first else { return }
    lines.append(
      Line(sort: .next, path: "M\(center) \(startY + 7)L\(center) \(first.y)", labels: [], labelX: 0, labelY: 0, anchor: "start"))
  }

  /// What the next free height beside a box is, for arrows that leave to its right.
  private func departure(_ box: Box, _ labels: Int, _ used: Int) -> Int { box.y + 14 + used + labels * 0 }

  private var rightUsed: [Int: Int] = [:]

  private mutating func add(
    _ transition: MachineDiagram.Transition, lane: Int?, main: Int, left: Int, failureLane: Int
  ) {
    let box = boxes[transition.from]
    let labels = DiagramLabel.lines(transition)
    let right = box.x + box.width
    if transition.to == .failure {
      let used = rightUsed[transition.from, default: 0]
      let y = departure(box, labels.count, used)
      rightUsed[transition.from] = used + labels.count * Self.labelHeight + 8
      let end = ends.last { $0.name == "failed" }
      lines.append(
        Line(
          sort: transition.sort, path: "M\(right) \(y)L\(failureLane) \(y)L\(failureLane) \(end?.y ?? y)", labels: labels,
          labelX: failureLane - 12, labelY: y + 14, anchor: "end"))
      return
    }
    guard let lane else {
      let toY: Int
      if case .state(let position) = transition.to { toY = boxes[position].y } else { toY = ends[0].y }
      let fromY = box.y + box.height
      lines.append(
        Line(
          sort: transition.sort, path: "M\(center) \(fromY)L\(center) \(toY)", labels: labels, labelX: center + 10,
          labelY: fromY + 20, anchor: "start"))
      return
    }
    let target: (x: Int, y: Int, right: Int)
    switch transition.to {
    case .state(let position):
      let other = boxes[position]
      target = (other.x, other.y + other.height - 12, other.x + other.width)
    default: target = (ends[0].x, ends[0].y + ends[0].height / 2, ends[0].x + ends[0].width)
    }
    let used = rightUsed[transition.from, default: 0]
    if Self.leadsBack(transition) {
      let x = left - 24 - lane * Self.laneStep
      let y = box.y + 14 + (transition.from == Self.row(transition.to, main) ? -2 : 0)
      let toY = boxes[Self.row(transition.to, main)].y + (transition.from == Self.row(transition.to, main) ? boxes[transition.from].height - 10 : 12)
      lines.append(
        Line(
          sort: transition.sort, path: "M\(box.x) \(y)L\(x) \(y)L\(x) \(toY)L\(target.x) \(toY)", labels: labels, labelX: x - 8,
          labelY: (y + toY) / 2 - (labels.count - 1) * Self.labelHeight / 2 + 4, anchor: "end"))
    } else {
      let y = departure(box, labels.count, used)
      rightUsed[transition.from] = used + labels.count * Self.labelHeight + 8
      let x = right + 30 + lane * Self.laneStep
      lines.append(
        Line(
          sort: transition.sort, path: "M\(right) \(y)L\(x) \(y)L\(x) \(target.y)L\(target.right) \(target.y)", labels: labels,
          labelX: x + 8, labelY: y + 14, anchor: "start"))
    }
  }

  private mutating func addFinally(_ diagram: MachineDiagram, main: Int) {
    guard main < diagram.states.count, main > 0 else { return }
    for position in (main - 1)..<diagram.states.count where position >= main {
      let fromY = boxes[position].y + boxes[position].height
      let toY = position + 1 < boxes.count ? boxes[position + 1].y : ends[0].y
      lines.append(
        Line(sort: .next, path: "M\(center) \(fromY)L\(center) \(toY)", labels: ["finally"], labelX: center + 10, labelY: fromY + 20, anchor: "start"))
    }
  }

  /// Whether the arrow does not simply go down to the row below.
  private static func isJump(_ transition: MachineDiagram.Transition, _ main: Int) -> Bool {
    switch transition.to {
    case .failure: false
    case .success: transition.from != main - 1
    case .state(let position): position != transition.from + 1 || transition.sort == .fallback
    }
  }

  private static func leadsBack(_ transition: MachineDiagram.Transition) -> Bool {
    if case .state(let position) = transition.to { position <= transition.from } else { false }
  }

  private static func row(_ target: MachineDiagram.Target, _ main: Int) -> Int {
    switch target {
    case .state(let position): position
    case .success, .failure: main
    }
  }
}
