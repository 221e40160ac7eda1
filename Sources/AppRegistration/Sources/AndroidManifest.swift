import DeclaredFields
import Diagnostics
import Documents

/// What an AndroidManifest.xml says about signing in: who gets the answers.
package struct AndroidManifest: Sendable {
  /// One `<data>` of an activity's `VIEW` filter.
  package struct RedirectFilter: Sendable {
    package var scheme: Located<String>?
    package var host: Located<String>?
    /// `android:path`, not percent-encoded.
    package var path: Located<String>?
    package var place: Place

    package init(place: Place) { self.place = place }
  }

  /// `package`, where the manifest still names it.
  package var package: Located<String>?
  /// The filters of `com.microsoft.identity.client.BrowserTabActivity`; nil where the activity is absent.
  package var browserTabFilters: Located<[RedirectFilter]>?

  package init() {}

  /// Whether bytes begin an AndroidManifest: XML whose root is `manifest`.
  package static func isOne(_ bytes: [UInt8]) -> Bool { false }

  /// Reads a manifest.
  package static func read(_ bytes: [UInt8], named name: String) -> (manifest: AndroidManifest?, [Diagnostic]) {
    (nil, [])
  }
}
