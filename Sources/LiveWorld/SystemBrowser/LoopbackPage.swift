import Effects
import HTTPTypes

/// The page that the browser shows after a redirect. The page loads no resources and contains no scripts.
enum LoopbackPage: Hashable, Sendable {
  case signedIn, signedOut
  case refused(error: String, description: String?)
  /// A second redirect after an accepted redirect.
  case answered
  /// A redirect that belongs to another request.
  case foreign
  /// A redirect that repeats a parameter.
  case repeated
  /// A request for the redirect URI that contains neither a code nor an error.
  case incomplete
  case stray

  /// Headers that forbid scripts, images, and frames, even if an error text from the server contains markup.
  private static let headers: HTTPFields = [
    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .pragma: "no-cache",
    .referrerPolicy: "no-referrer", .xContentTypeOptions: "nosniff",
    .contentSecurityPolicy:
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ]

  /// Returns the HTTP response with this page.
  func response(_ status: Int) -> ResponseMessage {
    var headers = Self.headers
    if status == 405 { headers[.allow] = "GET, HEAD, POST" }
    return ResponseMessage(.init(code: status), headers: headers, body: Array(html.utf8))
  }

  var html: String {
    let (mark, title, text) = words
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title)) – authflow</title>
      <style>
      :root { color-scheme: light dark; --ground: #f6f7f9; --paper: #fff; --ink: #1d2330; --faint: #5a6475; --good: #14743b; --bad: #b3261e }
      @media (prefers-color-scheme: dark) {
        :root { --ground: #14171d; --paper: #1d222b; --ink: #e8ebf1; --faint: #a3adbd; --good: #6fd298; --bad: #ff9a92 }
      }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink);
        font: 1rem/1.5 system-ui, sans-serif }
      main { max-width: 32rem; margin: 1rem; padding: 2rem 2.5rem; border-radius: .75rem; background: var(--paper);
        overflow-wrap: anywhere }
      h1 { margin: 0 0 .5rem; font-size: 1.35rem } h1.good { color: var(--good) } h1.bad { color: var(--bad) }
      p { margin: .5rem 0 0 } .faint { color: var(--faint); font-size: .9rem }
      </style>
      </head>
      <body>
      <main role="\(mark == "bad" ? "alert" : "status")">
      <h1 class="\(mark)">\(Self.escaped(title))</h1>
      \(text.map { "<p>\(Self.escaped($0))</p>" }.joined(separator: "\n"))
      <p class="faint">authflow generated this page on this machine.</p>
      </main>
      </body>
      </html>

      """
  }

  private var words: (mark: String, title: String, text: [String]) {
    let close = "You can close this window. authflow continues in the terminal."
    return switch self {
    case .signedIn: ("good", "Sign-in completed", [close])
    case .signedOut: ("good", "Signed out", [close])
    case .refused(let error, let description):
      ("bad", "Sign-in failed", ["\(error)"] + (description.map { [$0] } ?? []) + [close])
    case .answered: ("plain", "Sign-in already completed", ["authflow accepts only the first redirect. " + close])
    case .foreign:
      (
        "bad", "Unexpected redirect",
        ["The redirect does not belong to a current sign-in. Start again from the terminal."]
      )
    case .repeated:
      (
        "bad", "Ambiguous redirect",
        ["The redirect contains a parameter more than once. Start again from the terminal."]
      )
    case .incomplete: ("bad", "Incomplete redirect", ["The address contains neither a code nor an error."])
    case .stray: ("plain", "Page not found", ["authflow is waiting at this address for a redirect."])
    }
  }

  /// Escapes text from a server, so that it cannot contain markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(2_000) {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += " "
      // Directional formatting characters could change the meaning of the text.
      case _ where scalar.properties.generalCategory == .format: continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension HTTPField.Name {
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .contentLocation }
  fileprivate static let pragma = name("Pragma")
  fileprivate static let referrerPolicy = name("Referrer-Policy")
}
