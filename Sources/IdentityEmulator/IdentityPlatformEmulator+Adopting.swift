import Directory
import Documents
import GraphEmulator
import OrderedCollections

extension IdentityPlatformEmulator {
  /// Takes over what another emulator with the same directory remembers; consents and sessions of both stay,
  /// and where both say something else, the other's word counts. Used where two processes kept their memory in one place.
  package func adopt(_ snapshot: JSON) {
    platform.withState { $0.restore(snapshot, uniting: true) }
  }

  /// A user as they are now, with the password that a sign-in may have changed; nil where nobody has that name.
  package func user(named username: String) -> User? {
    let wanted = username.lowercased()
    return platform.withState { state in
      state.graph.accounts.values.first { $0.user.username.lowercased() == wanted }?.user
    }
  }
}
