import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

extension ControlRequest {
  static let devices = ControlRequest(
    method: .get, path: "devices", summary: "list device sign-ins and their user codes"
  ) { call in call.devices }

  static let resolveDevice = ControlRequest(
    method: .post, path: "devices/{user code}/{approve, decline, or expire}",
    summary: "approve, decline, or expire a device sign-in; `approve` accepts `{\"user\": USERNAME}`"
  ) { call throws(ControlError) in
    try call.resolve(code: call.values[0].uppercased().filter { $0 != "-" }, action: call.values[1].lowercased())
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
              "outcome": .string(device.outcome.name(isExpired: device.expires <= now)),
            ]
          }),
      ]
    }
  }

  fileprivate func resolve(code: String, action: String) throws(ControlError) {
    let match = platform.withState { state in
      state.devices.first { $0.value.userCode == code }.map { ($0.key, $0.value) }
    }
    guard let (key, device) = match else {
      throw ControlError(
        "unknown user code `\(code.prefix(40))`; `GET /_authflow/devices` lists all device sign-ins")
    }
    switch action {
    case "decline": platform.withState { $0.devices[key]?.outcome = .declined }
    case "expire": platform.withState { $0.devices[key]?.expires = exchange.now }
    case "approve":
      let body = try optionalBody()
      try members(["user"], of: body)
      try approve(key, device, by: try account(named: body["user"]?.string))
    default:
      throw ControlError("unknown action; the path must end in `approve`, `decline`, or `expire`")
    }
  }

  private func approve(
    _ key: String, _ device: DeviceSignIn, by account: GraphState.Account
  ) throws(ControlError) {
    guard device.outcome == .pending, device.expires > exchange.now else {
      throw ControlError("device sign-in `\(device.userCode)` is no longer pending")
    }
    // If the device started the sign-in at a tenant's endpoint, the sign-in is for that tenant.
    let tenantID = platform.withState { $0.tenant(named: device.tenantSegment)?.id }
    var grant = platform.newGrant(
      for: account.user.id, client: device.clientID, tenantID: tenantID ?? account.homeTenantID, scope: device.scope,
      at: exchange.now)
    grant.factorAt = exchange.now
    grant.nativeFlow = "deviceCode"
    let sealed = "1." + OpaqueTokenCipher.seal(grant.json, for: .deviceGrant, randomness: platform.randomness)
    platform.withState { state in
      state.devices[key]?.outcome = .approved(grant: sealed)
      // Approval includes consent, because there is no consent page.
      state.grant(
        ["openid", "profile", "offline_access"] + device.scope.split(separator: " ").map(String.init),
        to: device.clientID, by: .user(account.user.id))
    }
  }
}

extension DeviceSignIn.Outcome {
  fileprivate func name(isExpired: Bool) -> String {
    switch self {
    case .pending: isExpired ? "expired" : "pending"
    case .declined: "declined"
    case .approved: "approved"
    case .redeemed: "redeemed"
    }
  }
}
