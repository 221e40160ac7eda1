import Documents

/// The device authorization grant, RFC 8628: the user types a code on another device.
package struct DeviceCode: TokenAcquiringStep {
  package var token = TokenParameters()
}

extension StepKind {
  static let deviceCode = StepKind(
    "deviceCode", "a token by way of a code that the user types on another device", usesNetwork: true,
    canBeFallback: true,
    outcomes: [
      .success("the user signed in over there and a token is there"),
      Outcome("authorizationDeclined", "the user declined"),
      Outcome("expiredToken", "the user took too long"),
      Outcome("interactionRequired", "the server asks for more than this request may show (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.silentInternals + Outcome.grantInternals,
    empty: DeviceCode(), fields: DeviceCode.fields
  ) { .deviceCode($0) }
}

extension DeviceCode {
  package static let fields = Fields<DeviceCode>("deviceCode", Self.tokenFields)
}
