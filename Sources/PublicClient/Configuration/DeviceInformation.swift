import Documents

/// What MSALDeviceInformation tells.
package struct DeviceInformation: Hashable, Sendable {
  package var deviceMode: DeviceMode
  package var hasSSOExtension: Bool
  /// How an extension would have people prove who they are; nil without one.
  package var configuredPreferredAuthMethod: String?
  /// Set where there is an extension.
  package var extraDeviceInformation: JSON

  package var json: JSON {
    [
      "deviceMode": .string(deviceMode.rawValue), "hasAADSSOExtension": .bool(hasSSOExtension),
      "extraDeviceInformation": extraDeviceInformation,
    ]
  }
}
