/// Returns all accounts that this app can use, including those of the device's broker.
func listAccounts() async throws -> [MSALAccount] {
  let parameters = MSALAccountEnumerationParameters()
  parameters.returnOnlySignedInAccounts = true
  return try await application.accountsFromDevice(for: parameters)
}
