import Diagnostics
import Documents
import IdentityPlatform

/// What an app's Info.plist says about signing in.
package struct InfoPlist: Sendable {
  package var bundleID: Positioned<String>?
  /// `CFBundleVersion`, which MSAL sends as the app's version.
  package var version: Positioned<String>?
  /// Every scheme of `CFBundleURLTypes`, in order.
  package var urlSchemes: [Positioned<String>] = []
  /// `LSApplicationQueriesSchemes`; nil where the key is absent.
  package var querySchemes: Positioned<[Positioned<String>]>?
  /// Whether it belongs to an app extension, which opens no URLs and needs no schemes.
  package var isAppExtension = false
  /// The system that the file shows that it is for; nil where it shows nothing.
  package private(set) var platform: ApplePlatform?
  /// What is known of `PRODUCT_BUNDLE_IDENTIFIER` from outside of any project.
  package private(set) var definedBundleID: String?
  /// The texts of `CFBundleURLSchemes`, with where they stand; of very many the first.
  package private(set) var schemes: [Entry] = []
  /// The texts of `LSApplicationQueriesSchemes`, with where they stand; of very many the first.
  package private(set) var queries: [Entry] = []
  /// Whether there are `IntuneMAMSettings`, whatever they hold.
  package private(set) var hasIntuneSettings = false
  /// The texts in `IntuneMAMSettings` by key, in order.
  package private(set) var intune: [(key: String, entry: Entry)] = []

  private var urlTypes: [URLType] = []

  /// One entry of `CFBundleURLTypes`.
  package struct URLType: Sendable {
    package var schemes: [Positioned<String>] = []
  }

  /// A text in a list, or in a mapping.
  package struct Entry: Sendable {
    /// With the references filled in whose values are known.
    package var text: String
    package var node: Node
    /// The list or mapping that holds it.
    package var container: Node
  }

  package init() {}

  /// All other keys are taken in silence: a near miss of the few read here is far more often another of Apple's many.
  static func fields(filling definitions: Definitions) -> Fields<InfoPlist> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "an Info.plist", unknownKeys: .foreign,
      [
        Field("CFBundleIdentifier", text.located, into: \.bundleID, "the app's bundle id"),
        Field("CFBundleVersion", text.located, into: \.version, "the app's version"),
        Field(
          "CFBundleURLTypes",
          .list(
            of: .record(
              Fields(
                "a URL type", unknownKeys: .foreign,
                [
                  Field(
                    "CFBundleURLSchemes", .list(of: text.located), into: \URLType.schemes,
                    "the schemes that open the app")
                ], others: { _, _, _, _ in true }),
              empty: URLType())),
          into: \.urlTypes, "the URLs that open the app"),
        Field(
          "LSApplicationQueriesSchemes", Codec<[Positioned<String>]>.list(of: text.located).located,
          into: \.querySchemes,
          "the schemes that the app may ask about"),
        Field("NSExtension", schema: true, "present in the Info.plist of an app extension") { _, plist, _ in
          plist.isAppExtension = true
        },
      ], others: { _, _, _, _ in true })
  }

  /// Reads what concerns signing in; everything else in the file is Apple's.
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

  /// No app has nearly as many; a hostile file could hold a million, and be mended once for each.
  private static let mostEntries = 500
  private static let longestText = 4096

  private mutating func addEntries(of root: Node, filling definitions: Definitions) {
    var definitions = definitions
    definitions.leavesReferences = true
    var ignored = DiagnosticCollector()
    func entry(_ node: Node, in container: Node) -> Entry? {
      // Longer ones are no names, and may be made to take long.
      guard let text = node.string, text.utf8.count <= Self.longestText else { return nil }
      return Entry(text: definitions.fill(text, at: node.place, &ignored), node: node, container: container)
    }
    for type in root["CFBundleURLTypes"].map({ Array($0.elements) }) ?? [] {
      guard let list = type["CFBundleURLSchemes"] else { continue }
      schemes += list.elements.prefix(Self.mostEntries - schemes.count).compactMap { entry($0, in: list) }
    }
    if let list = root["LSApplicationQueriesSchemes"] {
      queries = list.elements.prefix(Self.mostEntries).compactMap { entry($0, in: list) }
    }
    if let settings = root["IntuneMAMSettings"] {
      hasIntuneSettings = true
      intune = settings.entries.prefix(Self.mostEntries).compactMap { key, value in
        guard let key = key.string, let entry = entry(value, in: settings) else { return nil }
        return (key, entry)
      }
    }
  }

  /// Each system has keys of its own in every app's file. An iPad app for the Mac has both kinds, and is iOS to MSAL.
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
