import Documents
import OAuth

/// The `claims` parameter: what a client can do, and what a resource has demanded.
struct RequestedClaims: Hashable, Sendable {
  let json: JSON?

  /// - Throws: AADSTS9002313 for a text that is no JSON object.
  init(_ text: String?) throws(ErrorResponse) {
    guard let text, !text.isEmpty else {
      json = nil
      return
    }
    guard let json = try? JSON(parsing: Array(text.utf8)), json.object != nil else {
      throw ErrorResponse(9002313, "The claims parameter is no JSON object.", on: .parameter)
    }
    self.json = json
  }

  init(json: JSON?) { self.json = json }

  private var accessToken: JSON? { json?["access_token"] }

  /// Whether the client says that it handles claims challenges (`xms_cc` with `cp1`, any case).
  var handlesChallenges: Bool {
    let values = accessToken?["xms_cc"]?["values"]?.array ?? []
    return values.contains { $0.string?.lowercased() == "cp1" }
  }

  /// Authentication contexts that a resource demands.
  var contexts: [String] {
    guard let demand = accessToken?["acrs"] else { return [] }
    if let value = demand["value"]?.string { return [value] }
    return demand["values"]?.array?.compactMap(\.string) ?? []
  }

  /// Whether tokens have to be newer than some moment: the answer to a revocation.
  var demandsFreshness: Bool { accessToken?["nbf"] != nil }
}
