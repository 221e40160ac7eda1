import Directory
import Effects
import OrderedCollections

/// Answers that are too long for any client, or that do not end, where a misbehavior asks for them.
enum OversizedResponse {
  /// What an answer without an end goes on with.
  static let blanks = Array(repeating: UInt8(ascii: " "), count: 1 << 16)

  static func outcome(
    of response: ResponseMessage, to counted: Route.Counted?, _ ways: OrderedSet<Misbehavior>
  ) -> IdentityPlatformEmulator.Outcome {
    guard let counted, let (oversized, endless) = misbehaviors[counted] else { return .response(response) }
    if ways.contains(endless) { return .endless(response, more: blanks) }
    guard ways.contains(oversized) else { return .response(response) }
    // Blanks after the JSON: who reads it all finds a right answer, so only a bound can refuse it.
    let filling = ResponseLimit.bytes + 1 - min(response.body.count, ResponseLimit.bytes)
    var flood = response
    flood.body += Array(repeating: UInt8(ascii: " "), count: filling)
    return .response(flood)
  }

  private static let misbehaviors: [Route.Counted: (oversized: Misbehavior, endless: Misbehavior)] = [
    .discovery: (.oversizedMetadata, .endlessMetadata), .keys: (.oversizedKeys, .endlessKeys),
    .token: (.oversizedTokens, .endlessTokens), .userinfo: (.oversizedUserinfo, .endlessUserinfo),
  ]
}
