/// All accounts that this app can use, those of the device's broker included.
func listAccounts() async throws -> [MSALAccount] {
  let parameters = MSALAccountEnumerationParameters()
  parameters.returnOnlySignedInAccounts = true
  return try await application.accountsFromDevice(for: parameters)
}
