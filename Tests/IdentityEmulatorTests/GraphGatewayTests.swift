import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests Graph requests through the gateway with tokens that the emulator issued.
@Suite struct GraphGatewayTests {
  private static let graph = "https://graph.microsoft.com/v1.0"
  private static let calendars = "openid profile offline_access User.Read Calendars.ReadWrite User.ReadBasic.All"

  private static func token(_ response: JSON) throws -> String { try #require(response["access_token"]?.string) }

  private static func get(_ url: String, _ token: String?, on stage: Stage) async throws -> ResponseMessage {
    try await stage.send(.get, url, headers: token.map { [.authorization: "Bearer \($0)"] } ?? [:])
  }

  @Test("allows the requests that a token's scopes permit")
  func scopes() async throws {
    let stage = Stage()
    let token = try Self.token(await stage.signIn())
    #expect(try await stage.json(Self.graph + "/me", bearer: token)["displayName"] == "Megan Bowen")
    let events = try await Self.get(Self.graph + "/me/events", token, on: stage)
    #expect(events.head.status == .forbidden)
    #expect(try JSON(parsing: events.body)["error"]?["code"] == "ErrorAccessDenied")
    let photo = try await Self.get(Self.graph + "/me/photo/$value", token, on: stage)
    #expect(photo.head.headerFields[.contentType] == "image/jpeg")
  }

  @Test("allows more requests after incremental consent")
  func incrementalConsent() async throws {
    let stage = Stage()
    let token = try Self.token(await stage.signIn(scope: Self.calendars))
    let view = try await stage.json(
      Self.graph + "/me/calendarView?startDateTime=2025-01-01&endDateTime=2025-01-08", bearer: token)
    #expect(view["value"]?.array?.count == 10)
    #expect(try await stage.json(Self.graph + "/users?$top=3", bearer: token)["value"]?.array?.count == 3)
  }

  @Test("rejects a request without a valid token", arguments: [nil, "", "invalid", "a.b.c"])
  func invalidToken(token: String?) async throws {
    let stage = Stage()
    let response = try await Self.get(Self.graph + "/me", token, on: stage)
    #expect(response.head.status == .unauthorized)
    #expect(try JSON(parsing: response.body)["error"]?["code"] == "InvalidAuthenticationToken")
    let header = try #require(response.head.headerFields[.wwwAuthenticate])
    let challenge = try #require(AuthenticationChallenge.parse(header).first)
    #expect(challenge.isBearer)
    #expect(challenge.parameters["client_id"] == "00000003-0000-0000-c000-000000000000")
    #expect(challenge.claims == nil)
  }

  @Test("rejects an expired token")
  func expiredToken() async throws {
    let stage = Stage()
    let token = try Self.token(await stage.signIn())
    stage.clock.advance(by: .seconds(3599))
    #expect(try await Self.get(Self.graph + "/me", token, on: stage).head.status == .ok)
    stage.clock.advance(by: .seconds(601))
    let response = try await Self.get(Self.graph + "/me", token, on: stage)
    #expect(response.head.status == .unauthorized)
    #expect(response.head.headerFields[.date] == "Wed, 01 Jan 2025 01:10:00 GMT")
  }

  @Test("stores changed collections in the snapshot")
  func collectionsInSnapshot() async throws {
    let stage = Stage()
    let token = try Self.token(await stage.signIn(scope: Self.calendars))
    let event: JSON = [
      "subject": "Kept", "start": ["dateTime": "2025-02-01T09:00:00"], "end": ["dateTime": "2025-02-01T10:00:00"],
    ]
    let created = try await stage.send(
      .post, Self.graph + "/me/events",
      headers: [.authorization: "Bearer \(token)", .contentType: "application/json"], body: Array(event.text().utf8))
    #expect(created.head.status == .created)
    let again = Stage(snapshot: stage.emulator.snapshot())
    let match = try await again.json(
      Self.graph + "/me/events?$filter=subject eq 'Kept'".replacing(" ", with: "%20"), bearer: token)
    #expect(match["value"]?.array?.count == 1)
  }

  @Test("returns links with the request's host")
  func links() async throws {
    let stage = Stage(servesEveryHost: true)
    let token = try Self.token(await stage.signIn(scope: Self.calendars))
    let page = try await stage.json("http://localhost:8400/v1.0/users?$top=5", bearer: token)
    let link = try #require(page["@odata.nextLink"]?.string)
    #expect(link.hasPrefix("http://localhost:8400/v1.0/users?$top=5&$skiptoken="))
    #expect(try await stage.json(link, bearer: token)["value"]?.array?.count == 5)
  }

  @Test("stores profile changes in the snapshot")
  func profileInSnapshot() async throws {
    let stage = Stage()
    let token = try Self.token(await stage.signIn(scope: "openid profile offline_access User.ReadWrite"))
    let change: JSON = ["jobTitle": "Pilot"]
    let patched = try await stage.send(
      .patch, Self.graph + "/me",
      headers: [.authorization: "Bearer \(token)", .contentType: "application/json"], body: Array(change.text().utf8))
    #expect(patched.head.status == .noContent)
    let again = Stage(snapshot: stage.emulator.snapshot())
    #expect(try await again.json(Self.graph + "/me", bearer: token)["jobTitle"] == "Pilot")
  }

  /// After the revocation, a client with the capability receives a claims challenge, and the refresh token is invalid.
  @Test("requires a new sign-in after sessions are revoked")
  func revokedSessions() async throws {
    let stage = Stage { $0.adminConsent = ["User.RevokeSessions.All", "User.Read"] }
    let capable: Parameters = ["claims": #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#]
    let tokens = try await stage.signIn(
      scope: "openid profile offline_access User.Read User.RevokeSessions.All", changing: capable)
    let token = try Self.token(tokens)
    stage.clock.advance(by: .seconds(5))
    let revoked = try await stage.send(
      .post, Self.graph + "/me/revokeSignInSessions", headers: [.authorization: "Bearer \(token)"])
    #expect(revoked.head.status == .ok)
    #expect(try JSON(parsing: revoked.body)["value"] == true)

    let response = try await Self.get(Self.graph + "/me", token, on: stage)
    #expect(response.head.status == .unauthorized)
    let challenges = AuthenticationChallenge.parse(response.head.headerFields[.wwwAuthenticate] ?? "")
    #expect(challenges.first?.parameters["error"] == "insufficient_claims")
    #expect(challenges.first?.claims?.contains("nbf") == true)
    let refreshed = try await stage.refresh(tokens)
    #expect(refreshed.status == 400)
    #expect(refreshed.json["error_codes"]?[0] == 50173)
  }
}
