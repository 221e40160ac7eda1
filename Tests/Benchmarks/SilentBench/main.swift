// Measures `acquireTokenSilent` for a cached token, with few and with many accounts in the cache file.
//
//     SilentBench write FILE ACCOUNTS    writes a cache of that many accounts, in the format of the MSAL libraries
//     SilentBench read FILE              prints the microseconds of a cache hit, with and without a reader of the trace, as
//                                        one line of JSON
import Documents
import Effects
import Foundation
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SystemWorld
import TokenCache

let clientID = "8f2c6d1e-0000-4000-8000-000000000001"
let tenant = "22222222-0000-4000-8000-000000000002"

func home(_ index: Int) -> String {
  let digits = String(index)
  return "11111111-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits + "." + tenant
}

/// Returns a token that is about as long as a real one.
func idToken(_ index: Int, until end: Instant) -> Secret {
  let claims: JSON = [
    "aud": .string(clientID), "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"),
    "iat": .integer(end.secondsSince1970 - 3600), "nbf": .integer(end.secondsSince1970 - 3600),
    "exp": .integer(end.secondsSince1970), "name": .string("User \(index)"),
    "oid": .string(String(home(index).prefix(36))), "preferred_username": .string("user\(index)@contoso.example"),
    "rh": "0.AAAAfake", "sub": .string("fake-subject-\(index)"), "tid": .string(tenant), "uti": "fakefakefakefake",
    "ver": "2.0",
  ]
  return Secret(
    UnverifiedJWT.compact(
      header: ["alg": "RS256", "typ": "JWT", "kid": "fake"], claims: claims,
      signature: [UInt8](repeating: 7, count: 256)), kind: .idToken)
}

func sample(_ count: Int, now: Instant) -> CacheContents {
  var contents = CacheContents()
  let padding = String(repeating: "fake", count: 300)
  let cloud = ["login.windows.net", "login.microsoftonline.com", "login.microsoft.com", "sts.windows.net"]
  var map: [(String, String)] = []
  for index in 0..<count {
    let id = home(index)
    var account = AccountRecord(
      homeAccountID: id, environment: cloud[0], realm: tenant, localAccountID: String(id.prefix(36)),
      username: "user\(index)@contoso.example")
    account.setDetails(
      source: "authorization_code", claims: ["name": .string("User \(index)")], clientInfo: nil)
    var tokens = TokensToSave(
      homeAccountID: id, environment: cloud[0], clientID: clientID, realm: tenant,
      target: ["openid", "profile", "User.Read", "Calendars.Read"], expiresOn: now + .seconds(86_400))
    tokens.environments = cloud
    tokens.accessToken = Secret("at\(index)-\(padding)", kind: .accessToken)
    tokens.refreshToken = Secret("rt\(index)-\(padding)", kind: .refreshToken)
    tokens.idToken = idToken(index, until: now + .seconds(86_400))
    tokens.account = account
    contents.save(tokens, now: now)
    map.append((id, id))
  }
  contents.changeAccountMetadata(clientID: clientID) { metadata in
    for (id, _) in map {
      metadata.recordAuthority(
        "https://login.microsoftonline.com/\(tenant)", for: WellKnown.defaultAuthority, instanceAware: false,
        account: id)
    }
  }
  return contents
}

/// Responds only to instance discovery, which is sufficient for a cache hit.
struct Discovery: HTTPTransport {
  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let body = """
      {"tenant_discovery_endpoint": "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
       "metadata": [{"preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net",
       "aliases": ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]}]}
      """
    return ResponseMessage(.ok, headers: [.contentType: "application/json"], body: Array(body.utf8))
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func microseconds(_ application: PublicClientApplication, _ accounts: [Account]) async throws -> Double {
  var rounds: [Double] = []
  for round in 0..<20 {
    let clock = ContinuousClock()
    let start = clock.now
    for index in 0..<200 {
      let account = accounts[(round * 200 + index) % accounts.count]
      let result = try await application.acquireTokenSilent(
        SilentParameters(TokenParameters(scopes: ["User.Read"], account: account)))
      precondition(result.source == .cache && result.account.username == account.username)
    }
    let (seconds, attoseconds) = (clock.now - start).components
    rounds.append((Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / 200)
  }
  return median(rounds)
}

func measure(_ path: String) async throws {
  let world = World.live(http: Discovery())
  var configuration = PublicClientConfiguration(
    clientID: clientID, authority: try Authority(parsing: WellKnown.defaultAuthority), bundleID: "com.contoso.mail")
  configuration.platform = .macOS
  var found: [String: Double] = [:]
  var count = 0
  for (name, sink) in [("quiet", nil), ("traced", { @Sendable (_: TraceEvent) in })] {
    let application = try PublicClientApplication(
      configuration: configuration,
      environment: ClientEnvironment(
        world: world, http: Discovery(), browser: NoBrowser(), store: FileBlobStore(path, in: world.files),
        trace: TraceRecorder(clock: world.clock, sink: sink)))
    let all = try application.accounts()
    count = all.count
    // A hundred accounts, distributed over the file.
    let some = stride(from: 0, to: all.count, by: max(all.count / 100, 1)).map { all[$0] }
    _ = try await microseconds(application, some)
    found[name] = try await microseconds(application, some)
  }
  print(#"{"accounts": \#(count), "quiet": \#(found["quiet"] ?? 0), "traced": \#(found["traced"] ?? 0)}"#)
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("write", 3):
  let contents = sample(Int(arguments[2]) ?? 10, now: World.live(http: Discovery()).clock.now)
  try Data(contents.bytes).write(to: URL(filePath: arguments[1]))
case ("read", 2): try await measure(arguments[1])
default:
  print("usage: SilentBench write FILE ACCOUNTS | read FILE")
  exit(2)
}
