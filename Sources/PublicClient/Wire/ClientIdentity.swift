import HTTPTypes
import IdentityPlatform
import OAuth

/// The identity of the client in requests: `x-client-…` parameters in authorize requests, headers in all others.
struct ClientIdentity: Sendable {
  let configuration: PublicClientConfiguration

  /// The MSAL version whose behavior authflow follows.
  static let msalVersion = "2.13.0"

  /// The parameters in MSAL's order. The operating system is a recent version of the app's platform, which does not affect
  /// responses.
  var parameters: Parameters {
    var parameters: Parameters = [
      "x-client-SKU": configuration.platform == .iOS ? "MSAL.iOS" : "MSAL.OSX", "x-client-Ver": Self.msalVersion,
      "x-client-OS": configuration.platform == .iOS ? "18.0" : "15.0", "x-client-CPU": "64",
    ]
    if configuration.platform == .iOS { parameters.append("x-client-DM", "iPhone") }
    parameters.append("x-app-name", configuration.bundleID)
    parameters.append("x-app-ver", ifPresent: configuration.appVersion)
    return parameters
  }

  /// Returns the headers of a request.
  /// - Parameter anchorMailbox: The account, which the service uses to route the request.
  func headers(correlationID: String, anchorMailbox: String?, telemetry: HTTPFields = [:]) -> HTTPFields {
    var fields: HTTPFields = [.accept: "application/json"]
    func add(_ name: String, _ value: String) {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    add("client-request-id", correlationID)
    // The other headers are only for Microsoft's service.
    guard configuration.authority.kind != .oidc else { return fields }
    add("return-client-request-id", "true")
    for entry in parameters.entries { add(entry.name, entry.value) }
    if let anchorMailbox { add("X-AnchorMailbox", anchorMailbox) }
    add("x-ms-PkeyAuth", "1.0")
    for field in telemetry { fields.append(field) }
    return fields
  }

  /// Returns `Oid:<uid>@<utid>` if the account is known, otherwise `UPN:<login hint>`.
  static func anchorMailbox(account: Account?, clientInfo: ClientInfo? = nil, loginHint: String?) -> String? {
    if let clientInfo { return "Oid:\(clientInfo.uid)@\(clientInfo.utid)" }
    if let account, let tenant = account.homeTenantID { return "Oid:\(account.objectID)@\(tenant)" }
    return loginHint.flatMap { $0.isEmpty ? nil : "UPN:\($0)" }
  }
}
