import Directory
import Documents
import GraphEmulator
import OrderedCollections

extension IdentityPlatformEmulator {
  /// Merges the snapshot of another emulator with the same directory. Consents and sessions of both are retained; other
  /// conflicts are resolved in favor of the snapshot. Used when two processes save state to the same folder.
  package func merge(_ snapshot: JSON) {
    platform.withState { $0.restore(snapshot, merging: true) }
  }

  /// Returns a user with their current password, or nil if no user has that username.
  package func user(named username: String) -> User? {
    let name = username.lowercased()
    return platform.withState { state in
      state.graph.accounts.values.first { $0.user.username.lowercased() == name }?.user
    }
  }
}
