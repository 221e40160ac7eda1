import Documents
import IdentityPlatform

/// What MSALDeviceInformation tells.
package struct DeviceInformation: Hashable, Sendable {
  package var deviceMode: DeviceMode
  package var hasSSOExtension: Bool
  /// How an extension would have people prove who they are; nil without one.
  package var configuredPreferredAuthMethod: String?
  /// macOS only: whether the platform signs people in by itself.
  package var platformSSOStatus: PlatformSSOStatus?
  /// Set where there is an extension.
  package var extraDeviceInformation: JSON

  /// MSALPlatformSSOStatus.
  package enum PlatformSSOStatus: String, Hashable, Sendable, CaseIterable {
    case notEnabled, enabledNotRegistered, enabledAndRegistered, registrationNeedsRepair
  }

  package var json: JSON {
    var json: JSON = [
      "deviceMode": .string(deviceMode.rawValue), "hasAADSSOExtension": .bool(hasSSOExtension),
      "configuredPreferredAuthMethod": configuredPreferredAuthMethod.map { .string($0) } ?? .null,
      "extraDeviceInformation": extraDeviceInformation,
    ]
    if let platformSSOStatus { json["platformSSOStatus"] = .string(platformSSOStatus.rawValue) }
    return json
  }
}
