import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

extension ControlRequest {
  static let devices = ControlRequest(
    method: .get, path: "devices", words: "the device sign-ins, with the codes to type"
  ) { call in call.devices }

  static let settleDevice = ControlRequest(
    method: .post, path: "devices/{user code}/{approve, decline or expire}",
    words: "what the user with the code does; approve takes {\"user\": a username}"
  ) { call throws(ControlError) in
    try call.settle(code: call.values[0].uppercased().filter { $0 != "-" }, deed: call.values[1].lowercased())
    return call.devices
  }
}

extension ControlCall {
  fileprivate var devices: JSON {
    let now = platform.now
    return platform.withState { state in
      [
        "version": 1,
        "devices": .array(
          state.devices.values.map { device in
            [
              "userCode": .string(device.userCode), "client": .string(device.clientID),
              "scope": .string(device.scope), "expires": .string(device.expires.rfc3339()),
              "outcome": .string(device.outcome.words(isExpired: device.expires <= now)),
            ]
          }),
      ]
    }
  }

  fileprivate func settle(code: String, deed: String) throws(ControlError) {
    let found = platform.withState { state in
      state.devices.first { $0.value.userCode == code }.map { ($0.key, $0.value) }
    }
    guard let (key, device) = found else {
      throw ControlError(
        "no device waits with the code \(code.prefix(40)); GET /_authflow/devices lists those that do")
    }
    switch deed {
    case "decline": platform.withState { $0.devices[key]?.outcome = .declined }
    case "expire": platform.withState { $0.devices[key]?.expires = exchange.now }
    case "approve":
      let body = try optionalBody()
      try members(["user"], of: body)
      try approve(key, device, by: try account(named: body["user"]?.string))
    default:
      throw ControlError("a device is approved, declined or expired: write approve, decline or expire at the end")
    }
  }

  private func approve(
    _ key: String, _ device: DeviceSignIn, by account: GraphState.Account
  ) throws(ControlError) {
    guard device.outcome == .pending, device.expires > exchange.now else {
      throw ControlError("the device with the code \(device.userCode) waits no longer")
    }
    // A device that began at a tenant's own endpoint is let in to that tenant.
    let named = platform.withState { $0.tenant(named: device.tenantSegment)?.id }
    var grant = SignInGrant(
      id: platform.randomness.uuid(), clientID: device.clientID, accountID: account.user.id.lowercased(),
      tenantID: named ?? account.homeTenantID, policy: nil, scope: device.scope, authenticatedAt: exchange.now,
      factorAt: exchange.now, sessionID: platform.randomness.uuid(),
      generation: platform.withState { $0.history(of: account.user.id).generation }, issuedAt: exchange.now,
      redirectType: .publicClient)
    grant.nativeFlow = "deviceCode"
    let sealed = "1." + OpaqueTokenCipher.seal(grant.json, for: .deviceGrant, randomness: platform.randomness)
    platform.withState { state in
      state.devices[key]?.outcome = .approved(grant: sealed)
      // Who approves here consents as well: there is no page to ask on.
      state.grant(
        ["openid", "profile", "offline_access"] + device.scope.split(separator: " ").map(String.init),
        to: device.clientID, by: .user(account.user.id))
    }
  }
}

extension DeviceSignIn.Outcome {
  fileprivate func words(isExpired: Bool) -> String {
    switch self {
    case .pending: isExpired ? "expired" : "pending"
    case .declined: "declined"
    case .approved: "approved"
    case .redeemed: "redeemed"
    }
  }
}
