import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// `device_code`: a device that waits while its owner signs in elsewhere (RFC 8628).
struct DeviceCodeGrant: TokenGrant {
  static let names = ["urn:ietf:params:oauth:grant-type:device_code", "device_code"]
  let request: TokenRequest

  func answer() throws(ErrorResponse) -> JSON {
    let code = request.form["device_code"] ?? request.form["code"] ?? ""
    // MSAL sends the code under both names; the older endpoint knows only `code`.
    guard !code.isEmpty else { throw TokenRequest.missing("device_code") }
    try request.demandPublicFlow()
    let now = request.exchange.now
    let found = request.platform.withState { state -> DeviceSignIn? in
      let device = state.devices[code]
      if device != nil { state.devices[code]?.lastPoll = now }
      // Of several polls at once, one gets the tokens.
      if case .approved = device?.outcome { state.devices[code]?.outcome = .redeemed }
      return device
    }
    guard let device = found, device.clientID.lowercased() == request.client.appId.lowercased() else {
      throw ErrorResponse(7000014)
    }
    switch device.outcome {
    case .redeemed: throw ErrorResponse(7000014, "The device code was already redeemed.")
    case .declined:
      throw ErrorResponse(65004, "The user declined the sign-in on the device page.", on: .device)
    case .pending: throw ErrorResponse(device.expires <= now ? 70020 : 70016, on: request.isVersion1 ? .older : .usual)
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
