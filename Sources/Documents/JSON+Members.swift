import OrderedCollections

// With these functions, callers can access members without importing OrderedCollections.
extension JSON {
  /// The number of elements or members, or 0 for a scalar.
  package var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .object(let members): members.count
    default: 0
    }
  }

  /// Returns the member whose name has exactly these UTF-8 bytes. A dictionary lookup would also find canonically
  /// equivalent names.
  package func member(exactly name: String) -> JSON? {
    guard case .object(let members) = self, let index = members.index(forKey: name),
      members.keys[index].utf8.elementsEqual(name.utf8)
    else { return nil }
    return members.values[index]
  }

  /// Calls `body` with each member of an object, in order.
  package func forEachMember(_ body: (_ name: String, _ value: JSON) -> Void) {
    guard case .object(let members) = self else { return }
    for (name, value) in members { body(name, value) }
  }
}
