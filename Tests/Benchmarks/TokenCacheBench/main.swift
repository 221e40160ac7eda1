// Measures the token cache with 10, 1,000, and 100,000 accounts: the time to open its file, compared with reading and
// parsing the JSON, the time of a successful lookup and of a save, and the memory use.
//
//     TokenCacheBench             all measurements, each size in a separate process
//     TokenCacheBench N           with N accounts
//     TokenCacheBench write N FILE    only writes a cache of N accounts
//     TokenCacheBench add FILE NAME N [MILLISECONDS]
//                                 saves the tokens of accounts NAME-0 to NAME-(N-1), one after the other, and
//                                 prints each when it is saved, for tests with several processes
import Documents
import Effects
import Foundation
import RunTrace
import SystemWorld
import TokenCache

let hosts = ["login.windows.net", "login.microsoftonline.com"]
let client = "11111111-2222-3333-4444-555555555555"
let now = Instant(secondsSince1970: 1_800_000_000)

func home(_ account: Int) -> String {
  let id = String(account, radix: 16)
  return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - id.count) + id
    + ".aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
}

func tokens(_ account: Int, access: String = "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.") -> TokensToSave {
  tokens(home(account), name: "User \(account)", access: access)
}

func tokens(_ home: String, name: String, access: String) -> TokensToSave {
  let secret = access + String(repeating: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", count: 10)
  let realm = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
  var account = AccountRecord(
    homeAccountID: home, environment: hosts[0], realm: realm, localAccountID: String(home.prefix(36)),
    username: "\(name)@contoso.example")
  account.setDetails(source: "authorization_code", claims: ["name": .string(name)], clientInfo: nil)
  var tokens = TokensToSave(
    homeAccountID: home, environment: hosts[0], clientID: client, realm: realm,
    target: ["User.Read", "openid", "profile", "email"], expiresOn: now + .seconds(3600))
  tokens.environments = hosts
  tokens.accessToken = Secret(secret, kind: .accessToken)
  tokens.refreshToken = Secret("0.A" + secret, kind: .refreshToken)
  tokens.idToken = Secret(secret, kind: .idToken)
  tokens.account = account
  return tokens
}

func fill(_ cache: UnifiedTokenCache, _ count: Int) throws {
  try cache.update { contents in
    for account in 0..<count {
      contents.save(tokens(account), now: now)
      contents.changeAccountMetadata(clientID: client) {
        $0.recordAuthority(
          "https://login.microsoftonline.com/aaaaaaaa", for: "https://login.microsoftonline.com/common",
          instanceAware: false, account: home(account))
      }
    }
  }
}

/// Returns the processor time of the best run in milliseconds.
func milliseconds(_ runs: Int = 3, _ body: () throws -> Void) rethrows -> Double {
  try (0..<runs).map { _ in
    let start = clock()
    try body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1_000
  }.min() ?? 0
}

func status(_ field: String) -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
  return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1_024
}

func say(_ label: String, _ value: Double, _ unit: String) {
  print("  \(label.padding(toLength: 44, withPad: " ", startingAt: 0)) \(String(format: "%10.3f", value)) \(unit)")
}

func measure(_ count: Int) throws {
  let folder = NSTemporaryDirectory() + "/token-cache-bench-\(getpid())"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let path = folder + "/cache.json"
  let store = FileBlobStore(path, in: LiveFileSystem())
  try fill(UnifiedTokenCache(store: store), count)
  let size = try store.load()?.count ?? 0
  print("\(count) accounts, \(size / 1_024) KiB")
  let before = status("VmRSS")

  let cache = UnifiedTokenCache(store: store)
  let opening = try milliseconds(1) { _ = try cache.contents() }
  let memory = status("VmRSS") - before
  let best = try milliseconds { _ = try UnifiedTokenCache(store: store).contents() }
  let reading = try milliseconds { _ = try store.load() }
  let bytes = try store.load() ?? []
  let foundation = try milliseconds(1) { _ = try JSONSerialization.jsonObject(with: Data(bytes)) }
  say("open", best, "ms (first: \(String(format: "%.1f", opening)) ms, \(memory) MiB more)")
  say("read the bytes", reading, "ms")
  say("JSONSerialization", foundation, "ms")
  if size <= 64 << 20 {
    say("JSON(parsing:)", try milliseconds(1) { _ = try JSON(parsing: bytes) }, "ms")
  }
  say("open : (read + JSONSerialization)", best / (reading + foundation), "(at most 2)")

  // Look up accounts in an order that avoids the processor's caches, and then look up the same account each time.
  let rounds = 200_000
  var found = 0
  func lookUps(_ account: (Int) -> Int) throws -> Double {
    try milliseconds(3) {
      for round in 0..<rounds {
        let contents = try cache.contents()
        let query = AccessTokenQuery(
          homeAccountID: home(account(round)), environments: hosts, clientID: client,
          realm: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", scopes: ["user.read"])
        if case .found = contents.accessToken(query) { found += 1 }
      }
    } * 1_000 / Double(rounds)
  }
  say("look-up, one account", try lookUps { _ in count / 2 }, "µs")
  say("lookup, all accounts in turn", try lookUps { $0 &* 7_919 % count }, "µs")
  guard found == rounds * 6 else { return print("  a look-up failed") }

  let saves = count > 10_000 ? 5 : 50
  var number = 0
  let saving = try milliseconds(1) {
    for _ in 0..<saves {
      number += 1
      try cache.update { $0.save(tokens(number % count, access: "new\(number)"), now: now) }
    }
  }
  say("save one answer", saving / Double(saves), "ms")
  let listing = try milliseconds(1) {
    let accounts = try cache.contents().accounts(clientID: client, environments: hosts, onlySignedIn: true)
    if accounts.count != count { print("  accounts are missing") }
  }
  say("list the accounts", listing, "ms")
  let state = try milliseconds(1) {
    for round in 0..<10_000 {
      let metadata = try cache.contents().accountMetadata(clientID: client)
      if metadata?.signInState(of: home(round % count)) != .signedIn { print("  a state is missing") }
    }
  }
  say("sign-in state of one account", state / 10, "µs")
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "write", let count = arguments.dropFirst().first.flatMap({ Int($0) }), let path = arguments.last {
  try fill(UnifiedTokenCache(store: FileBlobStore(path, in: LiveFileSystem())), count)
} else if arguments.first == "add", arguments.count >= 4, let count = Int(arguments[4]) {
  let cache = UnifiedTokenCache(store: FileBlobStore(arguments[2], in: LiveFileSystem()))
  let pause = arguments.count > 4 ? useconds_t(arguments[5]) ?? 0 : 0
  for number in 0..<count {
    let name = "\(arguments[3])-\(number)"
    try cache.update { $0.save(tokens("\(name).tenant", name: name, access: "a"), now: now) }
    // Written immediately, because a test kills this process.
    FileHandle.standardOutput.write(Data((name + "\n").utf8))
    usleep(pause * 1_000)
  }
} else if let count = arguments.first.flatMap({ Int($0) }) {
  try measure(count)
} else {
  for count in [10, 1_000, 100_000] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [String(count)]
    try process.run()
    process.waitUntilExit()
  }
}
