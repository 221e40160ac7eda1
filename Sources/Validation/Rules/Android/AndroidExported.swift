import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidExported: Rule {
  let id = "android-exported"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]
  let words = "MSAL's activity is not open to the browser"
  let help = """
    The browser starts BrowserTabActivity with the answer, so that it must be exported. Since Android 12 an activity with an intent \
    filter must say so itself; newer versions of MSAL say it in a manifest of their own, which the build merges.
    """
  let bad = RuleExample(
    "AndroidManifest.xml",
    #"""
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application>
        <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="1️⃣false">
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
    (file.androidManifest?.activities ?? []).compactMap { activity in
      guard activity.isMSALs, !activity.filters.isEmpty else { return nil }
      guard let exported = activity.exported else {
        return finding(
          "\(activity.name.value) does not say android:exported", severity: .note,
          help: "add android:exported=\"true\": Android 12 demands it where MSAL's own manifest does not say it",
          at: activity.place)
      }
      guard exported.value == "false" else { return nil }
      return finding(
        "the browser cannot start an activity that is not exported", help: "write true", at: exported.place,
        fix: file.replacing(exported, with: "true"))
    }
  }
}
