import Effects

/// The identity of a token store: its type and location, and its object identity if it is a class.
struct StoreIdentity: Hashable, Sendable {
  private var kind: ObjectIdentifier
  private var place: String
  /// The object identity of a class, or nil for value types. Two values with the same location are the same store.
  private var object: ObjectIdentifier?

  init(_ store: any BlobStore) {
    kind = ObjectIdentifier(type(of: store))
    place = store.location
    // Boxing a value type creates a new object each time.
    object = type(of: store) is any AnyObject.Type ? ObjectIdentifier(store as AnyObject) : nil
  }
}
