import Directory
import Documents
import GraphEmulator
import OrderedCollections

// The part of the snapshot that only an emulator server saves: registrations, APIs, and policies that were added at run
// time. In a workflow run, they are not saved, because they belong to the scenario that added them.

extension PlatformState {
  /// The registrations, APIs, policies, and other objects that differ from the directory.
  var registrations: OrderedDictionary<String, JSON> {
    var members: OrderedDictionary<String, JSON> = [:]
    let apps = apps.values.map(undisabled).filter { app in
      !appsOnTheFly.contains(app.appId.lowercased()) && directoryApps[app.appId.lowercased()] != app
    }
    if !apps.isEmpty { members["registrations"] = .array(apps.map(\.json)) }
    let apis = resources.filter { !directoryResources.contains($0) }
    if !apis.isEmpty { members["resources"] = .array(apis.map(\.json)) }
    let policies = graph.tenants.filter { $0.value.policies != directoryPolicies[$0.key] ?? [] }
    if !policies.isEmpty {
      members["policies"] = .object(policies.mapValues { .array($0.policies.map(\.json)) })
    }
    // User flows are only added and never removed, so the snapshot contains only added user flows.
    let flows = graph.tenants.mapValues { tenant in
      let declared = directoryUserFlows[tenant.id] ?? []
      return tenant.effectiveKind == .b2c ? tenant.userFlows.filter { !declared.contains($0) } : []
    }.filter { !$0.value.isEmpty }
    if !flows.isEmpty { members["userFlows"] = .object(flows.mapValues { .array($0.map { .string($0) }) }) }
    if !disabledApps.isEmpty { members["disabledApps"] = .array(disabledApps.sorted().map { .string($0) }) }
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
      let flows = (list.array ?? []).compactMap(\.string)
      for flow in flows where graph.tenants[id]?.userFlows.contains(flow) == false {
        graph.tenants[id]?.userFlows.append(flow)
      }
    }
    for id in json["disabledApps"]?.array ?? [] {
      if let id = id.string { disable(id) }
    }
    for (code, entry) in json["devices"]?.object ?? [:] {
      if let device = DeviceSignIn(entry) { devices[code] = device }
    }
    for (id, entry) in json["lockouts"]?.object ?? [:] { lockouts[id] = PasswordLockout(entry) }
  }
}
