import DeclaredFields
import Diagnostics
import Documents

/// What an app's Info.plist says about signing in.
package struct InfoPlist: Sendable {
  package var bundleID: Located<String>?
  /// `CFBundleVersion`, which MSAL sends as the app's version.
  package var version: Located<String>?
  /// Every scheme of `CFBundleURLTypes`, in order.
  package var urlSchemes: [Located<String>] = []
  /// `LSApplicationQueriesSchemes`; nil where the key is absent.
  package var querySchemes: Located<[Located<String>]>?
  /// Whether it belongs to an app extension, which opens no URLs and needs no schemes.
  package var isAppExtension = false

  private var urlTypes: [URLType] = []

  /// One entry of `CFBundleURLTypes`.
  package struct URLType: Sendable {
    package var schemes: [Located<String>] = []
  }

  package init() {}

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
                ]),
              empty: URLType())),
          into: \.urlTypes, "the URLs that open the app"),
        Field(
          "LSApplicationQueriesSchemes", Codec<[Located<String>]>.list(of: text.located).located, into: \.querySchemes,
          "the schemes that the app may ask about"),
        Field("NSExtension", schema: true, "present in the Info.plist of an app extension") { _, plist, _ in
          plist.isAppExtension = true
        },
      ])
  }

  /// Reads what concerns signing in; everything else in the file is Apple's.
  package static func read(_ root: Node, filling definitions: Definitions, _ problems: inout Problems) -> InfoPlist {
    var plist = InfoPlist()
    var own = Problems()
    _ = fields(filling: definitions).read(root, into: &plist, &own)
    // A near miss of the few keys read here is far more often another of Apple's many keys.
    problems.add(contentsOf: own.diagnostics.filter { $0.rule != "unknown-key" })
    plist.urlSchemes = plist.urlTypes.flatMap(\.schemes)
    return plist
  }
}
