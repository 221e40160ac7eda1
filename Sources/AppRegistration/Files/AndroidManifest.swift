import Diagnostics
import Documents

/// The sign-in configuration in an AndroidManifest.xml file: the activities that receive redirects.
package struct AndroidManifest: Sendable {
  /// An `<activity>` that takes part in sign-in.
  package struct Activity: Sendable {
    package var name: Positioned<String>
    /// `android:exported` as written.
    package var exported: Positioned<String>?
    package var filters: [Filter] = []
    /// The location of the start tag.
    package var place: FileSpan

    /// Whether this is MSAL's activity, which receives redirects.
    package var isMSALActivity: Bool {
      name.value == "com.microsoft.identity.client.BrowserTabActivity"
        || name.value == "com.microsoft.identity.client.CurrentTaskBrowserTabActivity"
    }
  }

  /// An `<intent-filter>`. Android combines all of its `<data>` elements.
  package struct Filter: Sendable {
    package var actions: [Positioned<String>] = []
    package var categories: [Positioned<String>] = []
    package var data: [RedirectData] = []
    /// The location of the start tag.
    package var place: FileSpan
  }

  /// A `<data>` element: the scheme, host, and path of URIs that the activity opens.
  package struct RedirectData: Sendable {
    package var scheme: Positioned<String>?
    package var host: Positioned<String>?
    /// `android:path`. Android compares it with the decoded path.
    package var path: Positioned<String>?
    /// Whether another attribute restricts the path: `pathPrefix`, `pathPattern`, or `pathSuffix`.
    package var hasPathPattern = false
    package var place: FileSpan

    /// Whether the element matches `msauth.<bundle ID>://auth`, the redirect URI of MSAL for iOS and macOS.
    package var isAppleForm: Bool {
      scheme?.value.lowercased().hasPrefix("msauth.") == true && (host == nil || host?.value == "auth")
    }
  }

  package var source: SourceText
  /// The `package` attribute, which only older manifests have.
  package var package: Positioned<String>?
  /// MSAL's activities, and activities that open URIs with an MSAL scheme.
  package var activities: [Activity] = []
  /// Whether the manifest declares the application with its launcher activity. Manifests of libraries and build
  /// variants do not.
  package var declaresLauncher = false
  /// Whether the launcher activity sets `android:exported`, which Android 12 and later require.
  package var launcherSetsExported = false

  package init(source: SourceText) { self.source = source }

  /// Whether a file starts like an AndroidManifest.xml file: XML with the root element `manifest` and Android's
  /// namespace.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
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
