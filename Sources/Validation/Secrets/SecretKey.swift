import AppRegistration

/// The names of configuration keys whose values are secrets.
enum SecretKey {
  /// Returns whether the key's value should be a secret. The actual value can be a placeholder or a reference.
  /// - Parameter holder: The key of the mapping or list that contains `key`, or nil at the top level.
  static func isSecret(_ key: String, in holder: String?) -> Bool {
    let name = KeySpelling.folded(key)
    if holder.map(KeySpelling.folded) == "passwordcredentials" { return name == "value" || name == "secrettext" }
    if exact.contains(name) { return true }
    return endings.contains { name.hasSuffix($0) }
  }

  private static let exact: Set<String> = [
    "secret", "password", "pwd", "secretkey", "secretvalue", "secrettext", "accesskey", "storagekey", "functionkey",
    "functionskey", "hostkey", "masterkey", "subscriptionkey", "ocpapimsubscriptionkey", "clientkey", "appkey",
    "idaappkey",
  ]
  private static let endings = [
    "clientsecret", "clientsecretvalue", "appsecret", "applicationsecret", "apisecret", "privatekey",
    "certificatepassword", "sharedaccesskey", "accountkey", "idapassword",
  ]
}
