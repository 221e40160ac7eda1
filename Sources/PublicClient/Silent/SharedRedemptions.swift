import OAuth
import Synchronization

/// One redemption at a time for the same request: who asks meanwhile waits for it and gets its answer.
///
/// MSAL redeems the refresh token once per caller; that spends tokens and invites races. The first caller does the work in
/// its own task; where it is cancelled, the next in line does it.
final class SharedRedemptions: Sendable {
  struct Key: Hashable, Sendable {
    var account: String
    var authority: String
    var scopes: [String]
    var claims: String?
    var extra: Parameters
  }

  typealias Outcome = Result<TokenResult, MSALError>

  private let waiting = Mutex<[Key: [CheckedContinuation<Outcome?, Never>]]>([:])

  /// - Returns: the outcome, and whether it is another caller's.
  func run(_ key: Key, _ redeem: () async -> Outcome) async -> (outcome: Outcome, isShared: Bool) {
    while true {
      let isFirst = waiting.withLock { waiting in
        guard waiting[key] == nil else { return false }
        waiting[key] = []
        return true
      }
      if isFirst {
        let outcome = await redeem()
        let wasCancelled = Task.isCancelled
        let others = waiting.withLock { $0.removeValue(forKey: key) } ?? []
        for other in others { other.resume(returning: wasCancelled ? nil : outcome) }
        return (outcome, false)
      }
      let shared: Outcome? = await withCheckedContinuation { continuation in
        let isLate = waiting.withLock { waiting in
          guard waiting[key] != nil else { return true }
          waiting[key]?.append(continuation)
          return false
        }
        if isLate { continuation.resume(returning: nil) }
      }
      if let shared { return (shared, true) }
    }
  }
}
