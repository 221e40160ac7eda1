import Directory
import IdentityPlatform

/// What is registered when it is first seen, and what is refused because the directory lacks it.
struct AutomaticRegistration: Hashable, Sendable {
  /// Client ids that are GUIDs, with their redirect URIs.
  var apps: Bool
  /// Tenants and user flows.
  var tenants: Bool
  /// APIs by any name, rather than only by the id of an app (`api://{GUID}`).
  var namedResources: Bool

  /// - Parameters:
  ///   - directory: a file of one's own says everything that there is, unless it says otherwise.
  ///   - options: a served emulator makes up no tenants: a client that asks for one that does not exist has to learn it.
  init(_ directory: EmulatedDirectory, _ options: IdentityPlatformEmulator.Options) {
    let isMeant = options.registersByDefault || directory.saysWhatIsRegistered
    let isLenient = directory.registersOnTheFly && isMeant && !options.isStrict
    // A file that is about users only leaves the apps to whoever comes.
    let listsNone =
      directory.apps.isEmpty && !directory.saysWhatIsRegistered && options.registersByDefault && !options.isStrict
    apps = isLenient || listsNone
    tenants = isLenient && !options.servesEveryHost
    namedResources = isLenient && !options.servesEveryHost
  }

  static let everything = AutomaticRegistration(all: true)

  private init(all: Bool) { (apps, tenants, namedResources) = (all, all, all) }

  /// Whether an API of that name may be made up.
  func resource(_ name: String) -> Bool {
    if namedResources { return true }
    let id = name.lowercased().hasPrefix("api://") ? String(name.dropFirst(6)) : name
    return apps && GUIDText.isWellFormed(id)
  }
}
