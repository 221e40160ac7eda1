// Measures each type of request to the emulator and compares it with the RSA-2048 signing rate of this machine.
//
//     EmulatorBench rates [SECONDS]          in this process, on one thread and on two
//     EmulatorBench only NAME [SECONDS]      one type of request, on one thread, for a profiler
//     EmulatorBench memory [SIGN-INS]        resident memory during that many sign-ins
//     EmulatorBench sockets URL [SECONDS]    against a running `authflow emulator`, on two connections
//     EmulatorBench signins URL COUNT PID    that many sign-ins, with the server's resident memory
//     EmulatorBench hold URL CONNECTIONS     opens that many connections and uses all of them
//     EmulatorBench token URL                prints an access token and a refresh token, for other tools
//
// Rates are per second of wall-clock time and of processor time ("cpu"), which other programs hardly affect. For
// responses with signatures, the last column is the fraction of the machine's signing rate.
import BenchSupport
import Directory
import Documents
import Effects
import Foundation
import HTTPTypes
import IdentityEmulator

func makeEmulator() -> IdentityPlatformEmulator {
  let emulator = IdentityPlatformEmulator(
    clock: SystemTime(), randomness: SystemRandomness(), options: .init(controlEnabled: true, servesEveryHost: false))
  var app = RegisteredApp(appId: BrowserSignIn.clientID, publicRedirectUris: ["http://localhost"])
  app.adminConsent = ["openid", "profile", "offline_access", "User.Read", "Mail.Read", "User.ReadBasic.All"]
  emulator.register(app: app)
  var daemon = RegisteredApp(appId: "8f2c6d1e-0000-4000-8000-00000000000d", publicRedirectUris: [])
  daemon.secrets = ["benchmark-secret"]
  daemon.roles = ["User.Read.All"]
  emulator.register(app: daemon)
  return emulator
}

/// A type of request, with the number of signatures in its response.
struct Kind: Sendable {
  var name: String
  var signatures: Int
  var body: @Sendable () async -> Void

  init(_ name: String, signatures: Int = 0, _ body: @escaping @Sendable () async -> Void) {
    self.name = name
    self.signatures = signatures
    self.body = body
  }
}

func kinds(_ client: any Client, isOwn: Bool) async -> [Kind] {
  var first = BrowserSignIn(client: client)
  let tokens = await first.run()
  let session = first.cookies
  guard let refreshToken = tokens["refresh_token"]?.string, let accessToken = tokens["access_token"]?.string else {
    fail("no tokens: \(tokens.text())")
  }
  let token = client.login + "/organizations/oauth2/v2.0/token"
  func redeeming(_ scope: String) -> RequestMessage {
    request(
      .post, token,
      form: BrowserSignIn.form([
        ("grant_type", "refresh_token"), ("client_id", BrowserSignIn.clientID), ("refresh_token", refreshToken),
        ("scope", scope), ("client_info", "1"),
      ]))
  }
  func asking(_ name: String, signatures: Int = 0, _ message: RequestMessage, status: Int = 200) -> Kind {
    Kind(name, signatures: signatures) {
      let answer = await client.send(message)
      if answer.head.status.code != status { fail("\(name): \(String(decoding: answer.body, as: UTF8.self))") }
    }
  }
  let bearer: HTTPFields = [.authorization: "Bearer \(accessToken)"]
  var wrong = Array(accessToken.utf8)
  wrong[wrong.count - 20] = wrong[wrong.count - 20] == 65 ? 66 : 65
  let daemon = BrowserSignIn.form([
    ("grant_type", "client_credentials"), ("client_id", "8f2c6d1e-0000-4000-8000-00000000000d"),
    ("client_secret", "benchmark-secret"), ("scope", "https://graph.microsoft.com/.default"),
  ])
  var all = [
    asking("refresh", signatures: 2, redeeming(BrowserSignIn.scope)),
    asking("refresh without id token", signatures: 1, redeeming("User.Read")),
    Kind("sign-in through pages", signatures: 2) {
      var browser = BrowserSignIn(client: client)
      _ = await browser.run()
    },
    asking("graph /me", request(.get, client.graph + "/v1.0/me", bearer)),
    asking("discovery", request(.get, client.login + "/organizations/v2.0/.well-known/openid-configuration")),
    asking("keys", request(.get, client.login + "/organizations/discovery/v2.0/keys")),
    asking(
      "graph 401",
      request(
        .get, client.graph + "/v1.0/me", [.authorization: "Bearer \(String(decoding: wrong, as: UTF8.self))"]),
      status: 401),
  ]
  guard isOwn else { return all }
  all.insert(
    Kind("sign-in by session", signatures: 2) {
      // The loop guard stops a browser that repeats a request, so each request has its own browser.
      var browser = BrowserSignIn(client: client, cookies: session)
      browser.number = Int.random(in: 0..<1_000_000_000)
      _ = await browser.run()
    }, at: 3)
  all.insert(
    asking(
      "client credentials", signatures: 1,
      request(.post, client.login + "/contoso.com/oauth2/v2.0/token", form: daemon)),
    at: 2)
  all.append(asking("graph /users", request(.get, client.graph + "/v1.0/users", bearer)))
  return all
}

