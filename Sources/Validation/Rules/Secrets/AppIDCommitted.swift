import AppRegistration
import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

struct AppIDCommitted: Rule {
  let id = "app-id-committed"
  let severity = Diagnostic.Severity.note
  let words =
    "a real AppId in a sample file, or in a file that tutorials keep out of version control"
  let help = """
    A client id is no secret, and a public client gives it away with every request. Still, others who copy the file sign in as this
    app. Microsoft's Graph tutorials tell their readers to keep AuthSettings.plist out of version control and to commit only the
    example file, with a placeholder in it.
    """
  let bad = RuleExample(
    "AuthSettings.example.yaml",
    #"""
    AppId: 1️⃣6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#)
  let good = RuleExample(
    "Settings.yaml",
    #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#)

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
