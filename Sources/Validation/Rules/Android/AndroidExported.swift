import AppRegistration
import Diagnostics
import Documents

struct AndroidExported: Rule {
  let id = "android-exported"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

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
