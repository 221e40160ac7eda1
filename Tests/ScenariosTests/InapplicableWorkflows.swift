extension ShippedLessonsTests {
  private static let atHome = "its authority names no tenant, so whoever is a guest elsewhere signs in at home"
  private static let noCustomers = "its authority is no B2C tenant's"
  private static let noCall = "it calls no API"
  private static let onePermission = "it asks for one permission, which is granted or not"

  private static let calls: [Lesson] = [
    .claimsChallenge, .graphForbids, .graphFindsNothing, .graphBusyAndSaysHowLong, .graphBusy, .graphRecovers,
  ]

  /// The situations that a workflow cannot meet, each with the reason.
  static let cannotApply: [String: [Lesson: String]] = {
    var table: [String: [Lesson: String]] = [:]
    func except(_ lessons: [Lesson], _ reason: String, in files: [String]) {
      for file in files { for lesson in lessons { table[file, default: [:]][lesson] = reason } }
    }
    let files = lessons.map(\.file)
    except([.customer], noCustomers, in: files.filter { $0 != "b2c.yaml" })
    except([.guest], atHome, in: files.filter { $0 != "b2b-guest.yaml" && $0 != "me.yaml" })
    except(
      calls, noCall,
      in: [
        "adal-migration.yaml", "outage.yaml", "shared-device.yaml", "sign-out.plist", "throttled.yaml",
        "errors/interaction-required.yaml",
      ])
    except(
      [.consentDeclinedInPart], onePermission,
      in: [
        "b2b-guest.yaml", "claims-challenge.yaml", "family.yaml", "national-cloud.yaml", "outage.yaml",
        "shared-device.yaml",
      ])
    except(
      [.consentDeclined, .consentDeclinedInPart, .adminConsentRequired],
      "customers consent to nothing: whoever owns the app has done that for them", in: ["b2c.yaml"])
    except([.personalAccount], "its customers have accounts of its own tenant alone", in: ["b2c.yaml"])
    except([.consentDeclined], "its user grants a part, which is what it is about", in: ["declined-scopes.yaml"])
    except([.consentDeclinedInPart], "`.default` is granted as one", in: ["default-scope.yaml"])
    except(
      [.accessTokenExpired, .refreshTokenUnused, .refreshTokenAtItsEnd, .passwordChanged, .sessionsRevoked],
      "the token endpoint is down whenever a refresh token is redeemed", in: ["outage.yaml"])
    return table
  }()
}
