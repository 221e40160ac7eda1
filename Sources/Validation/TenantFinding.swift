import AppRegistration
import Diagnostics
import IdentityPlatform

extension Rule {
  /// Returns a finding if a tenant is malformed or a sample value, and nil otherwise.
  func tenantFinding(_ tenant: Substring, at place: FileSpan) -> Diagnostic? {
    let text = String(tenant)
    if case .identifier = Authority.Tenant(text) {} else { return nil }
    let help = "use a domain or ID, such as `contoso.onmicrosoft.com` or `7bcd2220-f576-41b0-b47a-de4b6f2ebac1`"
    if GUIDText.isWellFormed(text) {
      guard TemplatePlaceholder.isDummyGUID(text), text.lowercased() != WellKnown.personalTenantID else { return nil }
      return finding(
        "tenant `\(text)` looks like a sample value", severity: .warning,
        help: "copy it from the overview page of the app registration", at: place)
    }
    let isDomain = text.contains(".") && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    return isDomain ? nil : finding("tenant `\(text)` is not a GUID or a domain", help: help, at: place)
  }
}

extension String {
  /// Returns the range of the first occurrence of `text` after the first occurrence of `other`.
  func firstRange(of text: String, after other: String) -> Range<String.Index>? {
    guard let start = firstRange(of: other)?.upperBound else { return nil }
    return self[start...].firstRange(of: text)
  }
}
