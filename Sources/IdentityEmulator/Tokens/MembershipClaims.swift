import Directory
import Documents
import GraphEmulator
import OrderedCollections

/// The claims for the groups and directory roles of a user. The app's `groupMembershipClaims` determines which claims a
/// token contains.
struct MembershipClaims: Sendable {
  /// The maximum number of groups in a token. If the user has more groups, the token contains a link to Graph instead.
  static let limit = 200
  /// The maximum number of groups in a token from the authorize endpoint, because the token must fit in a URL.
  static let implicitLimit = 6

  /// The role template IDs for administrators and for all users.
  private static let administrator = "62e90394-69f5-4237-9190-012177145e10"
  private static let member = "b79fbf4d-3ef9-4689-8143-76b194e85509"

  let kind: RegisteredApp.GroupMembershipClaims
  let user: User
  /// The user's object ID in the token's tenant.
  let objectID: String
  let tenant: Tenant?

  func add(to claims: inout OrderedDictionary<String, JSON>, isImplicit: Bool = false) {
    if kind == .directoryRole || kind == .all { claims["wids"] = Self.roles(of: user) }
    guard kind == .securityGroup || kind == .applicationGroup || kind == .all, let tenant else { return }
    let names = Set(user.memberOf.map { $0.lowercased() })
    let groups = tenant.groups.filter { names.contains($0.name.lowercased()) || names.contains($0.id.lowercased()) }
    if groups.isEmpty { return }
    if isImplicit, groups.count > Self.implicitLimit {
      claims["hasgroups"] = true
    } else if groups.count > Self.limit {
      let endpoint = "https://graph.windows.net/\(tenant.id)/users/\(objectID)/getMemberObjects"
      claims["_claim_names"] = ["groups": "src1"]
      claims["_claim_sources"] = ["src1": ["endpoint": .string(endpoint)]]
    } else {
      claims["groups"] = .array(groups.map { .string($0.id) })
    }
  }

  /// Returns the user's role template IDs for the `wids` claim.
  static func roles(of user: User) -> JSON {
    .array((user.isAdmin ? [administrator, member] : [member]).map { .string($0) })
  }
}
