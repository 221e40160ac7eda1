import Documents

/// The device authorization grant (RFC 8628), in which the user enters a code on another device.
package struct DeviceCode: TokenAcquiringStep {
  package var token = TokenParameters()
}

extension StepKind {
  static let deviceCode = StepKind(
    "deviceCode", "device code sign-in: the user enters a code on another device", [.usesNetwork, .canBeFallback],
    outcomes: [
      .success("the user signed in on the other device"),
      Outcome(.authorizationDeclined, "the user declined the sign-in"),
      Outcome(.expiredToken, "the code expired before the user signed in"),
      .interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled,
      .resetPasswordRequired,
    ] + Outcome.internalErrors,
    syntax: .parameters(DeviceCode(), DeviceCode.fields) { .deviceCode($0) })
}

extension DeviceCode {
  package static let fields = Fields<DeviceCode>("`deviceCode`", Self.tokenFields)
}
