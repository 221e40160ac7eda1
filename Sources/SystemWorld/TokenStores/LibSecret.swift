#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The functions of libsecret and GLib, which are loaded at run time. If authflow linked these libraries, every start
  /// would load twelve libraries, and authflow could not run on machines without them.
  struct LibSecret: Sendable {
    /// A pointer to a `GError *`.
    typealias FailurePlace = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    typealias Store =
      @convention(c) (
        UnsafeRawPointer, OpaquePointer, UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>,
        OpaquePointer?, FailurePlace
      ) -> CInt
    typealias Lookup =
      @convention(c) (UnsafeRawPointer, OpaquePointer, OpaquePointer?, FailurePlace) -> UnsafeMutablePointer<CChar>?
    typealias Clear = @convention(c) (UnsafeRawPointer, OpaquePointer, OpaquePointer?, FailurePlace) -> CInt
    typealias FreePassword = @convention(c) (UnsafeMutablePointer<CChar>) -> Void
    typealias FreeFailure = @convention(c) (UnsafeMutableRawPointer) -> Void
    typealias NewTable = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> OpaquePointer?
    typealias Insert = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt
    typealias Release = @convention(c) (OpaquePointer) -> Void
    typealias NewCancellable = @convention(c) () -> OpaquePointer?

    let store: Store
    let lookup: Lookup
    let clear: Clear
    let freePassword: FreePassword
    let freeFailure: FreeFailure
    private let newTable: NewTable
    private let insert: Insert
    private let releaseTable: Release
    let newCancellable: NewCancellable
    let cancel: Release
    let releaseObject: Release
    private let hash: Address
    private let equal: Address

    /// A function's address, which is valid in all threads while the process runs.
    private struct Address: @unchecked Sendable {
      var pointer: UnsafeMutableRawPointer
    }

    /// The loaded libraries, or nil if they cannot be loaded. `absence` contains the reason.
    static let shared = LibSecret()

    /// The reason why the libraries cannot be loaded.
    #if canImport(Musl)
      static let absence = "a statically linked program cannot load libsecret"
    #else
      static let absence = "libsecret is not installed (libsecret-1.so.0)"
    #endif

    private init?() {
      guard let secret = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL),
        let glib = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_LOCAL),
        let gio = dlopen("libgio-2.0.so.0", RTLD_NOW | RTLD_LOCAL),
        let object = dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_LOCAL)
      else { return nil }
      guard let store = dlsym(secret, "secret_password_storev_sync"),
        let lookup = dlsym(secret, "secret_password_lookupv_sync"),
        let clear = dlsym(secret, "secret_password_clearv_sync"),
        let freePassword = dlsym(secret, "secret_password_free"), let freeFailure = dlsym(glib, "g_error_free"),
        let newTable = dlsym(glib, "g_hash_table_new"), let insert = dlsym(glib, "g_hash_table_insert"),
        let releaseTable = dlsym(glib, "g_hash_table_unref"), let hash = dlsym(glib, "g_str_hash"),
        let equal = dlsym(glib, "g_str_equal"), let newCancellable = dlsym(gio, "g_cancellable_new"),
        let cancel = dlsym(gio, "g_cancellable_cancel"), let releaseObject = dlsym(object, "g_object_unref")
      else { return nil }
      self.store = unsafeBitCast(store, to: Store.self)
      self.lookup = unsafeBitCast(lookup, to: Lookup.self)
      self.clear = unsafeBitCast(clear, to: Clear.self)
      self.freePassword = unsafeBitCast(freePassword, to: FreePassword.self)
      self.freeFailure = unsafeBitCast(freeFailure, to: FreeFailure.self)
      self.newTable = unsafeBitCast(newTable, to: NewTable.self)
      self.insert = unsafeBitCast(insert, to: Insert.self)
      self.releaseTable = unsafeBitCast(releaseTable, to: Release.self)
      self.newCancellable = unsafeBitCast(newCancellable, to: NewCancellable.self)
      self.cancel = unsafeBitCast(cancel, to: Release.self)
      self.releaseObject = unsafeBitCast(releaseObject, to: Release.self)
      self.hash = Address(pointer: hash)
      self.equal = Address(pointer: equal)
    }

    /// Returns the message of a `GError`. The message is the third member, after two 32-bit members.
    func message(of failure: UnsafeMutableRawPointer) -> String {
      failure.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self).map { String(cString: $0) } ?? "it refused"
    }

    /// Calls `body` with a `SecretSchema` with string attributes and a table of the attribute values.
    func withSchema<Result>(
      _ name: String, _ attributes: [(name: String, value: String)],
      _ body: (_ schema: UnsafeRawPointer, _ values: OpaquePointer) -> Result
    ) -> Result? {
      guard let table = newTable(hash.pointer, equal.pointer) else { return nil }
      // struct { char *name; int flags; struct { char *name; int type; } attributes[32]; int; void *[7]; }. Zero
      // represents both the absence of flags and the string type.
      let schema = UnsafeMutableRawPointer.allocate(byteCount: 592, alignment: 8)
      schema.initializeMemory(as: UInt8.self, repeating: 0, count: 592)
      var texts: [UnsafeMutablePointer<CChar>] = []
      defer {
        releaseTable(table)
        schema.deallocate()
        for text in texts { free(text) }
      }
      func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let copy = strdup(text)
        if let copy { texts.append(copy) }
        return copy
      }
      schema.storeBytes(of: copy(name), as: UnsafeMutablePointer<CChar>?.self)
      for (index, attribute) in attributes.prefix(32).enumerated() {
        let name = copy(attribute.name)
        schema.storeBytes(of: name, toByteOffset: 16 + index * 16, as: UnsafeMutablePointer<CChar>?.self)
        _ = insert(table, name, copy(attribute.value))
      }
      return body(schema, table)
    }
  }
#endif
