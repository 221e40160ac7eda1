/// The property names of a type. Lookups ignore case, as OData requires for `$select` and request bodies.
struct PropertyNames: Sendable, ExpressibleByArrayLiteral {
  private let exact: [String: String]
  private let names: Set<String>

  init(_ names: some Sequence<String>) {
    self.names = Set(names)
    exact = Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  init(arrayLiteral names: String...) { self.init(names) }

  /// Returns the property name in its original case, or nil if the type does not have this property.
  func exactName(_ name: some StringProtocol) -> String? { exact[name.lowercased()] }

  /// Whether the type has a property with this exact name.
  func has(_ name: String) -> Bool { names.contains(name) }

  func contains(_ name: some StringProtocol) -> Bool { exactName(name) != nil }

  func union(_ names: some Sequence<String>) -> PropertyNames { PropertyNames(Array(exact.values) + names) }
}
