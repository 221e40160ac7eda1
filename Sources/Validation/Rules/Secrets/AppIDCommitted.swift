import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AppIDCommitted: Rule {
  let id = "app-id-committed"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let isTutorials = file.kind == .authSettings && FilePath.name(of: file.name).lowercased() == "authsettings.plist"
    guard isTutorials || file.isExample, !file.isIgnored else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let appID = loaded.settings.appID, GUIDText.isWellFormed(appID.value.trimmingWhiteSpace),
        !TemplatePlaceholder.isDummyGUID(appID.value)
      else { return nil }
      return file.isExample
        ? finding("an example holds a real AppId", help: "write YOUR_APP_ID_HERE in its place", at: appID.place)
        : finding(
          "a real AppId stands here, and the tutorial keeps this file out of version control",
          help: "list the file in .gitignore, and commit AuthSettings.example.plist in its place", at: appID.place)
    }
  }
}
