import AppRegistration
import IdentityPlatform

/// Whether the service takes a redirect URI that an app sends for one that is registered.
///
/// The emulated platform compares for itself. It answers requests, so it refuses hosts that a browser may read otherwise and knows
/// neither wildcards nor templates; here, what may well fit is let pass. One comparison for both would be two behind a switch.
enum RedirectMatch {
  /// Custom schemes are compared letter by letter. Of web addresses, scheme and host are compared without regard to case, the path
  /// with it; on the loopback host the port is left aside; a bare host and one with a slash are the same.
  static func matches(_ sent: String, registered: String) -> Bool {
    if sent == registered { return true }
    if AppManifest.isToBeFilledIn(registered) { return fits(sent, template: registered) }
    guard let left = URLParts(sent), let right = URLParts(registered), let scheme = left.scheme?.lowercased(),
      scheme == "http" || scheme == "https", scheme == right.scheme?.lowercased(), let host = left.host?.lowercased(),
      let other = right.host?.lowercased()
    else { return false }
    if other.hasPrefix("*."), host.hasSuffix(other.dropFirst()) { return samePath(left, right) }
    guard host == other, samePath(left, right), left.query == right.query || right.path.hasSuffix("*") else {
      return false
    }
    return left.isLoopback || left.environment == right.environment
  }

  private static func samePath(_ left: URLParts, _ right: URLParts) -> Bool {
    if right.path.hasSuffix("*") { return left.path.hasPrefix(right.path.dropLast()) }
    return left.path == right.path || (left.path + right.path == "/")
  }

  /// Whether a text can be what a template is filled in to: nothing certain is known of what stands in place of a reference.
  private static func fits(_ text: String, template: String) -> Bool {
    let open = template.firstIndex { "$<{[#_".contains($0) } ?? template.endIndex
    return text.lowercased().hasPrefix(template[..<open].lowercased())
  }
}
