import ArgumentParser

/// What commands that need a token and have no workflow are told: which app, which permissions, who.
struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The app's settings; AuthSettings.plist here otherwise.", valueName: "file"), completion: .file()
  )
  var settings: String?
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The permissions to ask for; the settings' otherwise.", valueName: "scope"))
  var scopes: [String] = []
  @Option(help: ArgumentHelp("Which of several accounts, by its username.", valueName: "username")) var account: String?
  @OptionGroup var given: SettingsOptions
  @OptionGroup var trust: TrustOptions
  @Option(help: "emulated or live.") var platform: CachePlaceOptions.Platform = .emulated
  @Option(
    help: ArgumentHelp("Where the token cache is, as run --cache has it.", valueName: "folder|file|keyring"),
    completion: .file())
  var cache: String?
  @OptionGroup var browser: BrowserOptions
  @Flag(
    inversion: .prefixedNo,
    help: "Let the user sign in where a silent call is not enough; by default everywhere but in CI.")
  var interactive: Bool?
}
