/// The facts about one failure with their locations, and the captured values.
struct Facts: Sendable {
  /// The ranges of each fact in the normalized text.
  private(set) var places: [String: [Range<Int>]] = [:]
  /// The first value of each capture, in its original case.
  private(set) var captures: [String: String] = [:]

  /// The maximum number of stored locations of a fact.
  private static let maximumPlaces = 20

  mutating func add(_ name: String, at range: Range<Int>) {
    if places[name, default: []].count < Self.maximumPlaces { places[name, default: []].append(range) }
  }

  mutating func capture(_ name: String, _ value: String) {
    if captures[name] == nil, !value.isEmpty, value.utf8.count <= 300 { captures[name] = value }
  }

  /// The names of all facts, sorted.
  var names: [String] { places.keys.sorted() }

  func has(_ name: String) -> Bool { places[name] != nil }

  /// Returns the location of the first fact that matches a pattern, or nil if no fact matches.
  func place(of pattern: FactPattern) -> Range<Int>? {
    if !pattern.isPrefix { return places[pattern.name]?.first }
    return places.lazy.filter { $0.key.hasPrefix(pattern.name) }.min { $0.key < $1.key }?.value.first
  }

  /// Returns the values of the facts in a namespace, sorted.
  func values(of namespace: String) -> [String] {
    places.keys.filter { $0.hasPrefix(namespace + ":") }.map { String($0.dropFirst(namespace.count + 1)) }.sorted()
  }
}
