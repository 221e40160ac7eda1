import IdentityPlatform
import TokenCache

/// The cache update after a refresh error that concerns the token, the family, or the account.
struct RefreshErrorCleanup: Sendable {
  let parts: RequestDependencies
  let account: Account
  let cloud: CloudRecord

  func clean(up candidate: RefreshTokenSelection.Candidate, after error: MSALError) {
    let suberror = error.suberror.flatMap { Suberror(rawValue: $0.lowercased()) }
    let client = parts.configuration.clientID
    if candidate.isFamilyToken, suberror == .clientMismatch {
      parts.tidyCache(reason: "the app does not belong to the family of apps") {
        $0.leaveFamily(clientID: client, environments: cloud.aliases)
      }
    }
    guard error.oauthError?.lowercased() == "invalid_grant" else { return }
    if suberror == .badToken {
      parts.tidyCache(reason: "the service returned the suberror `bad_token`") {
        $0.removeRefreshToken(candidate.key, ifSecretIs: candidate.record.secret)
      }
    } else if suberror == .userAccountDeleted {
      parts.tidyCache(reason: "the service returned the suberror `user_account_deleted`") {
        $0.removeCredentials(ofAccount: account.identifier, clientID: client)
        $0.removeAccountMetadata(account.identifier)
      }
    }
  }
}
