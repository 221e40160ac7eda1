import IdentityPlatform
import TokenCache

/// What a refusal says about the token, the family, or the account itself, done to the cache.
struct RefreshErrorCleanup: Sendable {
  let parts: RequestDependencies
  let account: Account
  let cloud: CloudRecord

  func clean(up candidate: RefreshTokenSelection.Candidate, after error: MSALError) {
    let suberror = error.suberror.flatMap { Suberror(rawValue: $0.lowercased()) }
    let client = parts.configuration.clientID
    if candidate.isFamilys, suberror == .clientMismatch {
      parts.tidyCache(reason: "the app does not belong to the family") {
        $0.leaveFamily(clientID: client, environments: cloud.aliases)
      }
    }
    guard error.oauthError?.lowercased() == "invalid_grant" else { return }
    if suberror == .badToken {
      parts.tidyCache(reason: "the server calls the refresh token bad") {
        $0.removeRefreshToken(candidate.key, ifSecretIs: candidate.record.secret)
      }
    } else if suberror == .userAccountDeleted {
      parts.tidyCache(reason: "the account was deleted at the server") {
        $0.removeCredentials(ofAccount: account.identifier, clientID: client)
        $0.removeAccountMetadata(account.identifier)
      }
    }
  }
}
