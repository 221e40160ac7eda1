import Directory
import OrderedCollections
import Synchronization

/// Finds accounts by username and mail address without looking through all of them.
///
/// It is made when first asked, and belongs to the accounts as they were then: whoever changes them takes a new one.
final class AccountNames: Sendable {
  private struct Index {
    /// Ids by username and by mail address, both in lower case; of equal ones the first.
    var usernames: [String: String] = [:]
    var addresses: [String: String] = [:]
  }

  private let index = Mutex<Index?>(nil)

  func id(of name: String, in accounts: OrderedDictionary<String, GraphState.Account>) -> String? {
    let wanted = name.lowercased()
    return index.withLock { index in
      let known = index ?? Self.read(accounts)
      index = known
      return known.usernames[wanted] ?? known.addresses[wanted]
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