func show(_ kinds: [Kind], threads: [Int], seconds: Double, ownTime: Bool) async {
  for count in threads {
    let limit = await measure(threads: count, seconds: seconds, signing)
    say("threads: \(count); signing limit \(rounded(limit.perSecond))/s, cpu \(rounded(limit.perSecondAlone))/s")
    for kind in kinds {
      let isSigned = kind.signatures > 0 && ownTime
      let (rate, beside) =
        isSigned
        ? await measureBesideSigning(threads: count, seconds: seconds, kind.body)
        : (await measure(threads: count, seconds: seconds, kind.body), limit)
      var line = "  " + padded(kind.name, 26) + padded(rounded(rate.perSecond) + "/s", 12)
      if ownTime { line += padded("cpu " + rounded(rate.perSecondAlone) + "/s", 16) }
      if kind.signatures > 0 {
        let possible = (ownTime ? beside.perSecondAlone : beside.perSecond) / Double(kind.signatures)
        line += rounded((ownTime ? rate.perSecondAlone : rate.perSecond) / possible * 100) + " % of the signing limit"
      }
      say(line)
    }
  }
  say("resident memory of the benchmark: \(rounded(residentMegabytes())) MB")
}

func signIns(_ client: any Client, _ count: Int, process: String) async {
  say("at the start: \(rounded(residentMegabytes(process))) MB")
  let part = max(1, count / 10)
  for number in 1...10 {
    let start = ContinuousClock().now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { @concurrent in
          for _ in 0..<part / 2 {
            var browser = BrowserSignIn(client: client)
            _ = await browser.run()
          }
        }
      }
    }
    let (whole, rest) = (ContinuousClock().now - start).components
    let rate = Double(part) / (Double(whole) + Double(rest) / 1e18)
    say("after \(number * part): \(rounded(residentMegabytes(process))) MB, \(rounded(rate)) sign-ins/s")
  }
}

func memory(_ signIns: Int) async {
  let client = InProcess(emulator: makeEmulator())
  say("at the start: \(rounded(residentMegabytes())) MB")
  for part in 0...20 {
    for _ in 0..<(part == 0 ? 1000 : signIns / 20) {
      var browser = BrowserSignIn(client: client)
      _ = await browser.run()
    }
    if part == 0 { say("after 1000 sign-ins: \(rounded(residentMegabytes())) MB") }
    if part > 0, part % 4 == 0 {
      say("after \(signIns / 20 * part + 1000): \(rounded(residentMegabytes())) MB")
    }
  }
  say("state: \(client.emulator.snapshot().text().utf8.count) bytes as a snapshot")
}

let arguments = Array(CommandLine.arguments.dropFirst())
let number = arguments.last.flatMap { Double($0) }
switch (arguments.first, arguments.count) {
case ("rates", 1...2), (nil, _):
  let start = ContinuousClock().now
  let client = InProcess(emulator: makeEmulator())
  let kinds = await kinds(client, isOwn: true)
  say("from nothing to the first tokens: \(ContinuousClock().now - start)")
  await show(kinds, threads: [1, 2], seconds: number ?? 2, ownTime: true)
case ("only", 2...3):
  let all = await kinds(InProcess(emulator: makeEmulator()), isOwn: true)
  guard let kind = all.first(where: { $0.name == arguments[1] }) else {
    fail("one of: " + all.map(\.name).joined(separator: ", "))
  }
  let rate = await measure(threads: 1, seconds: number ?? 2, kind.body)
  say("\(kind.name): \(rounded(rate.perSecond))/s, cpu \(rounded(rate.perSecondAlone))/s")
case ("memory", 1...2): await memory(Int(number ?? 100_000))
case ("sockets", 2...3):
  let client = Sockets(arguments[1])
  await show(
    await kinds(client, isOwn: false), threads: [1, 2], seconds: arguments.count > 2 ? number ?? 2 : 2, ownTime: false)
case ("signins", 4): await signIns(Sockets(arguments[1]), Int(arguments[2]) ?? 0, process: arguments[3])
case ("hold", 3): hold(arguments[1], Int(number ?? 1000))
case ("token", 2):
  var browser = BrowserSignIn(client: Sockets(arguments[1]))
  let tokens = await browser.run()
  say("\(tokens["access_token"]?.string ?? "") \(tokens["refresh_token"]?.string ?? "")")
default: fail("usage: EmulatorBench rates | only | memory | sockets | signins | hold | token; see main.swift")
}
