import Directory
import Documents
import OrderedCollections

// What a served platform keeps beside its small state: registrations, APIs and policies that were added while it ran.
// In a run they belong to the scenario that added them, and are kept nowhere.

extension PlatformState {
  /// What differs from the directory; empty where nothing does.
  var registrations: OrderedDictionary<String, JSON> {
    var members: OrderedDictionary<String, JSON> = [:]
    let apps = apps.values.filter { app in
      !appsOnTheFly.contains(app.appId.lowercased()) && directoryApps[app.appId.lowercased()] != app
    }
    if !apps.isEmpty { members["registrations"] = .array(apps.map(\.json)) }
    let apis = resources.filter { !directoryResources.contains($0) }
    if !apis.isEmpty { members["resources"] = .array(apis.map(\.json)) }
    let policies = graph.tenants.filter { $0.value.policies != directoryPolicies[$0.key] ?? [] }
    if !policies.isEmpty {
      members["policies"] = .object(policies.mapValues { .array($0.policies.map(\.json)) })
    }
    let lengthy = graph.tenants.filter { !$0.value.userFlows.isEmpty && $0.value.effectiveKind == .b2c }
    if !lengthy.isEmpty {
      members["userFlows"] = .object(lengthy.mapValues { .array($0.userFlows.map { .string($0) }) })
    }
    if !devices.isEmpty { members["devices"] = .object(devices.mapValues(\.json)) }
    if !lockouts.isEmpty { members["lockouts"] = .object(lockouts.mapValues(\.json)) }
    return members
  }

  mutating func restoreRegistrations(_ json: JSON) {
    for entry in json["resources"]?.array ?? [] {
      guard let api = ResourceAPI(entry) else { continue }
      resources.removeAll { $0.appId.lowercased() == api.appId.lowercased() }
      resources.append(api)
    }
    for entry in json["registrations"]?.array ?? [] {
      guard let app = RegisteredApp(entry) else { continue }
      apps[app.appId.lowercased()] = app
      appsOnTheFly.remove(app.appId.lowercased())
      if defaultClient == nil { defaultClient = app.appId.lowercased() }
    }
    for (id, list) in json["policies"]?.object ?? [:] {
      graph.tenants[id]?.policies = (list.array ?? []).compactMap { AccessPolicy($0) }
    }
    for (id, list) in json["userFlows"]?.object ?? [:] {
      graph.tenants[id]?.userFlows = (list.array ?? []).compactMap(\.string)
    }
    for (code, entry) in json["devices"]?.object ?? [:] {
      if let device = DeviceSignIn(entry) { devices[code] = device }
    }
    for (id, entry) in json["lockouts"]?.object ?? [:] { lockouts[id] = Lockout(entry) }
  }
}
