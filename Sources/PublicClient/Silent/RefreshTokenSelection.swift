import OrderedCollections
import RunTrace
import TokenCache

/// The selection of the app's refresh token or, if the app has none, of the family refresh token.
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
    let appToken = try parts.contents().refreshToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID)
    guard let appToken else { return try family() }
    recordRead(appToken.key)
    parts.trace.recordDecision("refreshToken", "own", reason: "the app has a refresh token")
    return Candidate(key: appToken.key, record: appToken.record, isFamilyToken: false)
  }

  func family() throws(MSALError) -> Candidate? {
    let contents = try parts.contents()
    guard let family = contents.familyIDToTry(clientID: parts.configuration.clientID, environments: cloud.aliases)
    else {
      parts.trace.recordDecision("refreshToken", "no family", reason: "the app does not belong to a family of apps")
      return nil
    }
    guard
      let familyToken = contents.familyRefreshToken(
        homeAccountID: account.identifier, environments: cloud.aliases, familyID: family)
    else { return nil }
    recordRead(familyToken.key)
    parts.trace.recordDecision(
      "refreshToken", "family \(family)", reason: "another app in the family has a refresh token")
    return Candidate(key: familyToken.key, record: familyToken.record, isFamilyToken: true)
  }

  private func recordRead(_ key: String) {
    parts.trace.record(.cacheRead, ["section": "RefreshToken", "key": TraceValue(key), "found": true])
  }
}
