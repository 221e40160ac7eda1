import TokenCache

extension CachePlace {
  /// Makes way for what is about to be forgotten or replaced as a whole: what is kept and is no token cache is moved aside,
  /// as a run would do, and where to is told. A file that somebody named stays where it is.
  func moveAsideIfCorrupt(in session: Session) throws(ExitStatus) {
    guard folder != nil else { return }
    let cache = UnifiedTokenCache(store: store)
    do throws(TokenCacheFailure) {
      do throws(TokenCacheFailure) {
        _ = try cache.contents()
      } catch {
        guard case .corrupt = error else { throw error }
        if let moved = try cache.moveAsideIfCorrupt() { session.printStatus("warning: \(moved.explanation)") }
      }
    } catch {
      session.printStatus("error: \(path): \(error.explanation)")
      throw .environmentFailure
    }
  }
}
