import OrderedCollections

// For rooms that read JSON without being concerned with how its members are stored.
extension JSON {
  /// The number of an array's elements or an object's members; 0 for a scalar.
  package var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .object(let members): members.count
    default: 0
    }
  }

  /// The member of exactly that name, code point by code point: a dictionary finds canonically equivalent names too.
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
