import AppRegistration
import Diagnostics
import Documents

struct AndroidExported: Rule {
  let id = "android-exported"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidManifest?.activities ?? []).compactMap { activity in
      guard activity.isMSALActivity, !activity.filters.isEmpty else { return nil }
      guard let exported = activity.exported else {
        return finding(
          "`\(activity.name.value)` does not set `android:exported`", severity: .note,
          help: "add `android:exported=\"true\"`, which Android 12 requires unless MSAL's manifest sets it",
          at: activity.place)
      }
      guard exported.value == "false" else { return nil }
      return finding(
        "the browser cannot start an activity that is not exported", help: "set `android:exported` to `true`",
        at: exported.place, fix: file.replacing(exported, with: "true"))
    }
  }
}
