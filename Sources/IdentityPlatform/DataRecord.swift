/// A record in a data file. It consists of `key: value` lines and ends at an empty line. Lines that start with `#` are
/// comments.
package struct DataRecord: Sendable {
  /// The keys and values, in file order.
  package private(set) var entries: [(key: Substring, value: Substring)] = []

  /// Returns the value of a key, or nil if the key is missing.
  package subscript(key: String) -> String? { entries.first { $0.key == key }.map { String($0.value) } }

  /// Returns the value of a required key, or an empty string if the key is missing. A test detects missing keys.
  package func text(_ key: String) -> String { self[key] ?? "" }

  /// Returns the space-separated elements of a value.
  package func list(_ key: String) -> [String] { self[key]?.split(separator: " ").map(String.init) ?? [] }

  /// Returns the enum case whose raw value is the value of a key, or nil if there is none.
  package func value<Value: RawRepresentable<String>>(_ key: String) -> Value? { self[key].flatMap(Value.init) }

  /// Parses the records in a data file, in file order.
  package static func read(_ text: String?) -> [DataRecord] {
    var records: [DataRecord] = []
    var record = DataRecord()
    // Splitting UTF-8 bytes is several times faster than splitting characters.
    for line in (text ?? "").utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard let first = line.first else {
        if !record.entries.isEmpty { records.append(record) }
        record = DataRecord()
        continue
      }
      var colon = line.firstIndex(of: UInt8(ascii: ":"))
      while let index = colon, line[line.index(after: index)...].first != UInt8(ascii: " ") {
        colon = line[line.index(after: index)...].firstIndex(of: UInt8(ascii: ":"))
      }
      guard first != UInt8(ascii: "#"), let colon else { continue }
      record.entries.append((Substring(line[..<colon]), Substring(line[colon...].dropFirst(2))))
    }
    if !record.entries.isEmpty { records.append(record) }
    return records
  }

  /// Parses a data file into a dictionary. Each name in a record's `name` value becomes a dictionary key.
  package static func byName(_ text: String?) -> [String: DataRecord] {
    Dictionary(read(text).flatMap { record in record.list("name").map { ($0, record) } }) { first, _ in first }
  }
}
