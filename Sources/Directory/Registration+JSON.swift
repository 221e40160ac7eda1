import Diagnostics
import Documents
import OrderedCollections

// Encodes registrations and policies in the directory file format, so that the emulator can save entries that it adds.
// The field definitions for directory files decode them again.

/// A builder that collects the members of a JSON object. Omits missing values.
private struct Members {
  var members: OrderedDictionary<String, JSON> = [:]

  mutating func add(_ key: String, _ text: String?) { if let text { members[key] = .string(text) } }
  mutating func add(_ key: String, _ flag: Bool?) { if let flag { members[key] = .bool(flag) } }
  mutating func add(_ key: String, _ texts: [String]) {
    if !texts.isEmpty { members[key] = .array(texts.map { .string($0) }) }
  }
  mutating func add(_ key: String, _ map: OrderedDictionary<String, [String]>) {
    if !map.isEmpty { members[key] = .object(map.mapValues { .array($0.map { .string($0) }) }) }
  }
  mutating func add(_ key: String, redirects uris: [String]) {
    if !uris.isEmpty { members[key] = ["redirectUris": .array(uris.map { .string($0) })] }
  }
}

extension RegisteredApp {
  package var json: JSON {
    var all = Members()
    all.add("appId", appId)
    all.add("name", name)
    all.add("audience", audience?.rawValue)
    all.add("tenant", tenant)
    all.add("publicClient", redirects: publicRedirectUris)
    all.add("spa", redirects: spaRedirectUris)
    all.add("web", redirects: webRedirectUris)
    all.add("logoutUrl", logoutUrl)
    all.add("secrets", secrets)
    all.add("expiredSecrets", expiredSecrets)
    all.add("certificates", certificates)
    all.add("allowPublicClient", allowPublicClient)
    all.add("permissions", permissions)
    all.add("roles", roles)
    all.add("family", family)
    all.add("disabled", disabled)
    if let assignedUsers { all.members["assignedUsers"] = .array(assignedUsers.map { .string($0) }) }
    all.add("implicitIdTokens", implicitIdTokens)
    all.add("implicitAccessTokens", implicitAccessTokens)
    all.add("optionalClaims", optionalClaims)
    all.add("accessTokenClaims", accessTokenClaims)
    all.add("groupMembershipClaims", groupMembershipClaims?.rawValue)
    all.add("userRoles", userRoles)
    return .object(all.members)
  }

  /// Decodes the result of `json`, or returns nil if it is not a registration. The emulator stores consent separately.
  package init?(_ json: JSON) {
    guard let app = Self.fields.value(json, empty: RegisteredApp()) else { return nil }
    self = app
  }
}

extension AccessPolicy.Selection {
  fileprivate var json: JSON {
    switch self {
    case .all: "all"
    case .listed(let names): .array(names.map { .string($0) })
    }
  }
}

extension AccessPolicy {
  package var json: JSON {
    var all = Members()
    all.add("name", name)
    all.add("id", id)
    all.members["for"] = ["users": users.json, "apps": apps.json]
    all.add("require", require?.rawValue)
    all.add("signInFrequency", signInFrequency?.shortText)
    all.add("challengeWith", challengeWith?.rawValue)
    return .object(all.members)
  }

  package init?(_ json: JSON) {
    guard let policy = Self.fields.value(json, empty: AccessPolicy()) else { return nil }
    self = policy
  }
}

extension ResourceAPI {
  package var json: JSON {
    var all = Members()
    all.add("name", name)
    all.add("appId", appId)
    all.add("uris", uris)
    all.members["scopes"] = .array(
      scopes.map { scope in
        var one = Members()
        one.add("name", scope.name)
        one.add("adminOnly", scope.adminOnly)
        return .object(one.members)
      })
    all.add("roles", roles)
    if let tokenVersion { all.members["tokenVersion"] = .integer(Int64(tokenVersion)) }
    all.add("continuousAccess", continuousAccess)
    if !answers.isEmpty { all.members["answers"] = .object(answers) }
    if let validAudiences { all.members["validAudiences"] = .array(validAudiences.map { .string($0) }) }
    if let validIssuers { all.members["validIssuers"] = .array(validIssuers.map { .string($0) }) }
    if let preauthorizedOnly { all.members["preauthorizedOnly"] = .array(preauthorizedOnly.map { .string($0) }) }
    return .object(all.members)
  }

  package init?(_ json: JSON) {
    guard let api = Self.fields.value(json, empty: ResourceAPI()) else { return nil }
    self = api
  }
}

extension Fields where Owner: Sendable {
  /// Decodes a record from JSON. Returns nil if the JSON is invalid.
  fileprivate func value(_ json: JSON, empty: Owner) -> Owner? {
    var value = empty
    var problems = DiagnosticCollector()
    guard read(Document.of(json, name: "record").root, into: &value, &problems), !problems.diagnostics.hasErrors else {
      return nil
    }
    return value
  }
}
