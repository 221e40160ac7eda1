import Effects

/// A folder with the saved state of runs. Each emulated directory and the live service have separate folders.
///
/// The folders are in `$XDG_STATE_HOME/authflow`, or in `~/.local/state/authflow` (XDG Base Directory Specification). A
/// folder contains the token cache, browser cookies, emulator state, and the clock offset.
struct StateFolder: Sendable {
  let path: String

  init(environment: Environment, name: String) {
    self.path = Self.root(environment) + "/" + name
  }

  /// Refers to the folder at a path, such as the value of `--cache`.
  init(path: String) {
    self.path = path
  }

  /// Returns the folder for the live service.
  static func live(_ environment: Environment) -> StateFolder { StateFolder(environment: environment, name: "live") }

  /// Returns the folder for an emulated directory. Directory files are distinguished by their absolute paths.
  /// - Parameter path: The path of the directory file, or nil for the built-in directory.
  static func emulated(directory path: String?, _ environment: Environment) -> StateFolder {
    guard let path else { return StateFolder(environment: environment, name: "emulated-contoso") }
    let absolute = path.hasPrefix("/") ? path : environment.workingDirectory + "/" + path
    return StateFolder(environment: environment, name: "emulated-" + String(fingerprint(absolute), radix: 16))
  }

  /// Returns the parent folder of all state folders.
  static func root(_ environment: Environment) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/authflow" }
    return (environment["HOME"] ?? environment.workingDirectory) + "/.local/state/authflow"
  }

  var cache: String { path + "/cache.json" }
  var platform: String { path + "/platform.json" }
  var browser: String { path + "/browser.json" }
  /// The last page that the simulated user could not complete, with secrets masked.
  var page: String { path + "/page.html" }
  var clock: String { path + "/clock.json" }
  /// The record of output files that workflows wrote.
  var outputs: String { path + "/outputs.json" }
  var lock: String { path + "/lock" }
  /// The file that is modified to signal a change to the cache in the keyring.
  var keyringSignal: String { cache + ".keyring" }

  /// The files that a run overwrites.
  var replacedFiles: [String] { [cache, keyringSignal, platform, browser, page, clock] }

  /// Whether authflow creates files with this name, including quarantined and incomplete files, which can contain
  /// secrets.
  static func isStateFile(_ name: String) -> Bool {
    let state = /cache\.json(\.keyring)?(\.lockfile)?|(platform|browser|clock|outputs)\.json|page\.html|lock/
    let certificateAuthority = /development-ca(-[0-9a-f]{8})?\.(key|pem|lock)/
    let original = name.replacing(/\.corrupt-[0-9]+$|\.[0-9]+\.[0-9]+\.part$/, with: "")
    return original.wholeMatch(of: state) != nil || original.wholeMatch(of: certificateAuthority) != nil
  }

  /// Returns the 64-bit FNV-1a hash, which is sufficient to distinguish the files of one user.
  private static func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
