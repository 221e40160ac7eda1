import Effects

/// Where plain runs keep what outlives the process: one place per emulated directory, and another for the live platform.
///
/// The places lie in `$XDG_STATE_HOME/authflow`, else in `~/.local/state/authflow` (XDG Base Directory Specification).
/// Cache, browser cookies, the emulated platform's memory and the clock's offset of one place belong together.
struct StateFolder: Sendable {
  let path: String

  init(environment: Environment, place: String) {
    self.path = Self.root(environment) + "/" + place
  }

  /// A cache place that was named on the command line.
  init(path: String) {
    self.path = path
  }

  static func root(_ environment: Environment) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/authflow" }
    return (environment["HOME"] ?? environment.workingDirectory) + "/.local/state/authflow"
  }

  /// The place of an emulated directory: the built-in one has its own name, a file is known by its absolute path.
  static func place(forDirectory path: String?, workingDirectory: String) -> String {
    guard let path else { return "emulated-contoso" }
    let absolute = path.hasPrefix("/") ? path : workingDirectory + "/" + path
    return "emulated-" + String(fingerprint(absolute), radix: 16)
  }

  var cache: String { path + "/cache.json" }
  var platform: String { path + "/platform.json" }
  var browser: String { path + "/browser.json" }
  /// The last page that a simulated user gave up at, without its secrets.
  var page: String { path + "/page.html" }
  var clock: String { path + "/clock.json" }
  /// The outputs of workflows.
  var outputs: String { path + "/outputs.json" }
  var lock: String { path + "/lock" }
  /// What the cache's store has beside it while it writes.
  var cacheLock: String { cache + ".lockfile" }
  /// The file that says when the keyring's copy of the cache was last written.
  var keyringSignal: String { cache + ".keyring" }

  /// The files that runs replace.
  var replacedFiles: [String] { [cache, keyringSignal, platform, browser, page, clock] }

  /// Whether runs or the emulator give a file here this name: also to what was damaged and moved aside, and to what a
  /// process that died left of a new file, for all of that may hold secrets.
  static func isOwn(_ name: String) -> Bool {
    let own = /cache\.json(\.keyring)?(\.lockfile)?|(platform|browser|clock|outputs)\.json|page\.html|lock/
    let authority = /development-ca(-[0-9a-f]{8})?\.(key|pem|lock)/
    let bare = name.replacing(/\.corrupt-[0-9]+$|\.[0-9]+\.[0-9]+\.part$/, with: "")
    return bare.wholeMatch(of: own) != nil || bare.wholeMatch(of: authority) != nil
  }

  /// FNV-1a, 64 bits: enough to tell the files of one user apart.
  private static func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
