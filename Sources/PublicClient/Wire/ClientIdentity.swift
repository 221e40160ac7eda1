import HTTPTypes
import IdentityPlatform
import OAuth

/// The values that identify the client in requests. Authorize requests send them as `x-client-…` parameters, and all
/// other requests send them as headers.
struct ClientIdentity: Sendable {
  let configuration: PublicClientConfiguration

  /// The MSAL version whose behavior authflow follows.
  static let msalVersion = "2.13.0"

  /// The parameters, in the same order as in MSAL. The operating system is a recent version of the app's platform. The
  /// version does not affect responses.
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

  /// Returns the headers for a request.
  /// - Parameter anchorMailbox: The ID of the account. The service uses this value to route the request.
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
