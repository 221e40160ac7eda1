import GraphEmulator

/// The type of a sign-in page. The raw values appear in the `screens` result field of workflows.
enum Screen: String, Sendable {
  case pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode,
    signedOut, error
}

/// The layout of all pages: a card with a banner. Pages load no external resources.
struct PageFrame: Sendable {
  var screen: Screen?
  var title: String
  /// The error code, such as `AADSTS50126`.
  var code: String?
  /// The error message, shown above the content.
  var problem: String?
  /// The target of the page's form, or nil for a page without a form.
  var action: String?
  /// The hidden fields of the form, such as the encrypted state of the sign-in.
  var hidden: [(name: String, value: String)] = []
  var content: HTML
  /// Additional details in small print at the bottom of the page.
  var footer: HTML?
  /// The URL of the page's script, or nil for a page without a script.
  var script: String?
  /// Whether the sign-in is complete and the user can close the page.
  var isDone = false

  static let product = "authflow emulator"

  var text: String {
    let screenTag: HTML? = screen.map { "<meta name=\"authflow-screen\" content=\"\($0.rawValue)\">\n" }
    let codeTag: HTML? = code.map { "<meta name=\"authflow-code\" content=\"\($0)\">\n" }
    let doneTag: HTML? = isDone ? "<meta name=\"authflow-done\" content=\"true\">\n" : nil
    let problemBanner: HTML? = problem.map {
      "<p class=\"problem\" role=\"alert\" aria-live=\"assertive\" id=\"problem\">\($0)</p>\n"
    }
    // Screen readers announce the title of the tab first. The tab title contains the error state, the page title, and
    // the product name.
    let name =
      (problem == nil || screen == .error ? "" : "Error: ")
      + (title == Self.product ? title : title + " · " + Self.product)
    let fields: [HTML] = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" }
    let body: HTML =
      if let action {
        "<form method=\"post\" action=\"\(action)\">\n\(fields)\(content)\n</form>\n"
      } else {
        content
      }
    let details: HTML? = footer.map { "<div class=\"details\">\($0)</div>\n" }
    let scriptTag: HTML? = script.map { "<script type=\"module\" src=\"\($0)\"></script>\n" }
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(screenTag)\(codeTag)\(doneTag)\(scriptTag)<title>\(name)</title>
      <style>\(PageStyle.sheet)</style>
      </head>
      <body>
      <header class="banner"><p>authflow emulator: test environment</p></header>
      <main>
      <h1>\(title)</h1>
      \(problemBanner)\(body)\(details)</main>
      </body>
      </html>

      """
    return page.text
  }
}
