import AppRegistration

/// The names under which secrets stand in configurations.
enum SecretKey {
  /// Whether a key's value is a secret where it is plausible as one.
  /// - Parameter holder: the key of the mapping or list that holds it.
  static func names(_ key: String, in holder: String?) -> Bool {
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
