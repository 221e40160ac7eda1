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

/// Redirects in MSAL's web view that require an action on the device, such as registration.
@Suite("Redirects with device actions")
struct DeviceRedirectTests {
  static let user = "username=megan%40contoso.com&client_info=\(ClientInfo(uid: "U", utid: "T").encoded)"

  @Test(
    "reports the username if the device registration is missing or must be upgraded",
    arguments: [
      ("msauth://wpj?", "workplaceJoinRequired"),
      ("https://login.microsoftonline.com/msauth/wpj?", "workplaceJoinRequired"),
      ("msauth.com.contoso.mail://auth/msauth/wpj?", "workplaceJoinRequired"),
      ("msauth://wpj?app_link=https%3A%2F%2Fapps.example&", "brokerNotAvailable"),
      ("msauth://UPGRADEREG?", "insufficientDeviceStrength"),
      ("msauth.com.contoso.mail://auth/msauth/upgradeReg?", "insufficientDeviceStrength"),
    ])
  func registrationRequired(url: String, outcome: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { $0.browserResult = .redirected(url: url + Self.user) }
    let error = try #require(await client.signInFailure())
    #expect(error.outcomeName == outcome)
    #expect(error.userInfo["MSALDisplayableUserIdKey"] == "megan@contoso.com")
    #expect(error.userInfo["MSALHomeAccountIdKey"] == "u.t")
    #expect(client.events.decisions.last == "redirect device action")
    #expect(client.server.count("token") == 0)
  }

  @Test(
    "fails with an internal error if the redirect does not contain a username, or if the enrollment failed",
    arguments: [
      "msauth://wpj", "msauth://wpj?username=%20", "msauth://upgradeReg?client_info=x",
      "msauth://in_app_enrollment_complete?status=failed", "msauth://in_app_enrollment_complete",
    ])
  func unexpected(url: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { $0.browserResult = .redirected(url: url) }
    let error = try #require(await client.signInFailure())
    #expect(error.internalCode == -42_008)
    #expect(client.server.with { $0.visits.count } == 1)
  }

  @Test("rejects a registration request with a different path")
  func otherPath() async throws {
    let client = try TestClient()
    client.server.state.withLock {
      $0.browserResult = .redirected(url: "https://contoso.com/x/MSAuth/WPJ?\(Self.user)")
    }
    #expect(await client.signInFailure()?.outcomeName == "invalidState")
  }

  @Test("cancels a sign-in that continues in the browser")
  func browser() async throws {
    let client = try TestClient()
    client.server.state.withLock { $0.browserResult = .redirected(url: "browser://go.example/page") }
    #expect(await client.signInFailure()?.outcomeName == "userCanceled")
  }

  @Test("opens the sign-in page again after a completed enrollment", arguments: ["success", "check_in_timed_out"])
  func enrolled(status: String) async throws {
    let client = try TestClient()
    let url = "msauth://in_app_enrollment_complete?status=\(status)"
    client.server.state.withLock { $0.queuedBrowserResults = [.redirected(url: url)] }
    let result = try await client.signIn()
    #expect(result.source == .authorizationCode)
    #expect(result.screens == ["username", "username", "password"])
    #expect(client.events.decisions.contains("redirect enrolled"))
    client.server.state.withLock { $0.browserResult = .redirected(url: url) }
    #expect(await client.signInFailure()?.outcomeName == "mdmEnrollmentCompletedNeedsRetry")
    #expect(client.server.with { $0.visits.count } == 4)
  }

  @Test("responds only once to a PKeyAuth challenge, as an unregistered device")
  func pkeyAuthChallenge() async throws {
    let client = try TestClient()
    let challenge: FakeServer.Responder = { _, _ in
      .json(
        #"{"error":"invalid_client"}"#, status: .unauthorized,
        headers: [
          .wwwAuthenticate:
            #"PKeyAuth SubmitUrl="https://login.microsoftonline.com/x", CertAuthorities="OU=a,CN=b", Version="1.0", Context="co\"ntext""#
        ])
    }
    client.enqueue(challenge)
    _ = try await client.signIn()
    #expect(client.server.count("token") == 2)
    #expect(
      client.server.last("token")?.head.headerFields[.authorization]
        == #"PKeyAuth Context="co\"ntext", Version="1.0""#)
    client.enqueue(challenge, challenge)
    #expect(await client.signInFailure()?.outcomeName == "invalidClient")
    #expect(client.server.count("token") == 4)
    #expect(client.events.decisions.contains("device not registered"))
  }
}
