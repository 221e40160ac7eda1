import Diagnostics
import Documents

/// What an AndroidManifest.xml says about signing in: who gets the answers.
package struct AndroidManifest: Sendable {
  /// One `<activity>` that takes part in signing in.
  package struct Activity: Sendable {
    package var name: Positioned<String>
    /// `android:exported` as it is written.
    package var exported: Positioned<String>?
    package var filters: [Filter] = []
    /// The start tag.
    package var place: FileSpan

    /// Whether MSAL's own activity receives the answer.
    package var isMSALs: Bool {
      name.value == "com.microsoft.identity.client.BrowserTabActivity"
        || name.value == "com.microsoft.identity.client.CurrentTaskBrowserTabActivity"
    }
  }

  /// One `<intent-filter>`; Android joins all its `<data>` elements into one description.
  package struct Filter: Sendable {
    package var actions: [Positioned<String>] = []
    package var categories: [Positioned<String>] = []
    package var data: [RedirectData] = []
    /// The start tag.
    package var place: FileSpan
  }

  /// One `<data>`: the scheme, host and path of the URIs that the activity opens.
  package struct RedirectData: Sendable {
    package var scheme: Positioned<String>?
    package var host: Positioned<String>?
    /// `android:path`, which Android compares with the path decoded.
    package var path: Positioned<String>?
    /// Whether another attribute describes paths: `pathPrefix`, `pathPattern`, `pathSuffix`.
    package var hasPathPattern = false
    package var place: FileSpan

    /// Whether it opens `msauth.<bundle id>://auth`, the redirect URI of MSAL for iOS and macOS.
    package var isAppleForm: Bool {
      scheme?.value.lowercased().hasPrefix("msauth.") == true && (host == nil || host?.value == "auth")
    }
  }

  package var source: SourceText
  /// `package`, where the manifest still names it.
  package var package: Positioned<String>?
  /// The activities that MSAL brings, and those that open URIs of a scheme of MSAL's.
  package var activities: [Activity] = []
  /// Whether it declares an application with its launcher: libraries and variants add to one that stands elsewhere.
  package var isAppsOwn = false
  /// Whether the launcher says `android:exported`, which Android demands since version 12.
  package var launcherSaysExported = false

  package init(source: SourceText) { self.source = source }

  /// Whether bytes begin an AndroidManifest: XML whose root is `manifest`, with Android's attributes.
  package static func isOne(_ bytes: [UInt8]) -> Bool {
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func skip(past end: String) -> Bool {
      let mark = Array(end.utf8)
      while index + mark.count <= bytes.count {
        if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
          index += mark.count
          return true
        }
        index += 1
      }
      return false
    }
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "<"):
        let rest = bytes[index...]
        if rest.starts(with: "<?".utf8) {
          guard skip(past: "?>") else { return false }
        } else if rest.starts(with: "<!--".utf8) {
          guard skip(past: "-->") else { return false }
        } else {
          guard rest.starts(with: "<manifest".utf8), rest.count > 9 else { return false }
          let start = index
          guard skip(past: ">") else { return false }
          return contains("http://schemas.android.com/", bytes[start..<index])
        }
      default: return false
      }
    }
    return false
  }

  private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
