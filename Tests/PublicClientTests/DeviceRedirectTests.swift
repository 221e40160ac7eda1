import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

/// Where MSAL's web view is led to when the device, and not the user, is at issue.
@Suite("Redirects for the device")
struct DeviceRedirectTests {
  static let user = "username=megan%40contoso.com&client_info=\(ClientInfo(uid: "U", utid: "T").encoded)"

  @Test(
    "reports the user if the device must be registered or its registration upgraded",
    arguments: [
      ("msauth://wpj?", "workplaceJoinRequired"),
      ("https://login.microsoftonline.com/msauth/wpj?", "workplaceJoinRequired"),
      ("msauth.com.contoso.mail://auth/msauth/wpj?", "workplaceJoinRequired"),
      ("msauth://wpj?app_link=https%3A%2F%2Fapps.example&", "brokerNotAvailable"),
      ("msauth://UPGRADEREG?", "insufficientDeviceStrength"),
      ("msauth.com.contoso.mail://auth/msauth/upgradeReg?", "insufficientDeviceStrength"),
    ])
  func registrationNeeded(url: String, outcome: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = .redirected(url: url + Self.user) }
    let error = try #require(await stage.signInFailure())
    #expect(error.outcomeName == outcome)
    #expect(error.userInfo["MSALDisplayableUserIdKey"] == "megan@contoso.com")
    #expect(error.userInfo["MSALHomeAccountIdKey"] == "u.t")
    #expect(stage.events.decisions.last == "redirect for the device")
    #expect(stage.platform.count("token") == 0)
  }

  @Test(
    "fails with an internal error if the redirect names no user, or if the enrollment failed",
    arguments: [
      "msauth://wpj", "msauth://wpj?username=%20", "msauth://upgradeReg?client_info=x",
      "msauth://in_app_enrollment_complete?status=failed", "msauth://in_app_enrollment_complete",
    ])
  func unexpected(url: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = .redirected(url: url) }
    let error = try #require(await stage.signInFailure())
    #expect(error.internalCode == -42_008)
    #expect(stage.platform.with { $0.visits.count } == 1)
  }

  @Test("takes no other path for a request to register the device")
  func otherPath() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = .redirected(url: "https://contoso.com/x/MSAuth/WPJ?\(Self.user)") }
    #expect(await stage.signInFailure()?.outcomeName == "invalidState")
  }

  @Test("ends a sign-in that continues in the browser as canceled")
  func browser() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = .redirected(url: "browser://go.example/page") }
    #expect(await stage.signInFailure()?.outcomeName == "userCanceled")
  }

  @Test("opens the sign-in page again after a completed enrollment", arguments: ["success", "check_in_timed_out"])
  func enrolled(status: String) async throws {
    let stage = try Stage()
    let url = "msauth://in_app_enrollment_complete?status=\(status)"
    stage.platform.state.withLock { $0.endings = [.redirected(url: url)] }
    let result = try await stage.signIn()
    #expect(result.source == .authorizationCode)
    #expect(result.screens == ["username", "username", "password"])
    #expect(stage.events.decisions.contains("redirect enrolled"))
    stage.platform.state.withLock { $0.ending = .redirected(url: url) }
    #expect(await stage.signInFailure()?.outcomeName == "mdmEnrollmentCompletedNeedsRetry")
    #expect(stage.platform.with { $0.visits.count } == 4)
  }

  @Test("The server asks for the device's registration: the answer is that there is none, once")
  func registration() async throws {
    let stage = try Stage()
    let challenge: FakePlatform.Answer = { _, _ in
      .json(
        #"{"error":"invalid_client"}"#, status: .unauthorized,
        headers: [
          .wwwAuthenticate:
            #"PKeyAuth SubmitUrl="https://login.microsoftonline.com/x", CertAuthorities="OU=a,CN=b", Version="1.0", Context="co\"ntext""#
        ])
    }
    stage.answer(challenge)
    _ = try await stage.signIn()
    #expect(stage.platform.count("token") == 2)
    #expect(
      stage.platform.last("token")?.head.headerFields[.authorization]
        == #"PKeyAuth Context="co\"ntext", Version="1.0""#)
    stage.answer(challenge, challenge)
    #expect(await stage.signInFailure()?.outcomeName == "invalidClient")
    #expect(stage.platform.count("token") == 4)
    #expect(stage.events.decisions.contains("device not registered"))
  }
}
