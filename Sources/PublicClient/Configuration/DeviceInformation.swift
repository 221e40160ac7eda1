import Documents
import IdentityPlatform

/// Information about the device (`MSALDeviceInformation`).
package struct DeviceInformation: Hashable, Sendable {
  package var deviceMode: DeviceMode
  package var hasSSOExtension: Bool
  /// The authentication method of the SSO extension, or nil if the device does not have an extension.
  package var configuredPreferredAuthMethod: String?
  /// The state of platform single sign-on on macOS, or nil on other platforms.
  package var platformSSOStatus: PlatformSSOStatus?
  /// Information from the SSO extension. Empty if the device does not have an extension.
  package var extraDeviceInformation: JSON

  /// The state of platform single sign-on (`MSALPlatformSSOStatus`).
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
