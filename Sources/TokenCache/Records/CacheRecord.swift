import Documents
import Effects
import OrderedCollections

/// An entry of the cache seen as what it is: the fields that this type knows, and all others untouched.
package protocol CacheRecord: Sendable, Hashable {
  /// Every field, in the file's order.
  var fields: OrderedDictionary<String, JSON> { get set }
  /// The fields that this type writes or judges; on a rewrite, all others of the old entry stay. A field that decides
  /// whether a record is used must be here: from the record before it, a new one would inherit to be useless.
  static var knownFields: Set<String> { get }

  init(fields: OrderedDictionary<String, JSON>)
}

extension CacheRecord {
  /// The record as the file has it.
  package var json: JSON { .object(fields) }

  /// The text of a field; a value that is no text counts as absent, as in MSAL.
  func text(_ name: String) -> String? { fields[name]?.string }

  func textOrEmpty(_ name: String) -> String { text(name) ?? "" }

  /// The text of a field; nil also where there is nothing but space.
  func nonBlank(_ name: String) -> String? {
    text(name).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// A time: seconds since 1970 as decimal text, with or without a fraction.
  func moment(_ name: String) -> Instant? {
    guard let text = text(name) else { return nil }
    if let seconds = Int64(text) { return Instant(secondsSince1970: seconds) }
    guard let seconds = Double(text), seconds.isFinite, abs(seconds) < 9e9 else { return nil }
    return Instant(nanosecondsSince1970: Int64(seconds * 1e9))
  }

  mutating func set(_ name: String, _ value: String?) {
    fields[name] = value.map { .string($0) }
  }

  mutating func set(_ name: String, _ value: Instant?) {
    set(name, value.map { String($0.secondsSince1970) })
  }

  /// This record with those fields of an older entry that this type does not know.
  func keepingUnknownFields(of old: JSON?) -> Self {
    guard let old = old?.object else { return self }
    var merged = fields
    for (name, value) in old where !Self.knownFields.contains(name) && merged[name] == nil { merged[name] = value }
    return Self(fields: merged)
  }
}
