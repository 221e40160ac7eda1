import Diagnostics
import Documents
import IdentityPlatform

/// An Info.plist file, limited to the keys that affect sign-in.
package struct InfoPlist: Sendable {
  package var bundleID: Positioned<String>?
  /// `CFBundleVersion`, which MSAL sends as the app's version.
  package var version: Positioned<String>?
  /// All schemes of `CFBundleURLTypes`.
  package var urlSchemes: [Positioned<String>] = []
  /// `LSApplicationQueriesSchemes`, or nil if the key is missing.
  package var querySchemes: Positioned<[Positioned<String>]>?
  /// Whether the file belongs to an app extension. An app extension cannot open URLs, so it does not need schemes.
  package var isAppExtension = false
  /// The platform of the app, or nil if the file does not indicate it.
  package private(set) var platform: ApplePlatform?
  /// The value of `PRODUCT_BUNDLE_IDENTIFIER` from the command line or the environment.
  package private(set) var definedBundleID: String?
  /// The strings in `CFBundleURLSchemes`, up to the limit.
  package private(set) var schemes: [Entry] = []
  /// The strings in `LSApplicationQueriesSchemes`, up to the limit.
  package private(set) var queries: [Entry] = []
  /// Whether the file contains `IntuneMAMSettings`.
  package private(set) var hasIntuneSettings = false
  /// The strings in `IntuneMAMSettings`, by key.
  package private(set) var intune: [(key: String, entry: Entry)] = []

  private var urlTypes: [URLType] = []

  /// An entry of `CFBundleURLTypes`.
  package struct URLType: Sendable {
    package var schemes: [Positioned<String>] = []
  }

  /// A string in a list or a mapping.
  package struct Entry: Sendable {
    /// The string with known references resolved.
    package var text: String
    package var node: Node
    /// The list or mapping that contains the string.
    package var container: Node
  }

  package init() {}

  /// Returns the supported keys. All others are ignored, because a similar key is usually a different Apple key.
  static func fields(filling definitions: Definitions) -> Fields<InfoPlist> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "an Info.plist", unknownKeys: .foreign,
      [
        Field("CFBundleIdentifier", text.located, into: { $0.bundleID = $1 }, "bundle ID of the app"),
        Field("CFBundleVersion", text.located, into: { $0.version = $1 }, "version of the app"),
        Field(
          "CFBundleURLTypes",
          .list(
            of: .record(
              Fields(
                "a URL type", unknownKeys: .foreign,
                [
                  Field(
                    "CFBundleURLSchemes", .list(of: text.located), into: { $0.schemes = $1 },
                    "URL schemes that open the app")
                ], others: { _, _, _, _ in true }),
              empty: URLType())),
          into: { $0.urlTypes = $1 }, "URL types that open the app"),
        Field(
          "LSApplicationQueriesSchemes", Codec<[Positioned<String>]>.list(of: text.located).located,
          into: { $0.querySchemes = $1 },
          "URL schemes that the app can query"),
        Field("NSExtension", schema: true, "present in the Info.plist of an app extension") { _, plist, _ in
          plist.isAppExtension = true
        },
      ], others: { _, _, _, _ in true })
  }

  /// Decodes the keys that affect sign-in.
  package static func read(_ root: Node, filling definitions: Definitions, _ problems: inout DiagnosticCollector)
    -> InfoPlist
  {
    var plist = InfoPlist()
    _ = fields(filling: definitions).read(root, into: &plist, &problems)
    plist.urlSchemes = plist.urlTypes.flatMap(\.schemes)
    plist.definedBundleID = definitions.value("PRODUCT_BUNDLE_IDENTIFIER")
    plist.addEntries(of: root, filling: definitions)
    plist.platform = platform(of: root)
    return plist
  }

  /// The maximum number of entries to read. A hostile file could contain a million.
  private static let maximumEntries = 500
  private static let maximumTextLength = 4096

  private mutating func addEntries(of root: Node, filling definitions: Definitions) {
    var definitions = definitions
    definitions.preservesReferences = true
    var ignored = DiagnosticCollector()
    func entry(_ node: Node, in container: Node) -> Entry? {
      // Longer strings are not names, and processing them may be slow.
      guard let text = node.string, text.utf8.count <= Self.maximumTextLength else { return nil }
      return Entry(text: definitions.fill(text, at: node.place, &ignored), node: node, container: container)
    }
    for type in root["CFBundleURLTypes"].map({ Array($0.elements) }) ?? [] {
      guard let list = type["CFBundleURLSchemes"] else { continue }
      schemes += list.elements.prefix(Self.maximumEntries - schemes.count).compactMap { entry($0, in: list) }
    }
    if let list = root["LSApplicationQueriesSchemes"] {
      queries = list.elements.prefix(Self.maximumEntries).compactMap { entry($0, in: list) }
    }
    if let settings = root["IntuneMAMSettings"] {
      hasIntuneSettings = true
      intune = settings.entries.prefix(Self.maximumEntries).compactMap { key, value in
        guard let key = key.string, let entry = entry(value, in: settings) else { return nil }
        return (key, entry)
      }
    }
  }

  /// Returns the app's platform, based on keys that are specific to it. The file of an iPad app for Mac contains the
  /// keys of both platforms, and MSAL treats the app as an iOS app.
  private static func platform(of root: Node) -> ApplePlatform? {
    var isMac = false
    for (key, value) in root.entries {
      guard let key = key.string else { continue }
      switch key {
      case "LSRequiresIPhoneOS", "MinimumOSVersion", "UIDeviceFamily": return .iOS
      case _ where key.hasPrefix("UILaunch") || key.hasPrefix("UISupportedInterface") || key.hasPrefix("UIMain"):
        return .iOS
      case "NSPrincipalClass": isMac = isMac || value.string?.hasSuffix("NSApplication") == true
      case "LSMinimumSystemVersion", "NSMainNibFile", "NSMainStoryboardFile", "LSUIElement", "LSBackgroundOnly":
        isMac = true
      default: break
      }
    }
    return isMac ? .macOS : nil
  }
}
