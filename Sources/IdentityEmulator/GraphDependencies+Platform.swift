import Effects
import GraphEmulator
import OrderedCollections

extension GraphDependencies {
  /// Creates the Graph emulator's dependencies from a platform's state and services.
  package init(platform: Platform) {
    self.init(
      randomness: platform.randomness, notificationTransport: platform.options.notificationTransport,
      now: { platform.now }, records: { id in platform.withState { $0.records(of: id) } },
      read: { body in platform.withState { body($0.graph) } }, write: platform.changeGraph)
  }
}

extension Platform {
  /// Changes Graph's state and updates accounts and sessions accordingly.
  fileprivate func changeGraph(_ body: (inout GraphState) -> Void) {
    let now = now
    withState { state in
      let before = state.graph.accounts
      body(&state.graph)
      // Snapshots contain only accounts that differ from the directory, so changes must be recorded. If nothing
      // changed, both dictionaries share their storage, and the comparison is cheap.
      if state.graph.accounts != before { state.recordChanges(since: before) }
      let revoked = state.graph.accountsToRevoke
      state.graph.accountsToRevoke = []
      for id in revoked { if let account = state.graph.account(id) { state.revoke(account, at: now) } }
    }
  }
}

extension PlatformState {
  /// Records added, changed, and deleted accounts.
  fileprivate mutating func recordChanges(since before: OrderedDictionary<String, GraphState.Account>) {
    for (id, account) in graph.accounts where before[id] != account {
      changedAccounts.append(id)
      if before[id] == nil {
        addedAccounts.append(id)
        deletedAccounts.remove(id)
      }
    }
    for id in before.keys where graph.accounts[id] == nil {
      changedAccounts.remove(id)
      addedAccounts.remove(id)
      deletedAccounts.append(id)
      endSessions(of: id)
    }
  }
}
