import Directory
import IdentityPlatform

/// The types of objects that the emulator registers on first use. The emulator rejects other unknown objects.
struct AutomaticRegistration: Hashable, Sendable {
  /// Whether apps with a GUID as their client ID are registered, including their redirect URIs.
  var apps: Bool
  /// Whether tenants and user flows are registered.
  var tenants: Bool
  /// Whether APIs with any identifier are registered, not only those with an app's identifier (`api://{GUID}`).
  var namedResources: Bool

  /// Combines the settings in the directory and in the options. An emulator server does not register tenants or named
  /// APIs, so that clients receive an error for unknown names.
  init(_ directory: EmulatedDirectory, _ options: IdentityPlatformEmulator.Options) {
    let isEnabled = options.registersByDefault || directory.saysWhatIsRegistered
    let isLenient = directory.registersOnTheFly && isEnabled && !options.isStrict
    // A directory without apps defines only users, so apps are registered automatically.
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
