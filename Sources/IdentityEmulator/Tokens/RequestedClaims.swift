import Documents
import OAuth

/// The client capabilities and requested claims in the `claims` parameter.
struct RequestedClaims: Hashable, Sendable {
  let json: JSON?

  /// Parses the parameter.
  /// - Throws: AADSTS9002313 if the text is not a JSON object.
  init(_ text: String?) throws(ErrorResponse) {
    guard let text, !text.isEmpty else {
      json = nil
      return
    }
    guard let json = try? JSON(parsing: Array(text.utf8)), json.object != nil else {
      throw ErrorResponse(9002313, "The claims parameter is not a JSON object.", context: .parameter)
    }
    self.json = json
  }

  init(json: JSON?) { self.json = json }

  private var accessToken: JSON? { json?["access_token"] }

  /// Whether the client declares that it handles claims challenges (`xms_cc` contains `cp1`).
  var handlesChallenges: Bool {
    let values = accessToken?["xms_cc"]?["values"]?.array ?? []
    return values.contains { $0.string?.lowercased() == "cp1" }
  }

  /// The authentication contexts that a resource requires.
  var contexts: [String] {
    guard let request = accessToken?["acrs"] else { return [] }
    if let value = request["value"]?.string { return [value] }
    return request["values"]?.array?.compactMap(\.string) ?? []
  }
}
