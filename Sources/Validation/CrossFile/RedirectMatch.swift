import AppRegistration
import Effects
import IdentityPlatform

/// Compares an app's redirect URI with a registered URI as the service does.
///
/// The emulator has a separate, stricter comparison, which rejects hosts that browsers interpret differently and does
/// not support wildcards or templates. Validation accepts all URIs that can match.
enum RedirectMatch {
  /// Returns whether a redirect URI matches a registered URI. URIs with custom schemes must be equal. In web addresses,
  /// the scheme and host are case-insensitive, and the path is case-sensitive. The port of a loopback host is ignored
  /// (RFC 8252, section 7.3). An empty path equals `/`.
  static func matches(_ sent: String, registered: String) -> Bool {
    if sent == registered { return true }
    if AppManifest.isToBeFilledIn(registered) { return mayMatch(sent, template: registered) }
    guard let left = URLReference(valid: sent), let right = URLReference(valid: registered),
      let scheme = left.scheme?.lowercased(),
      scheme == "http" || scheme == "https", scheme == right.scheme?.lowercased(), let host = left.host,
      let other = right.host
    else { return false }
    if other.hasPrefix("*."), host.hasSuffix(other.dropFirst()) { return samePath(left, right) }
    guard host == other, samePath(left, right), left.query == right.query || right.path.hasSuffix("*") else {
      return false
    }
    return left.isLoopback || left.environment == right.environment
  }

  private static func samePath(_ left: URLReference, _ right: URLReference) -> Bool {
    if right.path.hasSuffix("*") { return left.path.hasPrefix(right.path.dropLast()) }
    return left.path == right.path || (left.path + right.path == "/")
  }

  /// Returns whether a template may expand to the given text. Only the part before the first reference is compared.
  private static func mayMatch(_ text: String, template: String) -> Bool {
    let reference = template.firstIndex { "$<{[#_".contains($0) } ?? template.endIndex
    return text.lowercased().hasPrefix(template[..<reference].lowercased())
  }
}
