import Diagnostics
import Documents
import OrderedCollections

/// The first difference between a golden trace and the actual trace, compared member by member, with the preceding
/// events.
package struct GoldenDifference: Sendable {
  /// The difference, in one sentence.
  package private(set) var message = ""
  /// The lines that show the difference.
  package private(set) var lines: [String] = []

  private static let context = 3
  /// The maximum number of events in which to search for the next equal event.
  private static let lookahead = 64
  private static let mostMembers = 12
  private static let longestValue = 120

  /// - Returns: The difference, or nil if the traces are equal.
  package init?(golden: [JSON], now: [JSON]) {
    guard
      let first = (0..<max(golden.count, now.count)).first(where: { index in
        !(golden.indices.contains(index) && now.indices.contains(index) && golden[index] == now[index])
      })
    else { return nil }
    for index in max(0, first - Self.context)..<first {
      lines.append("    \(number(index)) \(Self.summary(now[index]))")
    }
    let old: JSON? = golden.indices.contains(first) ? golden[first] : .none
    let new: JSON? = now.indices.contains(first) ? now[first] : .none
    switch (old, new) {
    case (let old?, let new?) where Self.mark(old) == Self.mark(new):
      message = "the trace differs from the golden trace at event \(first + 1): \(Self.summary(new))"
      lines.append("  ≠ \(number(first)) \(Self.summary(new))")
      var members: [String] = []
      Self.compare(old, new, at: "", into: &members)
      lines += members.prefix(Self.mostMembers).map { "          \($0)" }
      if members.count > Self.mostMembers { lines.append("          and \(members.count - Self.mostMembers) more") }
    default: appendEvents(golden, now, from: first)
    }
    if golden.count != now.count {
      lines.append("    the golden trace has \(golden.count) events, this trace has \(now.count)")
    }
  }

  /// Appends events that were added or removed before the next equal event.
  private mutating func appendEvents(_ golden: [JSON], _ now: [JSON], from first: Int) {
    let added =
      golden.indices.contains(first) ? Self.distance(to: golden[first], in: now, from: first) : now.count - first
    let gone =
      now.indices.contains(first) ? Self.distance(to: now[first], in: golden, from: first) : golden.count - first
    if let added, added > 0, added <= gone ?? .max {
      message = "the trace has \(added.counting("event")) more than the golden trace, from event \(first + 1)"
      for index in first..<min(first + added, first + Self.mostMembers) {
        lines.append("  + \(number(index)) \(Self.summary(now[index]))")
      }
    } else if let gone, gone > 0 {
      message = "the trace has \(gone.counting("event")) fewer than the golden trace, from event \(first + 1)"
      for index in first..<min(first + gone, first + Self.mostMembers) {
        lines.append("  - \(number(index)) \(Self.summary(golden[index]))")
      }
    } else {
      message = "the trace differs from the golden trace at event \(first + 1)"
      if golden.indices.contains(first) { lines.append("  - \(number(first)) \(Self.summary(golden[first]))") }
      if now.indices.contains(first) { lines.append("  + \(number(first)) \(Self.summary(now[first]))") }
    }
  }

  private static func distance(to event: JSON, in events: [JSON], from first: Int) -> Int? {
    let mark = mark(event)
    let end = min(events.count, first + lookahead)
    guard first < end else { return nil }
    return events[first..<end].firstIndex { self.mark($0) == mark }.map { $0 - first }
  }

  private func number(_ index: Int) -> String {
    let text = String(index + 1)
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  /// Returns a key that identifies an event, even if its details differ.
  private static func mark(_ event: JSON) -> [String] {
    ["kind", "step", "subject", "method", "from", "phase"].map { event[$0]?.string ?? "" }
  }

  /// Returns a one-line summary of an event.
  static func summary(_ event: JSON) -> String {
    let words = ["kind", "step", "subject", "verdict", "method", "outcome"].compactMap { event[$0]?.string }
    var text = words.joined(separator: " ")
    if let status = event["status"]?.integer { text += " \(status)" }
    if let url = event["url"]?.string ?? event["url"]?["address"]?.string { text += " \(url)" }
    if let reason = event["reason"]?.string { text += ": \(reason)" }
    return shortened(text)
  }

  private static func shortened(_ text: String) -> String {
    text.count > longestValue ? text.prefix(longestValue) + "…" : text
  }

  private static func compare(_ old: JSON, _ new: JSON, at path: String, into lines: inout [String]) {
    guard old != new else { return }
    let name = path.isEmpty ? "event" : path
    switch (old, new) {
    case (.object(let left), .object(let right)):
      for key in Set(left.keys).union(right.keys).sorted() {
        let path = path.isEmpty ? key : "\(path).\(key)"
        switch (left[key], right[key]) {
        case (let left?, let right?): compare(left, right, at: path, into: &lines)
        case (let left?, nil): lines.append("\(path): was \(shortened(left.text())), is gone")
        case (nil, let right?): lines.append("\(path): is new, \(shortened(right.text()))")
        case (nil, nil): break
        }
      }
    case (.array(let left), .array(let right)) where left.count == right.count:
      for index in left.indices { compare(left[index], right[index], at: "\(path)[\(index)]", into: &lines) }
    default: lines.append("\(name): was \(shortened(old.text())), is \(shortened(new.text()))")
    }
  }
}
