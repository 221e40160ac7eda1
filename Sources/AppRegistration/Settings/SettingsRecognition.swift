import Documents
import Effects
import IdentityPlatform

/// Distinguishes settings for MSAL from other files with `clientId`, `appId`, or scopes.
enum SettingsRecognition {
  /// Whether a mapping has a key that is specific to MSAL settings, or a client ID together with a Microsoft platform
  /// value.
  static func isSettings(_ root: Node) -> Bool {
    var evidence = Evidence()
    evidence.entries = root.count
    for (key, value) in root.entries {
      guard let spelling = key.string else { continue }
      let folded = spelling.lowercased()
      if foreignKeys.contains(folded) || folded.hasPrefix("$schema") { return false }
      if ownKeys.contains(folded) || folded.hasPrefix("ida:") { evidence.ownKeys += 1 }
      if let field = AppSettings.fields.field(named: spelling) {
        evidence.declared += 1
        if field.key == "AppId" { evidence.record(clientID: value, spelling) }
      }
      if containsMicrosoftValue(value) { evidence.hasMicrosoftValue = true }
    }
    if let clientID = evidence.clientID {
      if evidence.ownKeys > 0 || evidence.hasMicrosoftValue || clientID == .guid { return true }
      return clientID == .exact && (evidence.declared > 1 || evidence.declared == evidence.entries)
    }
    // Without a client ID, a Microsoft URL is not sufficient in settings for another library.
    return evidence.declared >= 2 && (evidence.ownKeys > 0 || evidence.hasMicrosoftValue && !NonMSALSettings.own(root))
  }

  private struct Evidence {
    enum ClientID { case guid, exact, other }
    var clientID: ClientID?
    var ownKeys = 0
    var declared = 0
    var entries = 0
    var hasMicrosoftValue = false

    mutating func record(clientID node: Node, _ spelling: String) {
      let text = node.string ?? ""
      if GUIDText.hidden(in: text) != nil || Definitions.containsReference(text) {
        clientID = .guid
      } else if clientID != .guid {
        clientID = spelling == "AppId" ? .exact : .other
      }
    }
  }

  /// Whether a value, or an element of a list, is a Microsoft platform URL or an MSAL redirect URI.
  private static func containsMicrosoftValue(_ node: Node) -> Bool {
    if node.kind == .array { return node.elements.contains { $0.kind == .string && containsMicrosoftValue($0) } }
    guard let text = node.string, text.utf8.count <= TemplatePlaceholder.longestText else { return false }
    if text.hasPrefix("msauth.") || text.hasPrefix("msauth://") { return true }
    guard text.contains("://"), let host = URLReference(valid: text)?.host else { return false }
    return Cloud.containing(host: host) != nil || Cloud.withGraph(host: host) != nil || Authority.hasB2CHost(host)
      || Authority.hasCIAMHost(host) || host == "graph.windows.net"
  }

  /// Keys that are specific to MSAL settings.
  private static let ownKeys: Set<String> = [
    "graphscopes", "graph_scopes", "graphuserscopes", "aadclientid", "aadscopes", "aadtenantid", "aadredirecturi",
    "aadauthority", "aadcloud", "msalclientid", "msalauthority", "msalredirecturi", "authoritytype", "knownauthorities",
    "known_authorities", "aadauthorityaudience", "azurecloudinstance", "bypassredirecturivalidation",
    "validateauthority", "multiplecloudssupported", "nestedauthbrokerclientid", "nestedauthbrokerredirecturi",
    "brokeravailability", "isaadauthenabled", "resourceid", "resourcestring",
  ]

  /// Keys in other products' files that contain a client or app ID: Okta, Google, Firebase, Capacitor, Expo, AWS.
  private static let foreignKeys: Set<String> = [
    "issuer", "discoveryuri", "discovery_uri", "reversed_client_id", "google_app_id", "gcm_sender_id", "project_info",
    "private_key_id", "client_x509_cert_url", "auth_uri", "webdir", "bundledwebruntime", "expo", "messagingsenderid",
    "storagebucket", "aws_project_region", "userpoolid", "manifestversion", "instrumentationkey", "logoutredirecturi",
    "end_session_endpoint",
  ]
}
