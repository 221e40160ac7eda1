import ArgumentParser

/// The options of commands that acquire a token without a workflow.
struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the settings in this file (default: AuthSettings.plist)", valueName: "file"),
    completion: .file())
  var settings: String?
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Request these scopes (default: the scopes in the settings)", valueName: "scope"))
  var scopes: [String] = []
  @Option(help: ArgumentHelp("Use the account with this username", valueName: "username")) var account: String?
  @OptionGroup var definitions: SettingsOptions
  @OptionGroup var trust: TrustOptions
  @Option(help: "Select the platform") var platform: CacheLocationOptions.Platform = .emulated
  @Option(
    help: ArgumentHelp(
      "Use the token cache in this folder or file, or in the keyring", valueName: "folder|file|keyring"),
    completion: .file())
  var cache: String?
  @OptionGroup var browser: BrowserOptions
  @Flag(
    inversion: .prefixedNo,
    help: "Let the user sign in if necessary (default: yes, except in CI)")
  var interactive: Bool?
}
