import Directory
import Documents
import Reports
import Scenarios
import SystemWorld

/// The text that `authflow emulator` prints at startup: addresses, accounts, and client configurations.
struct EmulatorBanner: Sendable {
  private let host: String
  private let port: Int
  private let addresses: [String]
  private let certificatePath: String
  private let features: Features
  private let accounts: [Account]
  private let accountCount: Int
  private let isBuiltIn: Bool

  struct Features: Sendable {
    /// Whether the server accepts HTTPS only.
    var isSecureOnly: Bool
    /// Whether clients on this machine can use the control interface.
    var hasControl: Bool
    /// Creates a link to the start page from the scheme and authority of the server.
    var startPageLink: @Sendable (String) -> String
    /// Whether the certificate is also valid for Microsoft's hosts.
    var hasRealHosts: Bool
  }

  struct Account: Sendable {
    var username: String
    /// The password, or nil if the password is not public.
    var password: String?
    /// The tenant, and user properties that are useful in tests.
    var remark: String
  }

  /// The maximum number of accounts to list.
  private static let accountLimit = 14

  /// - Parameters:
  ///   - host: The host that clients use, as it appears in a URL.
  ///   - certificatePath: The path of the CA certificate.
  ///   - isBuiltIn: Whether the directory is the built-in directory. The passwords in the built-in directory are
  ///     public.
  init(
    server: any RunningServer, host: String, certificatePath: String, directory: EmulatedDirectory, isBuiltIn: Bool,
    features: Features
  ) {
    self.host = host
    port = server.port
    addresses = server.addresses
    self.certificatePath = certificatePath
    self.features = features
    startPage =
      features.hasControl
      ? features.startPageLink("\(features.isSecureOnly ? "https" : "http")://\(host):\(server.port)") : nil
    self.isBuiltIn = isBuiltIn
    let listed = directory.tenants.flatMap { tenant in
      tenant.users.enumerated().compactMap { index, user -> Account? in
        let properties = Self.properties(of: user)
        // List the first user of each tenant, and all users with special properties.
        guard index == 0 || !properties.isEmpty else { return nil }
        return Account(
          username: user.username, password: isBuiltIn ? user.password : nil,
          remark: ([tenant.name].filter { !$0.isEmpty } + properties).joined(separator: ", "))
      }
    }
    accounts = Array(listed.prefix(Self.accountLimit))
    accountCount = directory.tenants.reduce(0) { $0 + $1.users.count }
  }

  private static func properties(of user: User) -> [String] {
    var properties: [String] = []
    if user.isAdmin { properties.append("administrator") }
    switch user.mfa {
    case .push: properties.append("MFA by notification")
    case .totp: properties.append("MFA by code")
    case nil: break
    }
    if user.passwordExpired == true { properties.append("password expired") }
    if user.isDisabled { properties.append("disabled") }
    if !user.guestIn.isEmpty { properties.append("guest in \(user.guestIn.joined(separator: ", "))") }
    return properties
  }

  var base: String { "https://\(host):\(port)" }
  private var plain: String { "http://\(host):\(port)" }
  private var control: String { "\(features.isSecureOnly ? base : plain)/_authflow/" }
  /// A single-use link to the start page, or nil if the control interface is disabled.
  let startPage: String?

  // MARK: JSON

  var json: JSON {
    var json: JSON = [
      "baseURL": .string(base), "port": .integer(Int64(port)), "pid": .integer(Int64(CurrentProcess.id)),
      "caFile": .string(certificatePath), "graphURL": .string(base + "/v1.0"),
      "addresses": .array(addresses.map { .string($0) }),
      "accounts": .array(
        accounts.map { account in
          var json: JSON = ["username": .string(account.username), "remark": .string(account.remark)]
          if let password = account.password { json["password"] = .string(password) }
          return json
        }),
    ]
    if !features.isSecureOnly { json["plainURL"] = .string(plain) }
    if features.hasControl { json["controlURL"] = .string(control) }
    if let startPage { json["startPageURL"] = .string(startPage) }
    return json
  }

  // MARK: Text

  func text(_ style: TerminalStyle) -> String {
    var lines = ["authflow emulator listens on \(base)" + (features.isSecureOnly ? "" : " and \(plain)")]
    lines.append("  addresses    \(addresses.joined(separator: ", "))")
    if features.hasControl { lines.append("  control      \(control)") }
    if let startPage { lines.append("  start page   \(startPage)") }
    lines.append("  CA           \(certificatePath)")
    lines += ["", "Accounts" + (isBuiltIn ? " (fake data, public passwords)" : "")]
    let width = accounts.map(\.username.count).max() ?? 0
    let passwordWidth = accounts.compactMap(\.password?.count).max() ?? 0
    for account in accounts {
      var line = "  " + Self.padded(account.username, width)
      if isBuiltIn { line += "  " + Self.padded(account.password ?? "", passwordWidth) }
      lines.append(line + "  " + account.remark)
    }
    if accountCount > accounts.count { lines.append("  and \(accountCount - accounts.count) more") }
    lines += ["", "Clients"] + clients
    if features.hasRealHosts {
      lines += [
        "  other clients    trust the CA and redirect Microsoft's host names to port \(port), for example",
        "                   curl --connect-to ::\(host):\(port) --cacert \"$CA\" https://graph.microsoft.com/v1.0/me",
      ]
    }
    lines += ["", "Press Ctrl-C to stop."]
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Lines that show how to configure each client for this server.
  private var clients: [String] {
    """
      export CA=\(ShellWord.quoted(certificatePath))
      curl             curl --cacert "$CA" \(base)/common/v2.0/.well-known/openid-configuration
      trust, Python    export REQUESTS_CA_BUNDLE="$CA" SSL_CERT_FILE="$CA"
                       (REQUESTS_CA_BUNDLE replaces certifi's authorities and overrides verify=)
      trust, Node.js   export NODE_EXTRA_CA_CERTS="$CA"
      trust, .NET, Go  export SSL_CERT_FILE="$CA"
      msal, Python     PublicClientApplication(client_id, authority="\(base)/common", instance_discovery=False)
      azure-identity   InteractiveBrowserCredential(authority="\(base)", disable_instance_discovery=True)
      msgraph-sdk      auth = AzureIdentityAuthenticationProvider(credential, allowed_hosts=["\(host)"],
                           scopes=["https://graph.microsoft.com/.default"])
                       adapter = GraphRequestAdapter(auth); adapter.base_url = "\(base)/v1.0"
      MSAL.NET         .WithAuthority("\(base)/common").WithInstanceDiscovery(false)
      MSAL.js, Node    auth: { authority: "\(base)/common", knownAuthorities: ["\(host):\(port)"] }
      MSAL Go          public.WithAuthority("\(base)/common"), public.WithInstanceDiscovery(false)
    """.split(separator: "\n").map(String.init)
  }
}
