import Documents
import IdentityPlatform

/// A request for the device information that MSAL returns.
package struct DeviceInfo: Sendable {
  package init() {}
}

extension StepKind {
  static let deviceInfo = StepKind(
    "deviceInfo", "device mode: `default` or `shared`",
    outcomes: [
      .success("MSAL returned the device mode"),
      Outcome(.internal(.brokerNotAvailable), "no broker is available for this authority (-42714)"),
      .invalidParameter,
    ],
    syntax: .parameters(DeviceInfo(), Fields<DeviceInfo>("`deviceInfo`", [])) { .deviceInfo($0) })
}
