import Directory
import Documents
import GraphEmulator
import OrderedCollections

extension IdentityPlatformEmulator {
  /// Merges the snapshot of another emulator with the same directory, for two processes that save state to the same
  /// folder. The consents and sessions of both emulators are retained. In other conflicts, the snapshot takes
  /// precedence.
  package func merge(_ snapshot: JSON) {
    platform.withState { $0.restore(snapshot, merging: true) }
  }

  /// Returns a user with the current password, or nil if no user has this username.
  package func user(named username: String) -> User? {
    let name = username.lowercased()
    return platform.withState { state in
      state.graph.accounts.values.first { $0.user.username.lowercased() == name }?.user
    }
  }
}
