import Documents
import Effects
import OrderedCollections

/// A typed view of a cache entry that preserves unknown fields.
package protocol CacheRecord: Sendable, Hashable {
  /// All fields, in file order.
  var fields: OrderedDictionary<String, JSON> { get set }
  /// The fields that this type reads or writes. A new record replaces these fields and preserves all other fields of
  /// the old entry. The set must include every field that determines whether the record is usable. Otherwise, a new
  /// record could inherit a value that makes the record unusable.
  static var knownFields: Set<String> { get }

  init(fields: OrderedDictionary<String, JSON>)
}

extension CacheRecord {
  /// The entry as stored in the file.
  package var json: JSON { .object(fields) }

  /// Returns the string value of a field. Values of other types count as missing, as in MSAL.
  func text(_ name: String) -> String? { fields[name]?.string }

  func textOrEmpty(_ name: String) -> String { text(name) ?? "" }

  /// Returns the string value of a field, or nil if it is blank.
  func nonBlank(_ name: String) -> String? {
    text(name).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// Parses a time: seconds since 1970 as a decimal string, with or without a fraction.
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

  /// Returns this record with the unknown fields of an old entry.
  func keepingUnknownFields(of old: JSON?) -> Self {
    guard let old = old?.object else { return self }
    var merged = fields
    for (name, value) in old where !Self.knownFields.contains(name) && merged[name] == nil { merged[name] = value }
    return Self(fields: merged)
  }
}
