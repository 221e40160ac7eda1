import AppRegistration
import DeclaredFields
import Diagnostics
import Documents

struct AndroidAuthoritiesDefault: Rule {
  let id = "android-authorities-default"
  let severity = Diagnostic.Severity.error
  let words = "of several authorities none or more than one is the default"
  let help = """
    With more than one entry in authorities exactly one has "default": true. MSAL for Android throws while it reads the configuration \
    otherwise.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/common", "default": true },
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/adatum.com", "default": 1️⃣true }
      ]
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/common", "default": true },
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/adatum.com" }
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let authorities = file.androidConfig?.authorities, let key = file.node?.entry("authorities")?.key else {
      return []
    }
    let defaults = authorities.value.compactMap(\.value.isDefault).filter(\.value)
    if authorities.value.count > 1, defaults.isEmpty {
      return [
        finding(
          "none of the \(authorities.value.count) authorities is the default",
          help: "write \"default\": true into the one that signs in", at: key.place)
      ]
    }
    guard let first = defaults.first else { return [] }
    return defaults.dropFirst().map {
      finding(
        "another authority is the default already", help: "leave out all but one", at: $0.place,
        related: [.init("the first is here", at: first.place)])
    }
  }
}
