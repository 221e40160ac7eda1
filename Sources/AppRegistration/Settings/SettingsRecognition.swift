import Documents
import IdentityPlatform

/// Tells an app's settings for Microsoft's platform from the many other files that also hold a `clientId`, an `appId` or scopes.
enum SettingsRecognition {
  /// A key that only such settings have, or a client id together with anything that is Microsoft's.
  static func isSettings(_ root: Node) -> Bool {
    var facts = Facts()
    facts.entries = root.count
    for (key, value) in root.entries {
      guard let spelling = key.string else { continue }
      let folded = spelling.lowercased()
      if foreign.contains(folded) || folded.hasPrefix("$schema") { return false }
      if ownKeys.contains(folded) || folded.hasPrefix("ida:") { facts.ownKeys += 1 }
      if let field = AppSettings.fields.field(named: spelling) {
        facts.declared += 1
        if field.key == "AppId" { facts.note(clientID: value, spelling) }
      }
      if holdsSomethingOfMicrosofts(value) { facts.isMicrosofts = true }
    }
    if let clientID = facts.clientID {
      if facts.ownKeys > 0 || facts.isMicrosofts || clientID == .guid { return true }
      return clientID == .exact && (facts.declared > 1 || facts.declared == facts.entries)
    }
    // Without a client id an address of Microsoft's is too little in what was written for another library.
    return facts.declared >= 2 && (facts.ownKeys > 0 || facts.isMicrosofts && !NonMSALSettings.own(root))
  }

  private struct Facts {
    enum ClientID { case guid, exact, other }
    var clientID: ClientID?
    var ownKeys = 0
    var declared = 0
    var entries = 0
    var isMicrosofts = false

    mutating func note(clientID node: Node, _ spelling: String) {
      let text = node.string ?? ""
      if GUIDText.hidden(in: text) != nil || Definitions.holdsReference(text) {
        clientID = .guid
      } else if clientID != .guid {
        clientID = spelling == "AppId" ? .exact : .other
      }
    }
  }

  /// Whether a value, or an element of a list, is an address of Microsoft's platform or one of MSAL's redirect URIs.
  private static func holdsSomethingOfMicrosofts(_ node: Node) -> Bool {
    if node.kind == .array { return node.elements.contains { $0.kind == .string && holdsSomethingOfMicrosofts($0) } }
    guard let text = node.string, text.utf8.count <= TemplatePlaceholder.longestText else { return false }
    if text.hasPrefix("msauth.") || text.hasPrefix("msauth://") { return true }
    guard text.contains("://"), let host = URLParts(text)?.host?.lowercased() else { return false }
    return Cloud.containing(host: host) != nil || Cloud.withGraph(host: host) != nil || Authority.hasB2CHost(host)
      || Authority.hasCIAMHost(host) || host == "graph.windows.net"
  }

  /// Keys of these settings that nobody else has.
  private static let ownKeys: Set<String> = [
    "graphscopes", "graph_scopes", "graphuserscopes", "aadclientid", "aadscopes", "aadtenantid", "aadredirecturi",
    "aadauthority", "aadcloud", "msalclientid", "msalauthority", "msalredirecturi", "authoritytype", "knownauthorities",
    "known_authorities", "aadauthorityaudience", "azurecloudinstance", "bypassredirecturivalidation",
    "validateauthority", "multiplecloudssupported", "nestedauthbrokerclientid", "nestedauthbrokerredirecturi",
    "brokeravailability", "isaadauthenabled", "resourceid", "resourcestring",
  ]

  /// Keys of other products' files that hold a client or app id as well: Okta, Google, Firebase, Capacitor, Expo, AWS.
  private static let foreign: Set<String> = [
    "issuer", "discoveryuri", "discovery_uri", "reversed_client_id", "google_app_id", "gcm_sender_id", "project_info",
    "private_key_id", "client_x509_cert_url", "auth_uri", "webdir", "bundledwebruntime", "expo", "messagingsenderid",
    "storagebucket", "aws_project_region", "userpoolid", "manifestversion", "instrumentationkey", "logoutredirecturi",
    "end_session_endpoint",
  ]
}
