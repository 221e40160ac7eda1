import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Pages")
struct PageTests {
  /// Returns all pages of the emulator by completing the flows that show them.
  private static func pages() async throws -> [PageWalker.Page] {
    var pages: [PageWalker.Page] = []
    func walk(_ url: String, _ forms: [Parameters], on stage: Stage = Stage()) async throws {
      let walker = PageWalker(stage)
      var step = try await walker.get(url)
      for fields in forms {
        guard let page = step.page else { break }
        pages.append(page)
        step = try await walker.send(page, fields)
      }
      if let page = step.page { pages.append(page) }
    }
    func user(_ name: String) -> [Parameters] {
      [["loginfmt": "\(name)@contoso.com"], ["passwd": "Fake-\(name.prefix(1).uppercased())\(name.dropFirst())-1"]]
    }
    let login = "https://login.microsoftonline.com/common/oauth2"
    try await walk(Stage.authorizeURL(), [["loginfmt": "unknown@contoso.com"]] + user("adele"))
    try await walk(Stage.authorizeURL(), [["loginfmt": "megan@contoso.com"], ["passwd": "wrong"]])
    try await walk(Stage.authorizeURL(), user("mona"))
    try await walk(Stage.authorizeURL(), user("otto") + [["otc": "000000"]])
    try await walk(Stage.authorizeURL(), user("paul") + [["newpassword": "a", "confirmpassword": "b"]])
    try await walk(Stage.authorizeURL(scope: "openid User.Read.All"), user("megan"))
    try await walk(login + "/deviceauth", [["user_code": "WRONG"]])
    try await walk(login + "/v2.0/logout", [])
    try await walk(Stage.authorizeURL(changing: ["redirect_uri": "https://evil.example/"]), [])
    try await walk(
      "https://fabrikamb2c.b2clogin.com/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin/oauth2/v2.0/authorize?"
        + (Stage.authorizeURL().split(separator: "?").last.map(String.init) ?? ""), [["signup": "true"]])
    try await walk("http://localhost:8400/", [], on: Stage(servesEveryHost: true))
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    _ = try await stage.signIn("adele@contoso.com", browser: walker, changing: ["prompt": "select_account"])
    for url in [Stage.authorizeURL(changing: ["prompt": "select_account"]), login + "/v2.0/logout"] {
      pages.append(try #require(try await walker.get(url).page))
    }
    return pages
  }

  @Test("every page is accessible and has a banner")
  func accessible() async throws {
    let pages = try await Self.pages()
    let screens = Set(pages.compactMap(\.screen))
    let expected: Set = [
      "pickAccount", "username", "password", "mfa", "consent", "adminApproval", "changePassword", "signUp",
      "deviceCode", "signedOut", "error",
    ]
    #expect(screens == expected)
    for page in pages {
      let html = page.html
      let name = "\(page.screen ?? "start") \(page.code ?? "")"
      #expect(html.contains("<html lang=\"en\">") && html.contains("name=\"viewport\""), "\(name)")
      #expect(html.ranges(of: "<h1>").count == 1 && html.ranges(of: "<main>").count == 1, "\(name)")
      #expect(html.contains("authflow emulator: test environment"), "\(name)")
      let title = html.between("<title>", "</title>").first ?? ""
      #expect(title.hasSuffix("authflow emulator") && !title.hasPrefix(" "), "\(name): \(title)")
      #expect(
        title.hasPrefix("Error: ") == (page.html.contains("role=\"alert\"") && page.screen != "error"), "\(title)")
      #expect(!html.contains("<script") && !html.contains(" style=\""), "\(name)")
      let handlers = html.between("<", ">").filter { tag in
        tag.split(separator: " ").contains { $0.hasPrefix("on") && $0.contains("=") }
      }
      #expect(handlers.isEmpty, "\(name)")
      let labels = html.between("<label for=\"", "\"")
      for input in html.between("<input ", ">") where !input.contains("type=\"hidden\"") {
        let id = input.between(" id=\"", "\"").first
        let isLabeled = id.map { labels.contains($0) } ?? input.contains("type=\"checkbox\"")
        #expect(isLabeled, "\(name): \(input)")
        #expect(input.contains("autocomplete=") || input.contains("type=\"checkbox\""), "\(name): \(input)")
        // Screen readers announce the error together with its field.
        if page.html.contains("role=\"alert\""), page.code != "AADSTS50055" || input.contains("newpassword") {
          #expect(input.contains("aria-describedby=\"problem") || input.contains("checkbox"), "\(name): \(input)")
        }
      }
      // The Return key activates the first button of a form.
      if let first = html.between("<button ", ">").first, html.contains("class=\"main\"") {
        let isLink = first.contains("class=\"link\"")
        #expect(first.contains("class=\"main\"") || isLink, "\(name): \(first)")
      }
      let ids = html.between(" id=\"", "\"")
      #expect(Set(ids).count == ids.count, "\(name)")
    }
  }

