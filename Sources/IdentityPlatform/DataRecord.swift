/// A record of a data file: lines `key: value`, ended by an empty line. Lines that begin with `#` are comments.
package struct DataRecord: Sendable {
  /// Keys and values, in the order of the file.
  package private(set) var entries: [(key: Substring, value: Substring)] = []

  /// The value of a key; nil where the record does not have it.
  package subscript(key: String) -> String? { entries.first { $0.key == key }.map { String($0.value) } }

  /// The value of a key that every record has; empty where the file lacks it, which a test finds.
  package func text(_ key: String) -> String { self[key] ?? "" }

  /// The words of a value.
  package func words(_ key: String) -> [String] { self[key]?.split(separator: " ").map(String.init) ?? [] }

  /// The value as the case of that name.
  package func value<Value: CaseIterable>(_ key: String, of type: Value.Type = Value.self) -> Value? {
    guard let name = self[key] else { return nil }
    return Value.allCases.first { "\($0)" == name }
  }

  /// The records of a text, in order.
  package static func read(_ text: String?) -> [DataRecord] {
    var records: [DataRecord] = []
    var record = DataRecord()
    for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if !record.entries.isEmpty { records.append(record) }
        record = DataRecord()
      } else if line.first != "#", let mark = line.firstRange(of: ": ") {
        record.entries.append((line[..<mark.lowerBound], line[mark.upperBound...]))
      }
    }
    if !record.entries.isEmpty { records.append(record) }
    return records
  }

  /// The records of a text by the words of their key `name`.
  package static func byName(_ text: String?) -> [String: DataRecord] {
    Dictionary(read(text).flatMap { record in record.words("name").map { ($0, record) } }) { first, _ in first }
  }
}
