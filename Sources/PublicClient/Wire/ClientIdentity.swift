import HTTPTypes
import IdentityPlatform
import OAuth

/// How the client introduces itself: `x-client-…` parameters of the authorize request, headers of all others.
struct ClientIdentity: Sendable {
  let configuration: PublicClientConfiguration

  /// The version of MSAL whose behavior is followed.
  static let followedVersion = "2.13.0"

  /// As MSAL orders them. The operating system is the one that the app is for, in a recent version: the answers do not
  /// depend on it.
  var parameters: Parameters {
    var parameters: Parameters = [
      "x-client-SKU": configuration.platform == .iOS ? "MSAL.iOS" : "MSAL.OSX", "x-client-Ver": Self.followedVersion,
      "x-client-OS": configuration.platform == .iOS ? "18.0" : "15.0", "x-client-CPU": "64",
    ]
    if configuration.platform == .iOS { parameters.append("x-client-DM", "iPhone") }
    parameters.append("x-app-name", configuration.bundleID)
    parameters.append("x-app-ver", ifPresent: configuration.appVersion)
    return parameters
  }

  /// - Parameter anchorMailbox: who the request is about, so that the service can route it.
  func headers(correlationID: String, anchorMailbox: String?, telemetry: HTTPFields = [:]) -> HTTPFields {
    var fields: HTTPFields = [.accept: "application/json"]
    func add(_ name: String, _ value: String) {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    add("client-request-id", correlationID)
    // The others are nobody's business but Microsoft's.
    guard configuration.authority.kind != .oidc else { return fields }
    add("return-client-request-id", "true")
    for entry in parameters.entries { add(entry.name, entry.value) }
    if let anchorMailbox { add("X-AnchorMailbox", anchorMailbox) }
    add("x-ms-PkeyAuth", "1.0")
    for field in telemetry { fields.append(field) }
    return fields
  }

  /// `Oid:<uid>@<utid>` where the account is known, else `UPN:<login hint>`.
  static func anchorMailbox(account: Account?, clientInfo: ClientInfo? = nil, loginHint: String?) -> String? {
    if let clientInfo { return "Oid:\(clientInfo.uid)@\(clientInfo.utid)" }
    if let account, let tenant = account.homeTenantID { return "Oid:\(account.objectID)@\(tenant)" }
    return loginHint.flatMap { $0.isEmpty ? nil : "UPN:\($0)" }
  }
}
