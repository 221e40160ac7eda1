import Directory
import OrderedCollections
import Synchronization

/// An index of accounts by username and email address.
///
/// The first lookup builds the index from the accounts that exist at that time. `GraphState` replaces the index when
/// the accounts change.
final class AccountNames: Sendable {
  private struct Index {
    /// The account ids by lowercase username, or by lowercase email address in `addresses`. If several accounts share a
    /// name, the index contains the first account.
    var usernames: [String: String] = [:]
    var addresses: [String: String] = [:]
  }

  private let index = Mutex<Index?>(nil)

  func id(of name: String, in accounts: OrderedDictionary<String, GraphState.Account>) -> String? {
    let requested = name.lowercased()
    return index.withLock { index in
      let current = index ?? Self.read(accounts)
      index = current
      return current.usernames[requested] ?? current.addresses[requested]
    }
  }

  private static func read(_ accounts: OrderedDictionary<String, GraphState.Account>) -> Index {
    var index = Index()
    index.usernames.reserveCapacity(accounts.count)
    for (id, account) in accounts {
      let username = account.user.username.lowercased()
      if index.usernames[username] == nil { index.usernames[username] = id }
      guard let mail = account.user.mail?.lowercased(), index.addresses[mail] == nil else { continue }
      index.addresses[mail] = id
    }
    return index
  }
}
