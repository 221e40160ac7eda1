import Documents

/// The device authorization grant (RFC 8628), in which the user enters a code on another device.
package struct DeviceCode: TokenAcquiringStep {
  package var token = TokenParameters()
}

extension StepKind {
  static let deviceCode = StepKind(
    "deviceCode", "device code sign-in: the user enters a code on another device", usesNetwork: true,
    canBeFallback: true,
    outcomes: [
      .success("the user signed in on the other device"),
      Outcome("authorizationDeclined", "the user declined the sign-in"),
      Outcome("expiredToken", "the code expired before the user signed in"),
      Outcome("interactionRequired", "the server requires interaction that this request cannot provide (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.silentInternals + Outcome.grantInternals,
    empty: DeviceCode(), fields: DeviceCode.fields
  ) { .deviceCode($0) }
}

extension DeviceCode {
  package static let fields = Fields<DeviceCode>("`deviceCode`", Self.tokenFields)
}
