import Effects
import IdentityPlatform

/// Facts from parameters, response members, headers, and URLs.
enum WireFacts {
  /// A closure that returns the facts that a lowercase value indicates, and the names under which the value is
  /// captured.
  typealias Reader = @Sendable (_ value: String) -> [(fact: String?, capture: String?)]

  /// The readers by lowercase key.
  static let readers: [String: Reader] = {
    var readers: [String: Reader] = [:]
    func add(_ keys: [String], _ reader: @escaping Reader) { for key in keys { readers[key] = reader } }
    add(["error", "errorcode", "error_code", "msaloautherrorkey", "autherrorcode"]) { symbol($0, "oauth") + code($0) }
    add(["suberror", "sub_error", "msaloauthsuberrorkey"]) { symbol($0, "suberror") }
    add(["error_codes", "errorcodes", "msalstserrorcodeskey"]) { value in
      numbers(in: value).map { ("aadsts:\($0)", nil) }
    }
    add(["msalinternalerrorcodekey"]) { [("internal:\($0)", nil)] }
    add(["code"]) { value in Int(value).map(aadstsNumbers.contains) == true ? [("aadsts:\(value)", nil)] : [] }
    add(["account_mode"]) { value in
      ["single", "multiple"].contains(value) ? [("account-mode:\(value)", nil)] : []
    }
    add(["grant_type", "granttype"]) { [("grant:\(word($0))", nil)] }
    add(["prompt"]) { [("prompt:\(word($0))", nil)] }
    add(["response_mode", "responsemode"]) { [("response-mode:\(word($0))", nil)] }
    add(["response_type", "responsetype"]) { value in
      value.split(separator: " ").map { ("response-type:\(word(String($0)))", nil) }
    }
    add(["redirect_uri", "redirecturi", "redirecturl", "redirect_url"]) { value in
      redirect(value).map { ("redirect:\($0)", nil) } + [(nil, "redirectUri")]
    }
    add(["client_id", "clientid", "appid"]) { value in
      (isPlaceholder(value) ? [("client-id:placeholder", nil)] : []) + [(nil, "clientId")]
    }
    add(["scope", "scopes"]) { value in scopes(value).map { ("scope:\($0)", nil) } + [(nil, "scope")] }
    add(["resource"]) { _ in [(nil, "resource")] }
    add(["authority", "tenant", "tenantid"]) { value in
      (isPlaceholder(value) ? [("tenant:placeholder", nil)] : []) + [
        (nil, value.contains("/") ? "authority" : "tenant")
      ]
    }
    add(["aud"]) { value in audience(value).map { ("aud:\($0)", nil) } + [("claim:aud", "audience")] }
    add(["validaudience", "validaudiences", "expectedaudience"]) { value in
      value == "null" ? [] : [(nil, "expectedAudience")]
    }
    add(["iss"]) { value in issuer(value).map { ("iss:\($0)", nil) } + [("claim:iss", "issuer")] }
    add(["ver"]) { ["1.0", "2.0"].contains($0) ? [("ver:\($0)", nil)] : [] }
    for claim in ["scp", "roles", "idp", "nonce", "wids", "idtyp"] { add([claim]) { _ in [("claim:\(claim)", nil)] } }
    add(["type"]) { $0.hasPrefix("application/") ? [("content-type:\(word($0))", nil)] : [] }
    return readers
  }()

  // MARK: Values

  /// The numbers that AADSTS codes can have. Microsoft Graph and Windows broker codes have more digits.
  private static let aadstsNumbers = 10_000...9_999_999

  private static func word(_ value: String) -> String { String(value.prefix { !" ;,&".contains($0) }.prefix(80)) }

  private static func symbol(_ value: String, _ namespace: String) -> [(fact: String?, capture: String?)] {
    let name = value.prefix { $0.isLetter || $0 == "_" || $0 == "-" || $0.isNumber }
    return name.contains("_") ? [("\(namespace):\(name)", nil)] : []
  }

  private static func code(_ value: String) -> [(fact: String?, capture: String?)] {
    Int(value.prefix { $0.isNumber }).flatMap { aadstsNumbers.contains($0) ? [("aadsts:\($0)", nil)] : nil } ?? []
  }

  private static func numbers(in text: String) -> [Int] {
    text.prefix(100).split { !$0.isNumber }.compactMap { Int($0) }.filter { $0 > 999 }
  }

