import Documents

/// What MSAL tells about the device.
package struct DeviceInfo: Sendable {
  package init() {}
}

extension StepKind {
  static let deviceInfo = StepKind(
    "deviceInfo", "the device's mode: default or shared",
    outcomes: [
      .success("the mode is known"),
      Outcome("brokerNotAvailable", .internalFailure, "no broker can be asked with this authority (-42714)"),
      .invalidParameter,
    ],
    empty: DeviceInfo(), fields: Fields<DeviceInfo>("deviceInfo", [])
  ) { .deviceInfo($0) }
}
