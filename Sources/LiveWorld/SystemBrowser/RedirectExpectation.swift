/// What makes a redirect the answer to the request that is under way, whichever way it comes back.
struct RedirectExpectation: Sendable, Hashable {
  /// The state that the request carried: who does not know it is not answering that request (RFC 6749 §10.12).
  var state: String?
  /// Whether a redirect with neither code nor error counts, as after signing out.
  var mayBeEmpty: Bool

  enum Verdict: Sendable, Hashable {
    /// It has neither a code nor an error.
    case incomplete
    /// Its state is not the one that was sent.
    case foreign
    /// - Parameters:
    ///   - error: the error code of a refusal (RFC 6749 §4.1.2.1).
    ///   - description: its `error_description`.
    case answer(error: String?, description: String?)
  }

  /// - Parameter query: what stands behind the redirect URI's question mark.
  func judge(_ query: String) -> Verdict {
    let parameters = FormText.parameters(of: query)
    func only(_ name: String) -> String? {
      let values = parameters.filter { $0.name == name }.map(\.value)
      return values.count == 1 ? values[0] : nil
    }
    let error = only("error")
    let isAnswer = error != nil || parameters.contains { $0.name == "code" }
    guard isAnswer || mayBeEmpty else { return .incomplete }
    if let state, !Self.isEqual(only("state") ?? "", state) { return .foreign }
    return .answer(error: error, description: only("error_description"))
  }

  /// Takes the same time wherever two texts of one length differ.
  private static func isEqual(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
