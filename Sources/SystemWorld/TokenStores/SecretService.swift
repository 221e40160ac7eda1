#if os(Linux)
  import Dispatch
  import Effects

  /// The desktop's keyring (freedesktop.org Secret Service), through libsecret.
  struct SecretService: SecretBackend {
    let place = "the keyring"
    let library: LibSecret
    let schema: String
    let attributes: [(name: String, value: String)]
    let label: String
    /// Seconds until an answer is no longer waited for: a locked keyring asks the user for its password meanwhile.
    let patience: Int

    /// A cancellable may be cancelled by any thread (GIO's documentation of `GCancellable`).
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
      guard isStored else { throw .other(place, reason: "it did not take the tokens") }
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
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patience), execute: deadline)
      var failure: UnsafeMutableRawPointer?
      let result = library.withSchema(schema, attributes + [("state", name.text)]) { schema, values in
        body(schema, values, cancellable?.pointer, &failure)
      }
      let isLate = deadline.wait(timeout: .now()) == .success
      deadline.cancel()
      if !isLate, let cancellable {
        // Where the deadline has just begun to run, the cancellable is left to it.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { library.releaseObject(cancellable.pointer) }
      }
      if let failure {
        defer { library.freeFailure(failure) }
        if isLate {
          throw .other(place, reason: "it did not answer within \(patience) seconds; it may be locked")
        }
        throw .other(place, reason: library.message(of: failure))
      }
      guard let result else { throw .other(place, reason: "there is no memory for a call") }
      return result
    }
  }
#endif
