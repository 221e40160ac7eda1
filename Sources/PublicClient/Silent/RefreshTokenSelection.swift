import OrderedCollections
import RunTrace
import TokenCache

/// Which refresh token is redeemed: the app's own first, then its family's.
struct RefreshTokenSelection: Sendable {
  let parts: RequestDependencies
  let account: Account
  let cloud: CloudRecord

  struct Candidate: Sendable {
    var key: String
    var record: RefreshTokenRecord
    var isFamilys: Bool
  }

  func first() throws(MSALError) -> Candidate? {
    let found = try parts.contents().refreshToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID)
    guard let found else { return try family() }
    tellRead(found.key)
    parts.trace.recordDecision("refreshToken", "own", reason: "the app has a refresh token of its own")
    return Candidate(key: found.key, record: found.record, isFamilys: false)
  }

  func family() throws(MSALError) -> Candidate? {
    let contents = try parts.contents()
    guard let family = contents.familyIDToTry(clientID: parts.configuration.clientID, environments: cloud.aliases)
    else {
      parts.trace.recordDecision("refreshToken", "no family", reason: "the app is known to belong to no family of apps")
      return nil
    }
    guard
      let shared = contents.familyRefreshToken(
        homeAccountID: account.identifier, environments: cloud.aliases, familyID: family)
    else { return nil }
    tellRead(shared.key)
    parts.trace.recordDecision("refreshToken", "family \(family)", reason: "an app of the same family left one")
    return Candidate(key: shared.key, record: shared.record, isFamilys: true)
  }

  private func tellRead(_ key: String) {
    parts.trace.record(.cacheRead, ["section": "RefreshToken", "key": TraceValue(key), "found": true])
  }
}
