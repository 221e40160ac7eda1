import Effects

/// What tells one store of tokens from another: its kind and place, and which object it is where it is one.
struct StoreIdentity: Hashable, Sendable {
  private var kind: ObjectIdentifier
  private var place: String
  /// Nil for values: whoever names the same place by another value means the same store.
  private var object: ObjectIdentifier?

  init(_ store: any BlobStore) {
    kind = ObjectIdentifier(type(of: store))
    place = store.place
    // The box that another kind of value is put into is a new one each time.
    object = type(of: store) is any AnyObject.Type ? ObjectIdentifier(store as AnyObject) : nil
  }
}
