import AppRegistration
import Documents

/// Keys and values in ADAL settings.
enum ADALKeys {
  /// Returns the entry that specifies the resource for which ADAL requested tokens.
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

  /// Returns whether the settings require manual migration, because no scope corresponds to their resource. The
  /// migration rules do not offer fixes for such settings.
  static func needsManualMigration(_ file: ValidatedFile) -> Bool {
    guard file.kind == .authSettings, let root = file.node, let text = resource(in: root)?.value.string,
      !text.isEmpty, !file.loadedSettings.contains(where: { $0.settings.scopes != nil })
    else { return false }
    return isAzureADGraph(text) || ADALResource.scope(for: text) == nil
  }

  /// Returns whether the text is the URL or application ID of Azure AD Graph.
  static func isAzureADGraph(_ text: String) -> Bool {
    let lower = text.prefix(100).lowercased()
    return lower.hasPrefix("https://graph.windows.net") || lower.hasPrefix("https://graph.chinacloudapi.cn")
      || lower.hasPrefix("https://graph.microsoftazure.us") || lower.hasPrefix("https://graph.cloudapi.de")
      || lower.hasPrefix("00000002-0000-0000-c000-000000000000")
  }
}
