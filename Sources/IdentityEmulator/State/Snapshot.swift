import Directory
import Documents
import Effects
import GraphEmulator
import OrderedCollections

// The JSON format of the snapshot, version 1. A snapshot contains all state that is not in tokens or cookies. Invalid
// parts are ignored, so that the emulator can restore a snapshot from another version.

extension PlatformState {
  var snapshot: JSON {
    var members: OrderedDictionary<String, JSON> = ["version": 1]
    members["consents"] = .object(
      consents.byGrantor.mapValues { clients in
        .object(
          clients.mapValues { resources in
            .object(resources.mapValues { names in .array(names.map { .string($0) }) })
          })
      })
    members["usedCodes"] = usedCodes.json
    members["sessions"] = .object(
      sessions.mapValues { session in
        [
          "started": .integer(session.startedAt.secondsSince1970), "persistent": .bool(session.isPersistent),
          "entries": .array(
            session.entries.map { entry in
              var json: JSON = [
                "account": .string(entry.accountID), "at": .integer(entry.authenticatedAt.secondsSince1970),
                "sid": .string(entry.sessionID),
              ]
              if let factorAt = entry.factorAt { json["factor"] = .integer(factorAt.secondsSince1970) }
              return json
            }),
        ]
      })
    members["history"] = .object(
      grants.mapValues { history in
        var json: JSON = [
          "generation": .integer(Int64(history.generation)), "revoked": .integer(Int64(history.revokedBelow)),
          "refresh": .integer(Int64(history.refreshExpiredBelow)),
          "access": .integer(Int64(history.accessExpiredBelow)),
          "passwords": .array(history.passwordChangedFor.map { .string($0) }),
        ]
        if let validFrom = history.validFrom { json["validFrom"] = .integer(validFrom.secondsSince1970) }
        return json
      })
    members["users"] = .object(
      OrderedDictionary(
        uniqueKeysWithValues: changedAccounts.compactMap { id -> (String, JSON)? in
          guard let account = graph.accounts[id] else { return nil }
          return (id, ["tenant": .string(account.homeTenantID), "user": account.user.json])
        }))
    members["deleted"] = .array(deletedAccounts.map { .string($0) })
    members["apps"] = .array(
      appsOnTheFly.sorted().compactMap { apps[$0] }.map { app in
        [
          "appId": .string(app.appId), "publicClient": .array(app.publicRedirectUris.map { .string($0) }),
          "spa": .array(app.spaRedirectUris.map { .string($0) }),
        ]
      })
    members["tenants"] = .array(
      graph.tenantsOnTheFly.compactMap { graph.tenants[$0] }.map { tenant in
        [
          "id": .string(tenant.id), "name": .string(tenant.name), "domains": .array(tenant.domains.map { .string($0) }),
          "kind": .string(tenant.effectiveKind.rawValue),
        ]
      })
    members["collections"] = .object(graph.collections.mapValues { .array($0) })
    members["epoch"] = .integer(graph.epoch.secondsSince1970)
    members["rotations"] = .integer(Int64(rotations))
    members["clockShift"] = .integer(clockShift.nanoseconds)
    if savesRegistrations { members.merge(registrations) { $1 } }
    return .object(members)
  }

  /// Restores a snapshot. The snapshot overrides the directory.
  /// - Parameter merging: Whether to merge the snapshot of a concurrent process with the current state. A merge retains
  ///   the consents and sessions of both processes and applies the latest revocation.
  mutating func restore(_ json: JSON, merging: Bool = false) {
    guard json["version"]?.integer == 1 else { return }
    restoreDirectory(json)
    restoreRegistrations(json)
    for (grantor, clients) in json["consents"]?.object ?? [:] {
      for (client, resources) in clients.object ?? [:] {
        for (resource, names) in resources.object ?? [:] {
          consents.restore(grantor, client, resource, Self.texts(names), merging: merging)
        }
      }
    }
    usedCodes.restore(json["usedCodes"])
    restoreSessions(json, merging: merging)
    restoreUsers(json)
    graph.restoreCollections((json["collections"]?.object ?? [:]).mapValues { $0.array ?? [] })
    if let epoch = Self.instant(json["epoch"]) { graph.epoch = epoch }
    rotations = json["rotations"]?.integer.map { max(0, Int(clamping: $0)) } ?? 0
    clockShift = .nanoseconds(json["clockShift"]?.integer ?? 0)
  }

  private static func instant(_ json: JSON?) -> Instant? { json?.integer.map { Instant(secondsSince1970: $0) } }

  private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  /// Restores tenants and apps that were registered on the fly.
  private mutating func restoreDirectory(_ json: JSON) {
    for entry in json["tenants"]?.array ?? [] {
      guard let id = entry["id"]?.string, graph.tenants[id] == nil else { continue }
      var tenant = Tenant()
      tenant.id = id
      tenant.name = entry["name"]?.string ?? id
      tenant.domains = Self.texts(entry["domains"])
      tenant.kind = entry["kind"]?.string.flatMap(Tenant.Kind.init(rawValue:))
      graph.tenants[id] = tenant
      graph.tenantsOnTheFly.append(id)
    }
    for entry in json["apps"]?.array ?? [] {
      guard let id = entry["appId"]?.string, apps[id.lowercased()] == nil else { continue }
      var app = RegisteredApp(appId: id, publicRedirectUris: Self.texts(entry["publicClient"]))
      app.spaRedirectUris = Self.texts(entry["spa"])
      apps[id.lowercased()] = app
      appsOnTheFly.insert(id.lowercased())
    }
  }

  /// Restores browser sessions and the revocation history.
  private mutating func restoreSessions(_ json: JSON, merging: Bool) {
    for (id, session) in json["sessions"]?.object ?? [:] {
      guard let started = Self.instant(session["started"]) else { continue }
      let entries = (session["entries"]?.array ?? []).compactMap { entry -> BrowserSession.Entry? in
        guard let account = entry["account"]?.string, let at = Self.instant(entry["at"]), let sid = entry["sid"]?.string
        else { return nil }
        return BrowserSession.Entry(
          accountID: account, authenticatedAt: at, factorAt: Self.instant(entry["factor"]), sessionID: sid)
      }
      let others = (merging ? sessions[id]?.entries : nil) ?? []
      sessions[id] = BrowserSession(
        entries: entries + others.filter { other in !entries.contains { $0.accountID == other.accountID } },
        startedAt: started, isPersistent: session["persistent"]?.bool ?? true)
    }
    for (id, entry) in json["history"]?.object ?? [:] {
      func number(_ key: String) -> Int { entry[key]?.integer.map { Int(clamping: $0) } ?? 0 }
      let history = GrantHistory(
        generation: number("generation"), revokedBelow: number("revoked"), validFrom: Self.instant(entry["validFrom"]),
        refreshExpiredBelow: number("refresh"), accessExpiredBelow: number("access"),
        passwordChangedFor: Self.texts(entry["passwords"]))
      if merging, let other = grants[id], other.generation > history.generation { continue }
      grants[id] = history
    }
  }

  private mutating func restoreUsers(_ json: JSON) {
    for (id, entry) in json["users"]?.object ?? [:] {
      guard let user = entry["user"].flatMap({ User($0) }) else { continue }
      let tenant = graph.accounts[id]?.homeTenantID ?? entry["tenant"]?.string
      guard let tenant, graph.tenants[tenant] != nil else { continue }
      graph.accounts[id] = GraphState.Account(user: user, homeTenantID: tenant)
      changedAccounts.append(id)
    }
    for id in Self.texts(json["deleted"]) {
      graph.accounts[id] = nil
      deletedAccounts.append(id)
    }
  }
}
