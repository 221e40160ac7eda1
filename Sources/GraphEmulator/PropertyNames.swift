/// The properties of a type, found in any case: OData compares names so in `$select` and in bodies.
struct PropertyNames: Sendable, ExpressibleByArrayLiteral {
  private let exact: [String: String]
  private let names: Set<String>

  init(_ names: some Sequence<String>) {
    self.names = Set(names)
    exact = Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  init(arrayLiteral names: String...) { self.init(names) }

  /// The property as the type spells it; nil where it has none of that name.
  func spelled(_ name: some StringProtocol) -> String? { exact[name.lowercased()] }

  /// Whether the type has a property that is spelled exactly so.
  func has(_ name: String) -> Bool { names.contains(name) }

  func contains(_ name: some StringProtocol) -> Bool { spelled(name) != nil }

  func union(_ names: some Sequence<String>) -> PropertyNames { PropertyNames(Array(exact.values) + names) }
}
