import GraphEmulator

/// What the user sees; the names are those of the workflow language's `screens`.
enum Screen: String, Sendable {
  case pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode,
    signedOut, error
}

/// The frame that every page shares: a card in the middle, the emulator's banner, nothing loaded from elsewhere.
struct PageFrame: Sendable {
  var screen: Screen?
  var title: String
  /// The code of what went wrong, such as `AADSTS50126`.
  var code: String?
  /// The same in a sentence, shown above the content.
  var complaint: String?
  /// Where a form of the page goes; nil for a page that leads nowhere.
  var action: String?
  /// The sealed state of the sign-in, or other hidden fields.
  var hidden: [(name: String, value: String)] = []
  var content: HTML
  /// Shown small at the foot.
  var foot: HTML?
  /// Whether the page's purpose is fulfilled and nothing is left to do on it.
  var isDone = false

  static let product = "authflow emulator"

  var text: String {
    let screenMark: HTML? = screen.map { "<meta name=\"authflow-screen\" content=\"\($0.rawValue)\">\n" }
    let codeMark: HTML? = code.map { "<meta name=\"authflow-code\" content=\"\($0)\">\n" }
    let doneMark: HTML? = isDone ? "<meta name=\"authflow-done\" content=\"true\">\n" : nil
    let problem: HTML? = complaint.map {
      "<p class=\"problem\" role=\"alert\" aria-live=\"assertive\" id=\"problem\">\($0)</p>\n"
    }
    // The browser's tab and a screen reader's first words: what is wrong, what the page is for, whose it is.
    let name =
      (complaint == nil || screen == .error ? "" : "Error: ")
      + (title == Self.product ? title : title + " · " + Self.product)
    let fields: [HTML] = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" }
    let body: HTML =
      if let action {
        "<form method=\"post\" action=\"\(action)\">\n\(fields)\(content)\n</form>\n"
      } else {
        content
      }
    let footer: HTML? = foot.map { "<div class=\"details\">\($0)</div>\n" }
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(screenMark)\(codeMark)\(doneMark)<title>\(name)</title>
      <style>\(PageStyle.sheet)</style>
      </head>
      <body>
      <header class="banner"><p>authflow emulator: nothing here is real</p></header>
      <main>
      <h1>\(title)</h1>
      \(problem)\(body)\(footer)</main>
      </body>
      </html>

      """
    return page.text
  }
}
