import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `/{tenant}/oauth2/v2.0/devicecode`: starts a sign-in on another device (RFC 8628 §3.1).
enum DeviceCodeEndpoint {
  /// Letters and digits that are easy to distinguish (RFC 8628 §6.1).
  private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    do throws(ErrorResponse) {
      guard exchange.method == .post else { throw ErrorResponse(900561) }
      let client = try platform.client(exchange.form["client_id"], in: realm, host: exchange.host)
      let scope = isVersion1 ? Platform.scope(ofResource: exchange.form["resource"]) : exchange.form["scope"] ?? ""
      guard !scope.trimmingSpaces().isEmpty else { throw TokenRequest.missing("scope") }
      _ = try platform.scopesForTokens(scope, client: client, tenantID: realm.tenantID)
      let userCode = String((0..<9).map { _ in letters[platform.randomness.number(below: letters.count)] })
      let deviceCode = Base64URL.encode(platform.randomness.bytes(48))
      let lifetime = platform.lifetimes.deviceCode
      let device = DeviceSignIn(
        userCode: userCode, clientID: client.appId, scope: scope, tenantSegment: realm.segment,
        expires: exchange.now + lifetime)
      platform.withState { $0.add(device, code: deviceCode, now: exchange.now) }
      let page =
        HostKind(exchange.host) == nil
        ? exchange.base + DevicePageEndpoint.path(exchange) : "https://microsoft.com/devicelogin"
      var members: OrderedDictionary<String, JSON> = [
        "user_code": .string(userCode), "device_code": .string(deviceCode),
        isVersion1 ? "verification_url" : "verification_uri": .string(page),
      ]
      func number(_ name: String, _ value: Int64) {
        members[name] = isVersion1 ? .string(String(value)) : .integer(value)
      }
      number("expires_in", lifetime.components.seconds)
      number("interval", max(1, platform.lifetimes.deviceCodeInterval.components.seconds))
      members["message"] = .string(
        "To sign in, open the page \(page) in a web browser and enter the code \(userCode).")
      return ResponseBuilder.json(.object(members), to: exchange)
    } catch {
      return error.response(to: exchange)
    }
  }
}
