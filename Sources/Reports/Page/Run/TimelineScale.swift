import Effects

/// A mapping from times to positions on a line that can show both milliseconds and months.
///
/// The distance between two events depends on their order and on the time between them. A pause that would compress the
/// rest of the line becomes a cut, which is labeled with the duration of the pause.
struct TimelineScale {
  struct Jump {
    var x: Double
    var words: String
  }

  private var places: [Int: Double] = [:]
  private(set) var jumps: [Jump] = []

  /// The width of a cut, in the same unit as the width of the line.
  private static let cut = 42.0

  /// - Parameters:
  ///   - events: The events' unique sequence numbers and times, in order.
  ///   - width: The length of the line.
  init(_ events: [(seq: Int, time: Instant)], width: Double) {
    guard events.count > 1 else {
      for event in events { places[event.seq] = 0 }
      return
    }
    let pauses = zip(events, events.dropFirst()).map { max(0, ($1.time - $0.time).inSeconds) }
    let longest = Self.longest(pauses)
    let cuts = pauses.count { $0 > longest }
    // If there are many cuts, make them narrower to leave space for the rest of the line.
    let cutWidth = cuts == 0 ? 0 : min(Self.cut, width * 0.5 / Double(cuts))
    let room = width - Double(cuts) * cutWidth
    let lasting = pauses.filter { $0 <= longest }.reduce(0, +)
    let byTime = lasting > 0 ? room * 0.7 : 0
    let byOrder = (room - byTime) / Double(pauses.count)
    var x = 0.0
    places[events[0].seq] = 0
    for (index, pause) in pauses.enumerated() {
      if pause > longest {
        if cutWidth > 16 { jumps.append(Jump(x: x + cutWidth / 2, words: TerminalRunReport.duration(.seconds(pause)))) }
        x += cutWidth
      } else if lasting > 0 {
        x += pause / lasting * byTime
      }
      x += byOrder
      places[events[index + 1].seq] = x
    }
  }

  /// Returns the maximum duration of a pause that is not cut. A pause is cut if it is longer than a second and longer
  /// than half of all shorter pauses combined.
  private static func longest(_ pauses: [Double]) -> Double {
    let sorted = pauses.sorted()
    var sum = 0.0
    for pause in sorted {
      if pause > 1, pause > max(sum, 1) * 0.5 { return max(sum, 1) * 0.5 }
      sum += pause
    }
    return .infinity
  }

  func x(_ seq: Int) -> Double { places[seq] ?? 0 }
}