  @Test(
    "fields have autocomplete and keyboard hints",
    arguments: [
      ("loginfmt", "username"), ("passwd", "current-password"), ("otc", "one-time-code"),
      ("newpassword", "new-password"), ("confirmpassword", "new-password"), ("displayname", "name"),
    ])
  func autocomplete(field: String, token: String) async throws {
    let html = try await Self.pages().map(\.html).joined()
    let inputs = html.between("<input ", ">")
      .filter { $0.contains(" name=\"\(field)\"") && !$0.contains("type=\"hidden\"") }
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(input.contains("autocomplete=\"\(token)\""), "\(input)")
      #expect(input.contains("type=\"password\"") == field.contains("pass"), "\(input)")
      #expect(!field.contains("pass") || !input.contains(" value="), "\(input)")
    }
  }

  @Test("colors have sufficient contrast in light and dark mode", arguments: [0, 1])
  func contrast(scheme: Int) async throws {
    let page = try #require(try await PageWalker(Stage()).get(Stage.authorizeURL()).page)
    let sheet = try #require(page.html.between("<style>", "</style>").first)
    let blocks = sheet.between(":root{", "}")
    #expect(blocks.count == 2)
    var colors: [String: Double] = [:]
    for pair in blocks[scheme].split(separator: ";") {
      let parts = pair.split(separator: ":")
      colors[String(parts[0])] = Self.luminance(String(parts[1]))
    }
    func ratio(_ ink: String, _ ground: String) throws -> Double {
      let (one, other) = (try #require(colors["--" + ink]), try #require(colors["--" + ground]))
      return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
    for (ink, ground) in [
      ("ink", "card"), ("ink", "ground"), ("soft", "card"), ("act", "card"), ("on-act", "act"), ("bad", "card"),
      ("on-mark", "mark"),
    ] {
      #expect(try ratio(ink, ground) >= 4.5, "\(ink) on \(ground)")
    }
    // Field borders and the focus indicator require a contrast of 3:1 (WCAG 1.4.11).
    for ink in ["line", "focus"] { #expect(try ratio(ink, "card") >= 3, "\(ink)") }
  }

  /// Returns the WCAG relative luminance of a color in the format `#rgb` or `#rrggbb`.
  private static func luminance(_ text: String) -> Double? {
    var digits = text.drop { $0 == "#" }.map { String($0) }
    if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined().map { String($0) } }
    guard digits.count == 6 else { return nil }
    let parts = [0, 2, 4].compactMap { Int(digits[$0] + digits[$0 + 1], radix: 16) }.map { value -> Double in
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : Self.power((part + 0.055) / 1.055)
    }
    guard parts.count == 3 else { return nil }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// Returns the value raised to the power of 2.4, calculated as the square times the fifth root of the square.
  private static func power(_ value: Double) -> Double {
    let square = value * value
    var root = 1.0
    for _ in 0..<60 { root -= (root - square / (root * root * root * root)) / 5 }
    return square * root
  }

  // MARK: Stay signed in

  private static func directory(staySignedIn setting: Tenant.StaySignedIn) -> EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    directory.tenants[0].staySignedIn = setting
    return directory
  }

  @Test(
    "\"Stay signed in?\" is shown after the second factor and before consent, and determines the cookie's lifetime",
    arguments: [("yes", true), ("no", false)])
  func staySignedIn(choice: String, isPersistent: Bool) async throws {
    let stage = Stage(directory: Self.directory(staySignedIn: .ask))
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL())
    for fields in [
      ["loginfmt": "mona@contoso.com"], ["passwd": "Fake-Mona-1"], ["mfa": "approve"], ["stay": choice],
      ["consent": "accept", "scope": "User.Read"],
    ] as [Parameters] {
      step = try await walker.send(try #require(step.page, "\(walker.screens)"), fields)
    }
    #expect(step.parameters["code"] != nil)
    #expect(walker.screens == ["username", "password", "mfa", "staySignedIn", "consent"])
    let cookie = try #require(walker.setCookies.last { $0.contains("ESTSAUTHPERSISTENT=") })
    #expect(cookie.contains("Max-Age=") == isPersistent)
    let silent = Stage.authorizeURL(changing: ["prompt": "none"])
    #expect(try await walker.get(silent).parameters["code"] != nil)
    stage.clock.advance(by: .seconds(86_401))
    #expect((try await walker.get(silent).parameters["code"] != nil) == isPersistent)
  }

  @Test("the page is shown only if the tenant's setting is `ask`", arguments: [Tenant.StaySignedIn.always, .never])
  func notAsked(setting: Tenant.StaySignedIn) async throws {
    let stage = Stage(directory: Self.directory(staySignedIn: setting))
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    #expect(walker.screens == ["username", "password", "consent"])
    let cookie = try #require(walker.setCookies.last { $0.contains("ESTSAUTHPERSISTENT=") })
    #expect(cookie.contains("Max-Age=") == (setting == .always))
  }

  // MARK: Several accounts

  @Test("the account picker signs out a single account")
  func forget() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let choosing: Parameters = ["prompt": "select_account"]
    for name in ["megan@contoso.com", "alex@contoso.com", "adele@contoso.com"] {
      _ = try await stage.signIn(name, browser: walker, changing: choosing)
    }
    let picker = try #require(try await walker.get(Stage.authorizeURL(changing: choosing)).page)
    #expect(picker.html.between("name=\"account\" value=\"", "\"").count == 4)
    let left = try #require(try await walker.send(picker, ["forget": "alex@contoso.com"]).page)
    #expect(left.screen == "pickAccount" && !left.html.contains("alex@contoso.com"))
    for (name, isIn) in [("megan@contoso.com", true), ("alex@contoso.com", false), ("adele@contoso.com", true)] {
      let end = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none", "login_hint": name]))
      #expect((end.parameters["code"] != nil) == isIn, "\(name)")
    }
    // Accounts in other browsers are not affected.
    let otherBrowser = PageWalker(stage)
    _ = try await stage.signIn("paul@contoso.com", browser: otherBrowser)
    let own = try #require(try await walker.get(Stage.authorizeURL(changing: choosing)).page)
    _ = try await walker.send(own, ["forget": "paul@contoso.com"])
    #expect(try await otherBrowser.get(Stage.authorizeURL(changing: ["prompt": "none"])).parameters["code"] != nil)
  }

  @Test("sign-out with several accounts shows an account picker", arguments: [false, true])
  func logoutPicker(allAccounts: Bool) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    for name in ["megan@contoso.com", "alex@contoso.com"] {
      _ = try await stage.signIn(name, browser: walker, changing: ["prompt": "select_account"])
    }
    let url = "https://login.microsoftonline.com/common/oauth2/v2.0/logout?state=7&post_logout_redirect_uri="
    let page = try #require(try await walker.get(url + FormCoding.encode(Stage.redirect)).page)
    #expect(page.screen == "pickAccount")
    let end = try await walker.send(page, ["account": allAccounts ? "all" : "alex@contoso.com"])
    #expect(end.page == nil && end.parameters["state"] == "7")
    for (name, isIn) in [("megan@contoso.com", !allAccounts), ("alex@contoso.com", false)] {
      let end = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none", "login_hint": name]))
      #expect((end.parameters["code"] != nil) == isIn, "\(name)")
    }
  }

  @Test("the admin consent endpoint grants consent for all users")
  func adminConsent() async throws {
    let stage = Stage()
    let url =
      "https://login.microsoftonline.com/contoso.com/v2.0/adminconsent?client_id=\(Stage.clientID)&scope="
      + FormCoding.encode("https://graph.microsoft.com/User.Read.All openid profile offline_access") + "&redirect_uri="
      + FormCoding.encode(Stage.redirect)
    let admin = PageWalker(stage)
    #expect(try await admin.signIn(url, as: "adele@contoso.com").parameters["admin_consent"] == "True")
    #expect(admin.screens.last == "consent")
    let user = PageWalker(stage)
    let tokens = try await stage.signIn("alex@contoso.com", scope: "openid offline_access User.Read.All", browser: user)
    #expect(tokens["scope"]?.string?.contains("User.Read.All") == true)
    #expect(user.screens == ["username", "password"])
  }
}
