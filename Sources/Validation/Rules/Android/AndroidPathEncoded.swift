import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidPathEncoded: Rule {
  let id = "android-path-encoded"
  let severity = Diagnostic.Severity.error
  let words = "android:path is percent-encoded, or does not begin with a slash"
  let help = """
    Android compares android:path with the decoded path of the URI, so that the signature hash stands there as keytool gave it, with \
    a slash before it: /Ab3…=. With %3D in it no URI ever fits, and MSAL says that the intent filter is missing.
    """
  let bad = RuleExample(
    "AndroidManifest.xml",
    #"""
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application>
        <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="true">
          <intent-filter>
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data android:scheme="msauth" android:host="com.contoso.app" android:path="1️⃣/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D" />
          </intent-filter>
        </activity>
      </application>
    </manifest>
    """#)
  let good = RuleExample(
    "AndroidManifest.xml",
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
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.redirectPaths.compactMap { path in
      guard !path.isBlank, TemplatePlaceholder.find(in: path.value) == nil else { return nil }
      let decoded = PercentText.decode(path.value)
      let meant = decoded.hasPrefix("/") ? decoded : "/" + decoded
      let hash = meant.dropFirst()
      let isHash = SignatureHash.isWellFormed(hash)
      if decoded != path.value, isHash || PercentText.encodeBase64(decoded) == path.value.replacing("/", with: "%2F") {
        return say("android:path is percent-encoded: no URI ever fits it", meant, path, isHash ? file : nil)
      }
      guard !path.value.hasPrefix("/") else { return nil }
      // Whether a percent sign is meant as one is not known.
      return say(
        "android:path must begin with a slash", "/" + path.value, path, path.value.contains("%") ? nil : file)
    }
  }

  /// - Parameter file: where the change is to be made; nil where it is not certain.
  private func say(_ message: String, _ meant: String, _ path: Positioned<String>, _ file: ValidatedFile?) -> Diagnostic
  {
    finding(message, help: "write \(meant)", at: path.place, fix: file?.replacing(path, with: meant))
  }
}
