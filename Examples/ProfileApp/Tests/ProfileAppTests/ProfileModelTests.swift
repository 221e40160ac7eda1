import AuthflowTesting
import Foundation
import ProfileApp
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// shown: tests
/// Implements the app's protocol with an emulated client.
struct EmulatedTokens: TokenProvider {
  let client: EmulatedPublicClient

  func acquireTokenSilent(scopes: [String]) async throws -> String? {
    guard let account = try client.currentAccount() else { return nil }
    return try await client.acquireTokenSilent(scopes: scopes, account: account).accessToken
  }

  func acquireToken(scopes: [String]) async throws -> String {
    try await client.acquireToken(scopes: scopes).accessToken
  }
}

@Suite struct ProfileModelTests {
  let platform: EmulatedPlatform
  let client: EmulatedPublicClient
  let model: ProfileModel

  @MainActor init() throws {
    platform = try EmulatedPlatform()
    client = try EmulatedPublicClient(on: platform)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [platform.urlProtocolClass]
    model = ProfileModel(tokens: EmulatedTokens(client: client), session: URLSession(configuration: configuration))
  }

  @Test func newUserSignsInAndConsents() async {
    await model.load()
    #expect(await model.state == .profile("Megan Bowen"))
    #expect(client.screens == ["username", "password", "consent"])
  }

  @Test func returningUserDoesNotSeeSignInPage() async throws {
    _ = try await client.acquireToken(scopes: ["User.Read"])
    await platform.advance(by: .seconds(7200))
    await model.load()
    #expect(await model.state == .profile("Megan Bowen"))
    #expect(client.interactions == 1, "the refresh token is sufficient")
  }

  @Test func changedPasswordRequiresSignIn() async throws {
    _ = try await client.acquireToken(scopes: ["User.Read"])
    try await platform.simulate("passwordChanged", "wait: 2h")
    await model.load()
    #expect(await model.state == .profile("Megan Bowen"))
    #expect(client.interactions == 2)
  }

  @Test func deniedMFALeavesUserSignedOut() async throws {
    client.user = EmulatedUser("mona@contoso.com", mfa: .deny)
    await model.load()
    #expect(await model.state == .signedOut)
    client.user.mfa = .approve
    await model.load()
    #expect(client.screens.contains("mfa"))
  }

  @Test func declinedConsentLeavesUserSignedOut() async {
    client.user.consent = .decline
    await model.load()
    #expect(await model.state == .signedOut)
  }

  @Test func throttledRequestReportsRetryTime() async throws {
    try await platform.simulate(.fault(Fault(at: .graph, .status(429, retryAfter: .seconds(30)))))
    await model.load()
    #expect(await model.state == .busy(retryAfter: 30))
    await model.load()
    #expect(await model.state == .profile("Megan Bowen"))
  }

  @Test func recoversWhenNetworkReturns() async throws {
    try await platform.simulate(.offline)
    await model.load()
    #expect(await model.state == .offline)
    try await platform.simulate(.online)
    await model.load()
    #expect(await model.state == .profile("Megan Bowen"))
  }
}
// shown: end
