/// What the user sees in the browser when the sign-in has come back: a page that loads nothing and does nothing.
enum LoopbackPage: Hashable, Sendable {
  case signedIn, signedOut
  case refused(error: String, description: String?)
  /// A second answer after the one that counted.
  case answered
  /// The answer to some other request.
  case foreign
  /// A redirect with two values of one parameter.
  case repeated
  /// The right place, without an answer.
  case incomplete
  case stray

  /// No script, no picture, no frame: whatever a server's words may hold.
  static let headers: [(String, String)] = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("Pragma", "no-cache"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
  ]

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
      <p class="faint">This page was made by authflow on this machine.</p>
      </main>
      </body>
      </html>

      """
  }

  private var words: (mark: String, title: String, text: [String]) {
    let close = "You may close this window; authflow goes on in the terminal."
    return switch self {
    case .signedIn: ("good", "The sign-in came back", [close])
    case .signedOut: ("good", "Signed out", [close])
    case .refused(let error, let description):
      ("bad", "The sign-in was refused", ["\(error)"] + (description.map { [$0] } ?? []) + [close])
    case .answered: ("plain", "The sign-in has come back already", ["Only the first answer counts. " + close])
    case .foreign:
      (
        "bad", "This answer is not awaited",
        ["It belongs to no sign-in that is under way here. Start again from the terminal."]
      )
    case .repeated:
      ("bad", "This redirect is ambiguous", ["It contains a parameter more than once. Start again from the terminal."])
    case .incomplete: ("bad", "There is no answer in this address", ["It holds neither a code nor an error."])
    case .stray: ("plain", "There is nothing here", ["authflow waits at this address for a sign-in to come back."])
    }
  }

  /// A server's words as text, never as markup.
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
      // Marks that turn the reading direction could make the words say something else.
      case _ where scalar.properties.generalCategory == .format: continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
