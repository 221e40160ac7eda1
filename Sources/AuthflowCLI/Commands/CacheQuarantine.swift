import TokenCache

extension CacheLocation {
  /// Moves a corrupt cache in a state folder to another file. Does not move a cache file that the user specified with
  /// `--cache`.
  /// - Returns: The moved file, or nil if no file was moved.
  /// - Throws: The failure if the cache cannot be read or moved.
  func quarantineIfCorrupt() throws(TokenCacheFailure) -> QuarantinedFile? {
    let cache = UnifiedTokenCache(store: store)
    do throws(TokenCacheFailure) {
      _ = try cache.contents()
      return nil
    } catch {
      guard case .corrupt = error, folder != nil else { throw error }
      return try cache.quarantineIfCorrupt()
    }
  }

  /// Moves a corrupt cache in a state folder to another file before the cache is replaced or cleared.
  func quarantineIfCorrupt(in session: Session) throws(ExitStatus) {
    guard folder != nil else { return }
    do throws(TokenCacheFailure) {
      if let file = try quarantineIfCorrupt() { session.printStatus("warning: \(file.explanation)") }
    } catch {
      throw session.report(.environmentFailure, "\(path): \(error.explanation)")
    }
  }
}