  static func isPlaceholder(_ value: String) -> Bool {
    let letters = value.filter { $0.isLetter }
    return [
      "your", "enter", "insert", "placeholder", "clientid", "client_id", "client id", "app_id", "application_id", "<",
      "{", "todo", "undefined", "changeme",
    ].contains {
      value.contains($0)
    } && !GUIDText.isWellFormed(value) && letters.count > 3 || value == GUIDText.zero
  }

  /// Returns the categories of a redirect URI, such as `broker`.
  static func redirect(_ uri: String) -> [String] {
    var forms: [String] = []
    if uri.hasPrefix("ms-appx-web:") { forms.append("broker") }
    if uri.hasPrefix("msauth") { forms.append("msauth") }
    if uri.hasPrefix("msal") { forms.append("msal") }
    if uri.hasPrefix("urn:") { forms.append("urn") }
    if uri.contains("/nativeclient") { forms.append("nativeclient") }
    if ["http://localhost", "http://127.0.0.1", "http://[::1]", "https://localhost"].contains(where: uri.hasPrefix) {
      forms.append("loopback")
    }
    if uri.hasPrefix("http:") { forms.append("http") }
    if uri.hasPrefix("https:") { forms.append("https") }
    if uri.contains("b2clogin.com") { forms.append("b2c") }
    return forms.isEmpty && uri.contains(":") ? ["custom"] : forms
  }

  private static func scopes(_ value: String) -> [String] {
    let scopes = value.split(whereSeparator: { " ,[]\"'".contains($0) }).map(String.init)
    var forms: [String] = []
    let resources = Set(scopes.compactMap(resource))
    if scopes.contains(where: { $0.hasSuffix("/.default") }) { forms.append("default") }
    if resources.count > 1 { forms.append("several-resources") }
    if scopes.contains(where: { $0.contains("graph.microsoft.com") || $0 == "user.read" }) { forms.append("graph") }
    if scopes.contains(where: GUIDText.isWellFormed) { forms.append("client-id") }
    return forms
  }

  private static func resource(_ scope: String) -> String? {
    guard let slash = scope.lastIndex(of: "/"), scope.contains(":") || GUIDText.isWellFormed(scope.prefix(36)) else {
      return nil
    }
    return String(scope[..<slash])
  }

  private static func audience(_ value: String) -> [String] {
    if value.contains("00000003-0000-0000-c000-000000000000") || value.contains("graph.microsoft.com") {
      return ["graph"]
    }
    if value.hasPrefix("api://") { return ["api"] }
    if GUIDText.isWellFormed(value) { return ["guid"] }
    return value.hasPrefix("http") ? ["uri"] : []
  }

  private static func issuer(_ value: String) -> [String] {
    if value.contains("sts.windows.net") { return ["v1"] }
    if value.contains("b2clogin.com") || value.contains("/tfp/") { return ["b2c"] }
    if value.contains("/adfs") { return ["adfs"] }
    return value.contains("/v2.0") ? ["v2"] : []
  }

  // MARK: URLs

  private static let endpoints: [(path: String, name: String)] = [
    ("/token", "token"), ("/authorize", "authorize"), ("/devicecode", "devicecode"),
    ("/discovery/instance", "discovery"),
    ("openid-configuration", "metadata"), ("/logout", "logout"),
  ]

  /// Returns the facts that a lowercase URL indicates.
  static func url(_ url: String) -> [String] {
    guard let parts = URLReference(valid: url), let scheme = parts.scheme else { return [] }
    var facts: [String] = []
    if scheme == "https" || scheme == "http" {
      guard let host = parts.host else { return [] }
      facts.append("host:\(host)")
      for (path, name) in endpoints where parts.path.hasSuffix(path) { facts.append("endpoint:\(name)") }
      let isLogin = host.contains("login.") || host.hasSuffix("b2clogin.com") || host.hasSuffix("ciamlogin.com")
      if isLogin, let first = parts.path.split(separator: "/").first { facts.append("tenant:\(tenant(String(first)))") }
      if host.hasSuffix("b2clogin.com") { facts.append("sign:b2c") }
      if parts.path.contains("/adfs") { facts.append("iss:adfs") }
    } else {
      facts += redirect(url).map { "redirect:\($0)" }
    }
    return facts
  }

  private static func tenant(_ segment: String) -> String {
    if ["common", "consumers", "organizations"].contains(segment) { return segment }
    return GUIDText.isWellFormed(segment) ? "guid" : "domain"
  }
}
