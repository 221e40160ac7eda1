import AppRegistration
import Diagnostics
import IdentityPlatform

extension Rule {
  /// A finding about a tenant that no service could know.
  func judgeTenant(_ tenant: Substring, at place: FileSpan) -> Diagnostic? {
    let text = String(tenant)
    if case .identifier = Authority.Tenant(text) {} else { return nil }
    let help = "write it like contoso.onmicrosoft.com or 7bcd2220-f576-41b0-b47a-de4b6f2ebac1"
    if GUIDText.isWellFormed(text) {
      guard TemplatePlaceholder.isDummyGUID(text), text.lowercased() != WellKnown.personalTenantID else { return nil }
      return finding(
        "the tenant \(text) looks made up", severity: .warning,
        help: "copy it from the overview page of the registration",
        at: place)
    }
    let isDomain = text.contains(".") && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    return isDomain ? nil : finding("the tenant \"\(text)\" is neither a GUID nor a domain", help: help, at: place)
  }
}

extension String {
  /// Where a text stands behind the first occurrence of another.
  func firstRange(of text: String, after other: String) -> Range<String.Index>? {
    guard let start = firstRange(of: other)?.upperBound else { return nil }
    return self[start...].firstRange(of: text)
  }
}
