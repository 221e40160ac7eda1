import OrderedCollections
import RunTrace
import TokenCache

/// Selects a refresh token: the app's, or else the family refresh token.
struct RefreshTokenSelection: Sendable {
  let parts: RequestDependencies
  let account: Account
  let cloud: CloudRecord

  struct Candidate: Sendable {
    var key: String
    var record: RefreshTokenRecord
    var isFamilyToken: Bool
  }

  func first() throws(MSALError) -> Candidate? {
    let found = try parts.contents().refreshToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID)
    guard let found else { return try family() }
    recordRead(found.key)
    parts.trace.recordDecision("refreshToken", "own", reason: "the app has a refresh token")
    return Candidate(key: found.key, record: found.record, isFamilyToken: false)
  }

  func family() throws(MSALError) -> Candidate? {
    let contents = try parts.contents()
    guard let family = contents.familyIDToTry(clientID: parts.configuration.clientID, environments: cloud.aliases)
    else {
      parts.trace.recordDecision("refreshToken", "no family", reason: "the app does not belong to a family of apps")
      return nil
    }
    guard
      let shared = contents.familyRefreshToken(
        homeAccountID: account.identifier, environments: cloud.aliases, familyID: family)
    else { return nil }
    recordRead(shared.key)
    parts.trace.recordDecision(
      "refreshToken", "family \(family)", reason: "another app of the family has a refresh token")
    return Candidate(key: shared.key, record: shared.record, isFamilyToken: true)
  }

  private func recordRead(_ key: String) {
    parts.trace.record(.cacheRead, ["section": "RefreshToken", "key": TraceValue(key), "found": true])
  }
}
