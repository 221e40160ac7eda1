import Directory
import Documents
import GraphEmulator
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let users = ControlRequest(
    method: .get, path: "users", words: "who has an account, and in which tenant"
  ) { call in call.users }

  static let addUsers = ControlRequest(
    method: .post, path: "users",
    words: "adds users, as in a directory's users; tenant says where (default: the first)",
    takesBody: true
  ) { call throws(ControlError) in
    var homes: [String] = []
    let list = try call.list().map { json throws(ControlError) -> JSON in
      guard var members = json.object else { throw ControlError("a user is a JSON object with a username") }
      homes.append(try call.tenantID(named: members.removeValue(forKey: "tenant")?.string))
      return .object(members)
    }
    let users = try call.records(list, User.fields, empty: User())
    let taken = call.platform.withState { state -> String? in
      var names: Set<String> = []
      for user in users where !names.insert(user.username.lowercased()).inserted { return user.username }
      if let taken = users.first(where: { state.account(named: $0.username) != nil }) { return taken.username }
      for (user, home) in zip(users, homes) {
        var user = user
        if user.id.isEmpty { user.id = DerivedID.uuid(of: "user", home, user.username) }
        let key = user.id.lowercased()
        state.graph.accounts[key] = GraphState.Account(user: user, homeTenantID: home)
        state.deletedAccounts.remove(key)
        state.addedAccounts.append(key)
        state.changedAccounts.append(key)
      }
      return nil
    }
    if let taken { throw ControlError("the username \(taken) is taken; nobody was added") }
    return call.users
  }

  static let removeUser = ControlRequest(
    method: .delete, path: "users/{username}", words: "deletes an account"
  ) { call throws(ControlError) in
    try call.simulate([["userDeleted": .string(call.values[0])]])
    return call.users
  }
}

extension ControlCall {
  func tenantID(named name: String?) throws(ControlError) -> String {
    let found = platform.withState { state in
      name.map { state.tenant(named: $0) ?? state.tenant(called: $0) } ?? state.graph.tenants.values.first
    }
    guard let found else {
      let names = platform.withState { $0.graph.tenants.values.map(\.name) }
      throw ControlError(
        "there is no tenant \"\((name ?? "").prefix(100))\"; there are \(names.joined(separator: ", "))")
    }
    return found.id
  }

  fileprivate var users: JSON {
    platform.withState { state in
      [
        "version": 1,
        "users": .array(
          state.graph.accounts.values.map { account in
            let user = account.user
            var json: JSON = [
              "username": .string(user.username), "id": .string(user.id), "displayName": .string(user.shownName),
              "tenant": .string(state.graph.tenants[account.homeTenantID]?.name ?? account.homeTenantID),
              "tenantId": .string(account.homeTenantID), "admin": .bool(user.isAdmin),
              "disabled": .bool(user.isDisabled), "passwordExpired": .bool(user.passwordExpired ?? false),
            ]
            switch user.mfa {
            case .push: json["mfa"] = "push"
            case .totp: json["mfa"] = "totp"
            case nil: json["mfa"] = .null
            }
            return json
          }),
      ]
    }
  }
}
