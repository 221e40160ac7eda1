/// The whole pattern: who is here, silently, and the page only where that was not enough.
@MainActor func token() async throws -> MSALResult? {
  let account = try await loadAccount()
  if let account, let result = try await tokenSilently(for: account) {
    return result
  }
  return try await tokenInteractively(for: account)
}
