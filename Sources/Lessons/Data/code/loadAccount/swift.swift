/// Returns the current account, or nil if no user is signed in.
func loadAccount() async throws -> MSALAccount? {
  let (account, previous) = try await application.currentAccount(with: MSALParameters())
  if previous != nil {
    // On a shared device, another user was signed in before. Don't show that user's data.
    clearDisplayedData()
  }
  return account
}

/// With several accounts: returns the account with the identifier that the app stored.
func loadAccount(identifier: String) throws -> MSALAccount? {
  let parameters = MSALAccountEnumerationParameters(identifier: identifier)
  return try application.accounts(for: parameters).first
}
