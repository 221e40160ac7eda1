/// Whether the device belongs to whoever's turn it is.
func isSharedDevice() async throws -> Bool {
  let device = try await application.deviceInformation(with: MSALParameters())
  return device.deviceMode == .shared
}
