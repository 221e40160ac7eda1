/// The account that this app works for; nil where nobody is signed in.
func loadAccount() async throws -> MSALAccount? {
  let (account, previous) = try await application.currentAccount(with: MSALParameters())
  if previous != nil {
    // On a shared device somebody else was here before: nothing of theirs may be shown.
    forgetWhatWasShown()
  }
  return account
}

/// With several accounts: the one whose identifier the app remembered.
func loadAccount(identifier: String) throws -> MSALAccount? {
  let parameters = MSALAccountEnumerationParameters(identifier: identifier)
  return try application.accounts(for: parameters).first
}
