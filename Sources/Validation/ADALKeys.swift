import Documents

/// How ADAL's settings were spelled.
enum ADALKeys {
  /// The entry that names the resource a token was asked for.
  static func resource(in root: Node) -> (key: Node, value: Node)? {
    root.entries.first { key, value in
      value.kind == .string && key.string.map { resources.contains(folded($0)) } == true
    }.map { (key: $0.key, value: $0.value) }
  }

  static func folded(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }

  private static let resources: Set<String> = [
    "resource", "resourceid", "resourcestring", "resourceuri", "resourceurl", "resourceidentifier", "adalresource",
    "adalresourceid", "aadresource", "aadresourceid", "graphresourceid", "idaresource", "idaresourceid",
    "idagraphresourceid", "kresourceid",
  ]

  /// Whether a resource is Azure AD Graph, by its address or its application id.
  static func isAzureADGraph(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lower.hasPrefix("https://graph.windows.net") || lower.hasPrefix("https://graph.chinacloudapi.cn")
      || lower.hasPrefix("https://graph.microsoftazure.us") || lower.hasPrefix("https://graph.cloudapi.de")
      || lower.hasPrefix("00000002-0000-0000-c000-000000000000")
  }
}
