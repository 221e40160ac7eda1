#if os(Linux)
  import Dispatch
  import Effects

  /// The desktop keyring (freedesktop.org Secret Service), through libsecret.
  struct SecretService: SecretBackend {
    let place = "the keyring"
    let library: LibSecret
    let schema: String
    let attributes: [(name: String, value: String)]
    let label: String
    /// The timeout in seconds. A locked keyring prompts the user for its password.
    let timeout: Int

    /// A `GCancellable`, which any thread can cancel, according to the GIO documentation.
    private struct Cancellable: @unchecked Sendable {
      var pointer: OpaquePointer
    }

    func load(_ name: SecretName) throws(FileFailure) -> String? {
      try call(name) { schema, values, cancellable, failure -> String? in
        guard let text = library.lookup(schema, values, cancellable, failure) else { return nil }
        defer { library.freePassword(text) }
        return String(cString: text)
      }
    }

    func save(_ text: String, _ name: SecretName) throws(FileFailure) {
      let isStored = try call(name) { schema, values, cancellable, failure in
        library.store(schema, values, nil, label, text, cancellable, failure) != 0
      }
      guard isStored else { throw .other(place, reason: "it did not store the tokens") }
    }

    func clear(_ name: SecretName) throws(FileFailure) {
      _ = try call(name) { schema, values, cancellable, failure in
        library.clear(schema, values, cancellable, failure)
      }
    }

    private func call<Result>(
      _ name: SecretName,
      _ body: (UnsafeRawPointer, OpaquePointer, OpaquePointer?, LibSecret.FailurePlace) -> Result
    ) throws(FileFailure) -> Result {
      let cancellable = library.newCancellable().map { Cancellable(pointer: $0) }
      let cancel = library.cancel
      let deadline = DispatchWorkItem { if let cancellable { cancel(cancellable.pointer) } }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(timeout), execute: deadline)
      var failure: UnsafeMutableRawPointer?
      let result = library.withSchema(schema, attributes + [("state", name.text)]) { schema, values in
        body(schema, values, cancellable?.pointer, &failure)
      }
      let isLate = deadline.wait(timeout: .now()) == .success
      deadline.cancel()
      if !isLate, let cancellable {
        // If the deadline has just passed, its block can still be using the cancellable.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { library.releaseObject(cancellable.pointer) }
      }
      if let failure {
        defer { library.freeFailure(failure) }
        if isLate {
          throw .other(place, reason: "it did not respond within \(timeout) seconds; it may be locked")
        }
        throw .other(place, reason: library.message(of: failure))
      }
      guard let result else { throw .other(place, reason: "out of memory") }
      return result
    }
  }
#endif
