import Directory
import Effects
import OrderedCollections

/// Misbehaviors that make a response too large or endless.
enum OversizedResponse {
  /// The repeated bytes of an endless response.
  static let filler = Array(repeating: UInt8(ascii: " "), count: 1 << 16)

  static func outcome(
    of response: ResponseMessage, to counted: Route.Counted?, _ misbehaviors: OrderedSet<Misbehavior>
  ) -> IdentityPlatformEmulator.Outcome {
    guard let counted, let (oversized, endless) = misbehaviorsByEndpoint[counted] else { return .response(response) }
    if misbehaviors.contains(endless) { return .endless(response, more: filler) }
    guard misbehaviors.contains(oversized) else { return .response(response) }
    // Spaces after the JSON keep the document valid, so only a size limit can reject it.
    let missing = ResponseLimit.bytes + 1 - min(response.body.count, ResponseLimit.bytes)
    var oversizedResponse = response
    oversizedResponse.body += Array(repeating: UInt8(ascii: " "), count: missing)
    return .response(oversizedResponse)
  }

  private static let misbehaviorsByEndpoint: [Route.Counted: (oversized: Misbehavior, endless: Misbehavior)] = [
    .discovery: (.oversizedMetadata, .endlessMetadata), .keys: (.oversizedKeys, .endlessKeys),
    .token: (.oversizedTokens, .endlessTokens), .userinfo: (.oversizedUserinfo, .endlessUserinfo),
  ]
}
