import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// `device_code`: responds to a device that polls for tokens while the user signs in on another device (RFC 8628 §3.4).
struct DeviceCodeGrant: TokenGrant {
  static let names = ["urn:ietf:params:oauth:grant-type:device_code", "device_code"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    let code = request.form["device_code"] ?? request.form["code"] ?? ""
    // MSAL sends both parameters. The v1.0 endpoint supports only `code`.
    guard !code.isEmpty else { throw TokenRequest.missing("device_code") }
    try request.requirePublicClientFlow()
    let now = request.exchange.now
    let match = request.platform.withState { state -> DeviceSignIn? in
      let device = state.devices[code]
      if device != nil { state.devices[code]?.lastPoll = now }
      // If the device sends several polls concurrently, only one receives the tokens.
      if case .approved = device?.outcome { state.devices[code]?.outcome = .redeemed }
      return device
    }
    guard let device = match, device.clientID.lowercased() == request.client.appId.lowercased() else {
      throw ErrorResponse(7000014)
    }
    switch device.outcome {
    case .redeemed: throw ErrorResponse(7000014, "The device code was already redeemed.")
    case .declined:
      throw ErrorResponse(65004, "The user declined the sign-in on the device page.", context: .device)
    case .pending:
      throw ErrorResponse(device.expires <= now ? 70020 : 70016, context: request.isVersion1 ? .older : .standard)
    case .approved(let sealed):
      guard let grant = TokenIssuer.open(sealed, for: .deviceGrant) else { throw ErrorResponse(7000014) }
      let member = try request.member(of: grant)
      let scopes = try request.scopes(grant.scope, tenantID: grant.tenantID)
      let resource = scopes.resources.first ?? .graph()
      try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: false)
      return request.tokens(for: grant, member: member, scopes: scopes.limited(to: resource), resource: resource)
    }
  }
}
