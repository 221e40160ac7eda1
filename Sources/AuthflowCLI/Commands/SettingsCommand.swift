import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct SettingsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show an app's settings as MSAL uses them",
    discussion: """
      Shows the client ID, the authority (type, normalized URL, cloud, tenant, and aliases), the requested scopes, the \
      redirect URI, broker support, and the Graph endpoint. Reads AuthSettings files, MSAL Android configurations, and \
      appsettings files with an `AzureAd` section. If the settings have no bundle ID, the Info.plist in the same \
      folder or the Xcode project provides it. Values in `--environment` and `--overlay` files override values in the \
      settings file.

      Examples:
        authflow settings Workflows/AuthSettings.plist
        authflow settings Workflows/AuthSettings.plist --explain
      """)

  @Argument(help: "Settings file, or `-` for standard input", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Override settings with the settings in this file (repeatable)", valueName: "file"))
  var overlay: [String] = []
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Show the source of each value") var explain = false
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try variables.apply(to: settings.apply(to: trust.apply(to: session)).session)
    let definitions = try settings.defined.definitions(in: session)
    var loader = SettingsLoader(definitions: definitions, load: session.load(inputs: [file] + overlay))
    var files: [(name: String, bytes: [UInt8])] = []
    let environmentFile = settings.environment.map { SettingsOverlay.path(over: file, environment: $0) }
    for path in [file] + (environmentFile.map { [$0] } ?? []) + overlay {
      files.append((path, try session.readInput(path)))
    }
    let isForAppleApp = [.authSettings, .unknown].contains(
      RegistrationDocument.read(files[0].bytes, named: file).kind)
    if isForAppleApp { loader.project = try ProjectFacts(nextTo: file, in: session) }
    let loaded = loader.load(files[0].bytes, named: file, overlays: Array(files.dropFirst()))
    session.show(loaded.allDiagnostics)
    guard let json = loaded.json(explaining: explain) else { throw .usageError }
    switch format {
    case .json: session.printJSON(json)
    case .text: session.printLine(Self.table(json, explain: explain))
    }
    if isForAppleApp, let resolved = loaded.resolved, resolved.redirect.isDefault, !resolved.isBundleIDKnown {
      session.printStatus(
        "note: unknown bundle ID: MSAL derives the default redirect URI from it\n  help: add `BundleId`, or "
          + "`InfoPlist: path/to/Info.plist`, to the settings")
    }
    guard loaded.isUsable else { throw .usageError }
  }

  /// Renders the JSON output as a table, so that the formats `text` and `json` contain the same values.
  private static func table(_ json: JSON, explain: Bool) -> String {
    // Escape line breaks, because each line is one table row.
    func visible(_ text: String) -> String { TerminalText.visible(text) }
    func text(_ path: String...) -> String {
      var value: JSON? = json
      for key in path { value = value?[key] }
      switch value {
      case .some(.array(let values)): return visible(values.map { $0.string ?? $0.text() }.joined(separator: " "))
      case .some(.string(let string)): return visible(string)
      case .some(.null), nil: return "none"
      case .some(let other): return other.text()
      }
    }
    let unknown = "unknown without the bundle ID"
    let broker: String =
      switch json["redirectUri"]?["brokerCapable"]?.bool {
      case true?: "capable"
      case false?: "not capable: \(text("redirectUri", "reason"))"
      case nil: unknown
      }
    var rows: [(String, String)] = [
      ("client ID", text("clientId")), ("authority", text("authority", "url")),
      ("  type", text("authority", "type")), ("  cloud", text("authority", "cloud")),
      ("  tenant", "\(text("authority", "tenant")) (\(text("authority", "tenantKind")))"),
      ("  aliases", text("authority", "aliases")), ("scopes", text("scopes", "asked")),
      ("  authorize", text("scopes", "authorize")), ("  token", text("scopes", "token")),
      ("redirect URI", broker == unknown ? unknown : text("redirectUri", "uri")),
      ("  broker", broker), ("platform", text("platform")),
      ("bundle ID", json["bundleId"]?.string == nil ? "unknown" : text("bundleId")),
      ("Graph", text("graph", "endpoint")),
      ("keychain group", text("keychainGroup")),
    ]
    if explain, let origins = json["origins"]?.object {
      rows.append(("", ""))
      rows += origins.map { (visible($0.key), visible($0.value.string ?? "")) }
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
  /// Creates definitions from the arguments of `--define NAME=value`.
  init(arguments: [String], in session: Session) throws(ExitStatus) {
    self.init(try Self.values(of: arguments, in: session))
  }

  /// Parses the arguments of `--define NAME=value`.
  static func values(of arguments: [String], in session: Session) throws(ExitStatus) -> [String: String] {
    var values: [String: String] = [:]
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
        throw session.report(
          .usageError, "malformed option `--define \(CaretFrame.visible(argument))`",
          help: "write `--define NAME=value`")
      }
      values[String(argument[..<equals])] = String(argument[argument.index(after: equals)...])
    }
    return values
  }
}
