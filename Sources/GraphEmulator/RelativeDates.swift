import Documents
import Effects
import OrderedCollections

/// Resolution of relative dates, such as `+2T09:00:00` or `-1T15:45:00Z`, in a directory's mail and events.
package enum RelativeDates {
  /// Replaces all relative dates in a value with absolute dates, relative to the day of `epoch`.
  package static func resolve(_ json: JSON, from epoch: Instant) -> JSON {
    switch json {
    case .string(let text): .string(resolve(text, from: epoch) ?? text)
    case .array(let elements): .array(elements.map { resolve($0, from: epoch) })
    case .object(let members): .object(members.mapValues { resolve($0, from: epoch) })
    default: json
    }
  }

  private static func resolve(_ text: String, from epoch: Instant) -> String? {
    guard text.first == "+" || text.first == "-", let separator = text.firstIndex(of: "T"),
      let days = Int(text[..<separator]), days.magnitude < 100_000,
      text.utf8.count > 8, text[separator...].dropFirst().first?.isNumber == true
    else { return nil }
    let day = epoch + .seconds(86_400) * days
    return String(day.rfc3339().prefix(10)) + String(text[separator...])
  }
}
