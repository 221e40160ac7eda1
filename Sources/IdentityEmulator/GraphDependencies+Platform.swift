import Effects
import GraphEmulator
import OrderedCollections

extension GraphDependencies {
  /// Graph over the state of a platform.
  package init(platform: Platform) {
    self.init(
      randomness: platform.randomness, notificationTransport: platform.options.notificationTransport,
      now: { platform.now }, records: { id in platform.withState { $0.records(of: id) } },
      read: { body in platform.withState { body($0.graph) } }, write: platform.changeGraph)
  }
}

extension Platform {
  /// Changes Graph's part of the state, and what follows from it in the platform's own.
  fileprivate func changeGraph(_ body: (inout GraphState) -> Void) {
    let now = now
    withState { state in
      let before = state.graph.accounts
      body(&state.graph)
      // What Graph changed about a user differs from the directory from now on, and belongs to the snapshot. Nearly always
      // nothing did, which is found out at once: the two are the same in memory then.
      if state.graph.accounts != before { state.noteChanges(since: before) }
      let revoked = state.graph.accountsToRevoke
      state.graph.accountsToRevoke = []
      for id in revoked { if let account = state.graph.account(id) { state.revoke(account, at: now) } }
    }
  }
}

extension PlatformState {
  /// Notes which accounts came, went and changed.
  fileprivate mutating func noteChanges(since before: OrderedDictionary<String, GraphState.Account>) {
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
