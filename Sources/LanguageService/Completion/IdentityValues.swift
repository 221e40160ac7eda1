import IdentityPlatform

/// Names from the Microsoft identity platform.
enum IdentityValues {
  static let loginHosts: [String] = Cloud.allCases.filter { $0 != .usDoD && $0 != .preProduction }.map(
    \.preferredNetwork)

  static let authorities: [Candidate] = {
    let segments = [
      ("common", "work, school, and personal accounts"), ("organizations", "work and school accounts"),
      ("consumers", "personal accounts"),
    ]
    var candidates: [Candidate] = []
    for cloud in Cloud.allCases where cloud != .usDoD && cloud != .preProduction {
      for (segment, summary) in segments {
        guard segment == "organizations" || cloud.hasPersonalAccounts else { continue }
        let detail = cloud == .public ? summary : "\(summary), cloud \(cloud.rawValue)"
        candidates.append(
          .value(
            "https://\(cloud.preferredNetwork)/\(segment)", .constant, detail: detail,
            rank: cloud == .public ? 10 : 20))
      }
    }
    return candidates
  }()

  static let tenants: [Candidate] = [
    .value("common", .constant, detail: "work, school, and personal accounts", rank: 10),
    .value("organizations", .constant, detail: "work and school accounts", rank: 10),
    .value("consumers", .constant, detail: "personal accounts", rank: 10),
    .value(WellKnown.personalTenantID, .constant, detail: "tenant for personal accounts", rank: 30),
  ]

  static let clients: [Candidate] = FirstPartyClient.all.map {
    .value($0.appID, .constant, detail: $0.name, rank: 30)
  }

  static let resources: [Candidate] =
    [.value(WellKnown.graphAppID, .constant, detail: "Microsoft Graph", rank: 10)]
    + FirstPartyAPI.all.map { .value($0.appID, .constant, detail: $0.name, rank: 20) }

  static let permissionIDs: [Candidate] = GraphPermission.all.flatMap { permission -> [Candidate] in
    var candidates: [Candidate] = [
      .value(permission.id, .scope, detail: "\(permission.name) (Scope)", rank: 10)
    ]
    if let role = permission.applicationRoleID {
      candidates.append(.value(role, .scope, detail: "\(permission.name) (Role)", rank: 20))
    }
    return candidates
  }

  static let graphScopes: [Candidate] = GraphPermission.publishedNames.map { name in
    let known = GraphPermission.named(name)
    let needsAdmin = GraphPermission.published(name)?.needsAdmin ?? false
    return .value(
      name, .scope, detail: needsAdmin ? "requires an administrator" : "users can consent", rank: known == nil ? 30 : 20
    )
  }

  static let otherScopes: [Candidate] =
    WellKnown.openIDScopes.map { .value($0, .scope, detail: "OpenID Connect", rank: 25) }
    + [
      .value(
        "https://graph.microsoft.com/.default", .scope, detail: "all permissions in the app registration", rank: 25)
    ]
    + FirstPartyAPI.all.flatMap { api in
      (api.uris.first { !$0.contains("*") }).map { uri in
        api.scopes.map { Candidate.value("\(uri)/\($0)", .scope, detail: api.name, rank: 40) }
      } ?? []
    }

  static let errorCodes: [Candidate] = AADSTS.all.map { .value($0.code, .constant, detail: $0.meaning) }

  static let msalNames: [Candidate] =
    MSALErrorCode.allCases.map {
      .value($0.symbol, .constant, detail: "\($0.rawValue)", documentation: Markdown.sentence($0.meaning))
    }
    + MSALInternalErrorCode.allCases.map {
      .value($0.symbol, .constant, detail: "\($0.rawValue)", documentation: Markdown.sentence($0.meaning), rank: 60)
    }

  static let oauthErrors: [Candidate] = OAuthErrorDescription.all.map {
    .value($0.name, .constant, detail: $0.meaning)
  }

  static let suberrors: [Candidate] = Suberror.allCases.map { .value($0.rawValue, .constant, detail: $0.meaning) }
}
