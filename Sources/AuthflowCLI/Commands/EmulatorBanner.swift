import Directory
import Documents
import Reports
import SystemWorld

/// What `authflow emulator` prints when it listens.
struct EmulatorBanner: Sendable {
  private let host: String
  private let port: Int
  private let addresses: [String]
  private let authority: String
  private let isSecureOnly: Bool
  private let hasControl: Bool
  private let hasRealHosts: Bool
  private let accounts: [Account]
  private let accountCount: Int
  private let isBuiltIn: Bool

  struct Account: Sendable {
    var username: String
    /// Nil where it is not for everybody to see.
    var password: String?
    var remark: String
  }

  /// So many accounts are shown; who has made a larger directory knows it.
  private static let mostAccounts = 14

  /// - Parameters:
  ///   - host: the host that clients use, as a URL writes it.
  ///   - authority: the file with the CA's certificate.
  ///   - isBuiltIn: whether the directory is the built-in one, whose passwords are public.
  ///   - hasRealHosts: whether the certificate names the real platform's hosts too.
  init(
    server: any RunningServer, authority: String, directory: EmulatedDirectory, isBuiltIn: Bool, host: String,
    isSecureOnly: Bool, hasControl: Bool, hasRealHosts: Bool = false
  ) {
    self.hasRealHosts = hasRealHosts
    self.host = host
    port = server.port
    addresses = server.addresses
    self.authority = authority
    self.isSecureOnly = isSecureOnly
    self.hasControl = hasControl
    self.isBuiltIn = isBuiltIn
    let notable = directory.tenants.flatMap { tenant in
      tenant.users.enumerated().compactMap { index, user -> Account? in
        let remarks = Self.remarks(user)
        // The first of a tenant, and everybody with whom something is the matter.
        guard index == 0 || !remarks.isEmpty else { return nil }
        return Account(
          username: user.username, password: isBuiltIn ? user.password : nil,
          remark: ([tenant.name].filter { !$0.isEmpty } + remarks).joined(separator: ", "))
      }
    }
    accounts = Array(notable.prefix(Self.mostAccounts))
    accountCount = directory.tenants.reduce(0) { $0 + $1.users.count }
  }

  private static func remarks(_ user: User) -> [String] {
    var remarks: [String] = []
    if user.isAdmin { remarks.append("administrator") }
    switch user.mfa {
    case .push: remarks.append("approves a notification")
    case .totp: remarks.append("types a code")
    case nil: break
    }
    if user.passwordExpired == true { remarks.append("password expired") }
    if user.isDisabled { remarks.append("disabled") }
    if !user.guestIn.isEmpty { remarks.append("guest in \(user.guestIn.joined(separator: ", "))") }
    return remarks
  }

  var base: String { "https://\(host):\(port)" }
  private var plain: String { "http://\(host):\(port)" }
  private var control: String { "\(isSecureOnly ? base : plain)/_authflow/" }

  // MARK: For scripts

  var json: JSON {
    var json: JSON = [
      "baseURL": .string(base), "port": .integer(Int64(port)), "pid": .integer(Int64(CurrentProcess.id)),
      "caFile": .string(authority), "graphURL": .string(base + "/v1.0"),
      "addresses": .array(addresses.map { .string($0) }),
      "accounts": .array(
        accounts.map { account in
          var json: JSON = ["username": .string(account.username), "remark": .string(account.remark)]
          if let password = account.password { json["password"] = .string(password) }
          return json
        }),
    ]
    if !isSecureOnly { json["plainURL"] = .string(plain) }
    if hasControl { json["controlURL"] = .string(control) }
    return json
  }

  // MARK: For people

  func text(_ style: TerminalStyle) -> String {
    var lines = ["authflow emulator listens on \(base)" + (isSecureOnly ? "" : " and \(plain)")]
    lines.append("  addresses    \(addresses.joined(separator: ", "))")
    if hasControl { lines.append("  control      \(control)") }
    lines.append("  CA           \(authority)")
    lines += ["", "Accounts" + (isBuiltIn ? " (made up, for everybody to know)" : "")]
    let width = accounts.map(\.username.count).max() ?? 0
    let passwordWidth = accounts.compactMap(\.password?.count).max() ?? 0
    for account in accounts {
      var line = "  " + Self.padded(account.username, width)
      if isBuiltIn { line += "  " + Self.padded(account.password ?? "", passwordWidth) }
      lines.append(line + "  " + account.remark)
    }
    if accountCount > accounts.count { lines.append("  and \(accountCount - accounts.count) more") }
    lines += ["", "Clients"] + Self.clients(base: base, host: host, port: port, authority: authority)
    if hasRealHosts {
      lines += [
        "  any other        needs nothing but the CA where its names are led to port \(port) here, as by",
        "                   curl --connect-to ::\(host):\(port) --cacert \"$CA\" https://graph.microsoft.com/v1.0/me",
      ]
    }
    lines += ["", "Ctrl-C ends it."]
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The lines to set for each client, with this server's port and CA.
  private static func clients(base: String, host: String, port: Int, authority: String) -> [String] {
    """
      export CA=\(quoted(authority))
      curl             curl --cacert "$CA" \(base)/common/v2.0/.well-known/openid-configuration
      trust, Python    export REQUESTS_CA_BUNDLE="$CA" SSL_CERT_FILE="$CA"
                       (REQUESTS_CA_BUNDLE takes the place of certifi's authorities, and beats verify=)
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

  /// The text as one word of a shell.
  private static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return plain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
