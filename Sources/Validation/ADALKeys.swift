import AppRegistration
import Documents

/// Keys and values of settings for ADAL.
enum ADALKeys {
  /// The entry for the resource that ADAL requested tokens for.
  static func resource(in root: Node) -> (key: Node, value: Node)? {
    root.entries.first { key, value in
      value.kind == .string && key.string.map { resources.contains(KeySpelling.folded($0)) } == true
    }.map { (key: $0.key, value: $0.value) }
  }

  private static let resources: Set<String> = [
    "resource", "resourceid", "resourcestring", "resourceuri", "resourceurl", "resourceidentifier", "adalresource",
    "adalresourceid", "aadresource", "aadresourceid", "graphresourceid", "idaresource", "idaresourceid",
    "idagraphresourceid", "kresourceid",
  ]

  /// Whether fixes would migrate the settings only in part, because their resource has no corresponding scope. Such
  /// settings get no fixes for the migration from ADAL.
  static func needsManualMigration(_ file: ValidatedFile) -> Bool {
    guard file.kind == .authSettings, let root = file.node, let text = resource(in: root)?.value.string,
      !text.isEmpty, !file.loadedSettings.contains(where: { $0.settings.scopes != nil })
    else { return false }
    return isAzureADGraph(text) || ADALResource.scope(for: text) == nil
  }

  /// Whether a resource is Azure AD Graph, identified by its URL or application ID.
  static func isAzureADGraph(_ text: String) -> Bool {
    let lower = text.prefix(100).lowercased()
    return lower.hasPrefix("https://graph.windows.net") || lower.hasPrefix("https://graph.chinacloudapi.cn")
      || lower.hasPrefix("https://graph.microsoftazure.us") || lower.hasPrefix("https://graph.cloudapi.de")
      || lower.hasPrefix("00000002-0000-0000-c000-000000000000")
  }
}
