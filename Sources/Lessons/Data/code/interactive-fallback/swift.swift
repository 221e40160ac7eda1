/// Returns a token silently if possible, and shows the sign-in page only if interaction is required.
@MainActor func token() async throws -> MSALResult? {
  let account = try await loadAccount()
  if let account, let result = try await tokenSilently(for: account) {
    return result
  }
  return try await tokenInteractively(for: account)
}
