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

/// Where MSAL's web view is led to when the device, and not the person, is at issue.
@Suite("Redirects for the device")
struct DeviceRedirectTests {
  @Test(
    "Each address and what it means",
    arguments: [
      ("msauth://wpj?username=megan%40contoso.com", "workplaceJoinRequired"),
      ("https://login.microsoftonline.com/msauth/wpj?username=megan%40contoso.com", "workplaceJoinRequired"),
      ("https://login.microsoftonline.com/x/MSAuth/WPJ?username=megan%40contoso.com", "workplaceJoinRequired"),
      ("msauth://wpj?username=megan%40contoso.com&app_link=https%3A%2F%2Fapps.example", "brokerNotAvailable"),
      ("msauth://UPGRADEREG", "insufficientDeviceStrength"), ("browser://go.example/page", "userCanceled"),
      ("msauth://in_app_enrollment_complete?status=success", "mdmEnrollmentCompletedNeedsRetry"),
      ("msauth://in_app_enrollment_complete?status=check_in_timed_out", "mdmEnrollmentCompletedNeedsRetry"),
      ("msauth://in_app_enrollment_complete?status=failed", "authorizationFailed"),
      ("msauth://in_app_enrollment_complete", "authorizationFailed"),
    ])
  func meaning(url: String, outcome: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = .redirected(url: url) }
    let error = try #require(await stage.signInFailure())
    #expect(error.outcomeName == outcome)
    if url.contains("wpj") || url.contains("WPJ") {
      #expect(error.userInfo["MSALDisplayableUserIdKey"] == "megan@contoso.com")
    }
    #expect(stage.events.decisions.last == "redirect for the device")
    #expect(stage.platform.count("token") == 0)
  }

  @Test("The account is told where the address names it")
  func account() async throws {
    let stage = try Stage()
    let info = ClientInfo(uid: "U", utid: "T").encoded
    stage.platform.state.withLock { $0.ending = .redirected(url: "msauth://wpj?client_info=\(info)") }
    let error = await stage.signInFailure()
    #expect(error?.userInfo["MSALHomeAccountIdKey"] == "u.t")
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
