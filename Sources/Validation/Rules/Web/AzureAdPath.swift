import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct AzureAdPath: Rule {
  let id = "azure-ad-path"
  let severity = Diagnostic.Severity.error
  let words = "CallbackPath, or another path of an AzureAd section, does not begin with a slash"
  let help = """
    The paths at which the app answers are parts of its own addresses: /signin-oidc, /signout-callback-oidc. ASP.NET Core throws at \
    start where one does not begin with a slash; the redirect URI is made of the request's host and this path.
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "CallbackPath": "1️⃣signin-oidc",
        "SignedOutCallbackPath": "1️⃣https://localhost:5001/signout-callback-oidc"
      }
    }
    """#)
  let good = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "CallbackPath": "/signin-oidc",
        "SignedOutCallbackPath": "/signout-callback-oidc"
      }
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap(\.paths).compactMap { key, path in
      guard !path.isReference, !path.isBlank, !path.value.hasPrefix("/"),
        TemplatePlaceholder.find(in: path.value) == nil
      else {
        return nil
      }
      let meant = Self.path(path.value)
      return finding(
        "\(key) must begin with a slash", help: "write \(meant ?? "/signin-oidc")", at: path.place(of: path.value[...]),
        fix: meant.flatMap { file.replacing(path, with: $0) })
    }
  }

  /// The path that is meant: of a whole address its own, of anything else the same behind a slash.
  private static func path(_ text: String) -> String? {
    guard text.contains("://") else {
      return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) } ? "/" + text : nil
    }
    guard let path = URLParts(text)?.path, path.count > 1 else { return nil }
    return path
  }
}
