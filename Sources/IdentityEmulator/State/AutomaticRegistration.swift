import Directory
import IdentityPlatform

/// The types of objects that are registered on first use. Other objects that the directory lacks are rejected.
struct AutomaticRegistration: Hashable, Sendable {
  /// Apps whose client ID is a GUID, with their redirect URIs.
  var apps: Bool
  /// Tenants and user flows.
  var tenants: Bool
  /// APIs with any identifier, not only that of an app (`api://{GUID}`).
  var namedResources: Bool

  /// Combines the settings of the directory and the options. A served emulator does not register tenants and named
  /// APIs, so that clients find out that they do not exist.
  init(_ directory: EmulatedDirectory, _ options: IdentityPlatformEmulator.Options) {
    let isEnabled = options.registersByDefault || directory.saysWhatIsRegistered
    let isLenient = directory.registersOnTheFly && isEnabled && !options.isStrict
    // A directory without apps only defines users, so apps are registered automatically.
    let hasNoApps =
      directory.apps.isEmpty && !directory.saysWhatIsRegistered && options.registersByDefault && !options.isStrict
    apps = isLenient || hasNoApps
    tenants = isLenient && !options.servesEveryHost
    namedResources = isLenient && !options.servesEveryHost
  }

  static let everything = AutomaticRegistration(all: true)

  private init(all: Bool) { (apps, tenants, namedResources) = (all, all, all) }

  /// Whether an API with this identifier can be registered.
  func resource(_ name: String) -> Bool {
    if namedResources { return true }
    let id = name.lowercased().hasPrefix("api://") ? String(name.dropFirst(6)) : name
    return apps && GUIDText.isWellFormed(id)
  }
}
