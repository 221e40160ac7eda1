import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AppIDCommitted: Rule {
  let id = "app-id-committed"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let isTutorialFile = file.kind == .authSettings && FilePath.name(of: file.name).lowercased() == "authsettings.plist"
    guard isTutorialFile || file.isExample, !file.isIgnored else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let appID = loaded.settings.appID, GUIDText.isWellFormed(appID.value.trimmingWhiteSpace),
        !TemplatePlaceholder.isDummyGUID(appID.value)
      else { return nil }
      return file.isExample
        ? finding("real `AppId` in an example file", help: "replace it with `YOUR_APP_ID_HERE`", at: appID.place)
        : finding(
          "real `AppId` in a file that the tutorial excludes from version control",
          help: "add the file to `.gitignore`, and commit `AuthSettings.example.plist` instead", at: appID.place)
    }
  }
}
