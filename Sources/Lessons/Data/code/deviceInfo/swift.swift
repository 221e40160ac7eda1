/// Whether several users share the device.
func isSharedDevice() async throws -> Bool {
  let device = try await application.deviceInformation(with: MSALParameters())
  return device.deviceMode == .shared
}
