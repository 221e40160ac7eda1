import Directory
import Documents
import GraphEmulator
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let users = ControlRequest(
    method: .get, path: "users", summary: "list users and their tenants"
  ) { call in call.users }

  static let addUsers = ControlRequest(
    method: .post, path: "users",
    summary: "add users in the directory format; `tenant` selects the tenant (default: the first)",
    requiresBody: true
  ) { call throws(ControlError) in
    var homes: [String] = []
    let list = try call.list().map { json throws(ControlError) -> JSON in
      guard var members = json.object else { throw ControlError("user must be a JSON object with a `username`") }
      homes.append(try call.tenantID(named: members.removeValue(forKey: "tenant")?.string))
      return .object(members)
    }
    let users = try call.records(list, User.fields, empty: User())
    let duplicate = call.platform.withState { state -> String? in
      var names: Set<String> = []
      for user in users where !names.insert(user.username.lowercased()).inserted { return user.username }
      if let duplicate = users.first(where: { state.account(named: $0.username) != nil }) { return duplicate.username }
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
    if let duplicate { throw ControlError("username `\(duplicate)` already exists; no users were added") }
    return call.users
  }

  static let removeUser = ControlRequest(
    method: .delete, path: "users/{username}", summary: "delete a user"
  ) { call throws(ControlError) in
    try call.simulate([["userDeleted": .string(call.values[0])]])
    return call.users
  }
}

extension ControlCall {
  /// Returns the ID of the tenant with this name, domain, or ID. Returns the ID of the first tenant if `name` is nil.
  func tenantID(named name: String?) throws(ControlError) -> String {
    let tenant = platform.withState { state in
      name.map { state.tenant(named: $0) ?? state.tenant(withName: $0) } ?? state.graph.tenants.values.first
    }
    guard let tenant else {
      let names = platform.withState { $0.graph.tenants.values.map(\.name) }
      throw ControlError(
        "unknown tenant `\((name ?? "").prefix(100))`; available tenants: \(names.joined(separator: ", "))")
    }
    return tenant.id
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
