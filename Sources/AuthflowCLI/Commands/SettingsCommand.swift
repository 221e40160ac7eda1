import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct SettingsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Shows what MSAL makes of an app's settings.",
    discussion: """
      Client id, authority (type, normal form, cloud, tenant, aliases), scopes as requested, redirect URI and whether a \
      broker can be used with it, Graph endpoint. Reads AuthSettings files, MSAL Android configurations and appsettings \
      with an AzureAd section. If the settings have no bundle id, the Info.plist beside them and the Xcode project \
      provide it. What --environment and --overlay name is laid over the file, value by value; --explain \
      says which file each value comes from.

      Example: authflow settings Workflows/AuthSettings.plist --explain
      """)

  @Argument(help: "The settings file, or - for standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("A file laid over the settings; may be repeated.", valueName: "file")) var overlay:
    [String] = []
  @OptionGroup var given: SettingsOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Also show where each value comes from.") var explain = false
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try variables.take(in: given.take(in: trust.take(in: session)).session)
    let definitions = try given.defined.definitions(in: session)
    var loader = SettingsLoader(definitions: definitions, load: session.load(inputs: [file] + overlay))
    var files: [(name: String, bytes: [UInt8])] = []
    let own = given.environment.map { SettingsOverlay.path(over: file, environment: $0) }
    for path in [file] + (own.map { [$0] } ?? []) + overlay {
      files.append((path, try session.readInput(path)))
    }
    let isAppleApps = [.authSettings, .unknown].contains(
      RegistrationDocument.read(files[0].bytes, named: file).kind)
    if isAppleApps { loader.project = try ProjectFacts(besides: file, in: session) }
    let loaded = loader.load(files[0].bytes, named: file, overlays: Array(files.dropFirst()))
    session.show(loaded.allDiagnostics)
    guard let json = loaded.json(explaining: explain) else { throw .usageError }
    switch format {
    case .json: session.printLine(json.text(pretty: true), as: .json)
    case .text: session.printLine(Self.table(json, explain: explain))
    }
    if isAppleApps, let resolved = loaded.resolved, resolved.redirect.isDefault, !resolved.isBundleIDKnown {
      session.printStatus(
        "note: bundle id is unknown: MSAL derives the default redirect URI from it\n  help: add `BundleId`, or "
          + "`InfoPlist: path/to/Info.plist`, to the settings")
    }
    guard loaded.isUsable else { throw .usageError }
  }

  /// The settings as lines for people, made of the JSON form so that both say the same.
  private static func table(_ json: JSON, explain: Bool) -> String {
    // A value with a line break must not look like two rows.
    func shown(_ text: String) -> String { TerminalText.visible(text) }
    func text(_ path: String...) -> String {
      var value: JSON? = json
      for key in path { value = value?[key] }
      switch value {
      case .some(.array(let values)): return shown(values.map { $0.string ?? $0.text() }.joined(separator: " "))
      case .some(.string(let string)): return shown(string)
      case .some(.null), nil: return "none"
      case .some(let other): return other.text()
      }
    }
    let unknown = "unknown, without the bundle id"
    let broker: String =
      switch json["redirectUri"]?["brokerCapable"]?.bool {
      case true?: "capable"
      case false?: "not capable: \(text("redirectUri", "reason"))"
      case nil: unknown
      }
    var rows: [(String, String)] = [
      ("client id", text("clientId")), ("authority", text("authority", "url")),
      ("  type", text("authority", "type")), ("  cloud", text("authority", "cloud")),
      ("  tenant", "\(text("authority", "tenant")) (\(text("authority", "tenantKind")))"),
      ("  aliases", text("authority", "aliases")), ("scopes", text("scopes", "asked")),
      ("  authorize", text("scopes", "authorize")), ("  token", text("scopes", "token")),
      ("redirect URI", broker == unknown ? unknown : text("redirectUri", "uri")),
      ("  broker", broker), ("platform", text("platform")),
      ("bundle id", json["bundleId"]?.string == nil ? "unknown" : text("bundleId")),
      ("Graph", text("graph", "endpoint")),
      ("keychain group", text("keychainGroup")),
    ]
    if explain, let origins = json["origins"]?.object {
      rows.append(("", ""))
      rows += origins.map { (shown($0.key), shown($0.value.string ?? "")) }
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, value in
      (name + String(repeating: " ", count: width - name.count + 2) + value).trimmedAtEnd
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}

extension Definitions {
  init(arguments: [String], in session: Session) throws(ExitStatus) {
    self.init(try Self.values(of: arguments, in: session))
  }

  /// The values of `--define NAME=value`.
  static func values(of arguments: [String], in session: Session) throws(ExitStatus) -> [String: String] {
    var values: [String: String] = [:]
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
        session.printStatus(
          "error: `--define \(CaretFrame.visible(argument))` is malformed\n  help: write `--define NAME=value`")
        throw .usageError
      }
      values[String(argument[..<equals])] = String(argument[argument.index(after: equals)...])
    }
    return values
  }
}
