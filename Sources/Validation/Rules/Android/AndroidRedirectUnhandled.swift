import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidRedirectUnhandled: Rule {
  let id = "android-redirect-unhandled"
  let severity = Diagnostic.Severity.warning
  let words = "no intent filter of the app opens the configuration's redirect URI"
  let help = """
    After sign-in the browser opens the redirect URI, and BrowserTabActivity must have a filter with its scheme, host and path. MSAL \
    looks for one before it signs in and throws app_manifest_validation_error where there is none.
    """
  let bad = RuleExample([
    (
      "app/src/main/res/raw/auth_config.json",
      #"""
      {
        "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "redirect_uri": 1️⃣"msauth://com.contoso.app/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D"
      }
      """#
    ),
    (
      "app/src/main/AndroidManifest.xml",
      #"""
      <manifest xmlns:android="http://schemas.android.com/apk/res/android">
        <application>
          <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="true">
            <intent-filter>
              <action android:name="android.intent.action.VIEW" />
              <category android:name="android.intent.category.DEFAULT" />
              <category android:name="android.intent.category.BROWSABLE" />
              <data android:scheme="msauth" android:host="com.contoso.app" android:path="/Zm9vYmFyYmF6cXV4Zm9vYmFyYmE=" />
            </intent-filter>
          </activity>
        </application>
      </manifest>
      """#
    ),
  ])
  let good = RuleExample([
    (
      "app/src/main/res/raw/auth_config.json",
      #"""
      {
        "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "redirect_uri": "msauth://com.contoso.app/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D"
      }
      """#
    ),
    (
      "app/src/main/AndroidManifest.xml",
      #"""
      <manifest xmlns:android="http://schemas.android.com/apk/res/android">
        <application>
          <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="true">
            <intent-filter>
              <action android:name="android.intent.action.VIEW" />
              <category android:name="android.intent.category.DEFAULT" />
              <category android:name="android.intent.category.BROWSABLE" />
              <data android:scheme="msauth" android:host="com.contoso.app" android:path="/Qk9/SHFmcTFzT3BtT2FkT3JzYVk=" />
            </intent-filter>
          </activity>
        </application>
      </manifest>
      """#
    ),
  ])

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, let redirect = config.redirect, isJudged(redirect), !file.isExample,
      // Inside a web view MSAL takes the answer itself.
      config.userAgent?.value.uppercased() != "WEBVIEW"
    else { return [] }
    let filters = project.app(of: file).summary.androidFilters
    // Without any filter of MSAL's in sight it stands elsewhere: in a library's manifest, or one that is made at build time.
    guard !filters.places.isEmpty, !filters.mayOpen(redirect) else { return [] }
    return [
      finding(
        "no intent filter of BrowserTabActivity opens this redirect URI", help: help(redirect, filters),
        at: redirect.written.place, related: filters.places.map { .init("a filter is here", at: $0) })
    ]
  }

  /// What is wrong with the URI itself is told by other rules.
  private func isJudged(_ redirect: AndroidRedirect) -> Bool {
    guard !redirect.isEndless, redirect.scheme != nil, redirect.host != nil, !redirect.isWeb, !redirect.isAppleForm,
      !redirect.written.isReference,
      TemplatePlaceholder.find(in: redirect.written.value) == nil
    else { return false }
    let hash = PercentText.decode(redirect.hash ?? "")
    return !SignatureHash.isDummy(hash) && !SignatureHash.isItsName(hash) && !redirect.path.contains("%25")
  }

  private func help(_ redirect: AndroidRedirect, _ filters: AndroidRedirectFilters) -> String {
    let path = PercentText.decode(redirect.path)
    if filters.name(redirect.host) {
      return path.isEmpty
        ? "remove android:path, or write the path into the redirect URI as well"
        : "let android:path be \(path), or write the redirect URI of the filter's"
    }
    let end = path.isEmpty ? "" : ", and the path \(path)"
    return "add a filter with the scheme \(redirect.scheme ?? "") and the host \(redirect.host ?? "")\(end)"
  }
}
