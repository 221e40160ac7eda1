import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidAuthorityPlaceholder: Rule {
  let id = "android-authority-placeholder"
  let severity = Diagnostic.Severity.error
  let words = "an Android authority is still to be filled in"
  let help = """
    Samples leave the tenant, or the user flow of B2C, to their readers. The overview page of the registration shows the tenant id, \
    B2C's page of user flows the names of the policies.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [
        { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/1️⃣<policy>/" }
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
        { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin/" }
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).flatMap { entry -> [Diagnostic] in
      // Where the address stands, the audience is not read.
      let values = [entry.url ?? entry.audience?.value.tenantID].compactMap { $0 }
      return values.compactMap { value in
        guard !value.isReference, let placeholder = TemplatePlaceholder.find(in: value.value) else { return nil }
        let help =
          placeholder.lowercased().contains("policy")
          ? "write the user flow's name, such as B2C_1_signin" : "write your tenant's id or domain in its place"
        return finding(
          "the authority still holds a placeholder: \(placeholder)", help: help, at: placeOf(placeholder, in: value))
      }
    }
  }
}
