extension ShippedCoverageTests {
  private static let homeTenantOnly = "its authority does not contain a tenant, so guests sign in to their home tenant"
  private static let notB2C = "its authority is not a B2C tenant"
  private static let withoutAPICalls = "it does not call an API"
  private static let singlePermission = "it requests a single permission"

  private static let calls: [CommonCase] = [
    .claimsChallenge, .graphForbidden, .graphNotFound, .graphThrottledWithRetryAfter, .graphThrottledWithoutRetryAfter,
    .graphRecovers,
  ]

  /// The cases that do not apply to a workflow, with the reasons.
  static let inapplicable: [String: [CommonCase: String]] = {
    var table: [String: [CommonCase: String]] = [:]
    func except(_ cases: [CommonCase], _ reason: String, in files: [String]) {
      for file in files { for commonCase in cases { table[file, default: [:]][commonCase] = reason } }
    }
    let files = withoutConformance.map(\.file)
    except([.customer], notB2C, in: files.filter { $0 != "b2c.yaml" })
    except([.guest], homeTenantOnly, in: files.filter { $0 != "b2b-guest.yaml" && $0 != "me.yaml" })
    except(
      calls, withoutAPICalls,
      in: [
        "adal-migration.yaml", "outage.yaml", "shared-device.yaml", "sign-out.plist", "throttled.yaml",
        "errors/interaction-required.yaml",
      ])
    except(
      [.consentPartlyDeclined], singlePermission,
      in: [
        "b2b-guest.yaml", "claims-challenge.yaml", "family.yaml", "national-cloud.yaml", "outage.yaml",
        "shared-device.yaml",
      ])
    except(
      [.consentDeclined, .consentPartlyDeclined, .adminConsentRequired],
      "B2C grants the permissions for all customers", in: ["b2c.yaml"])
    except([.personalAccount], "its users have accounts only in the B2C tenant", in: ["b2c.yaml"])
    except([.consentDeclined], "its scenarios cover partial consent", in: ["declined-scopes.yaml"])
    except([.consentPartlyDeclined], "users can grant `.default` only as a whole", in: ["default-scope.yaml"])
    except(
      [.accessTokenExpired, .refreshTokenUnused, .refreshTokenMaximumAge, .passwordChanged, .sessionsRevoked],
      "the token endpoint is unavailable for every refresh", in: ["outage.yaml"])
    return table
  }()
}
