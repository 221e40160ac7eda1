import Documents

/// The start page document, for the emulator itself and for a server that shows another emulator.
package struct StartPageDocument: Sendable {
  var introduction: HTML
  /// The explanation for browsers without access to the control interface.
  var locked: HTML
  /// The sections that work without a script.
  var facts: HTML
  /// The address of the emulator, or nil if the emulator serves the page itself.
  var emulator: String?

  /// Returns the page for a server that forwards a browser's control requests to an emulator.
  /// - Parameter emulator: The scheme and authority of the emulator.
  package static func attached(to emulator: String) -> String {
    let document = StartPageDocument(
      introduction: "<p>This page shows the emulator at <code>\(emulator)</code>.</p>\n",
      locked: """
        <h2>The emulator rejects control requests</h2>
        <p>Start the emulator without <code>--no-control</code>, and reload the studio.</p>

        """,
      facts: """
        <section class="card">\(clientSettings(login: emulator, graph: emulator, tenants: nil, control: emulator))</section>

        """,
      emulator: emulator)
    return document.html.text
  }

  private static let files = [
    "start.css": "text/css", "start.js": "text/javascript", "control.js": "text/javascript",
    "request-list.js": "text/javascript", "changes.js": "text/javascript", "sign-in.js": "text/javascript",
  ]

  /// Returns the text and media type of a script or the style sheet, or nil for an unknown name. The page requests them
  /// under `/_page/`.
  package static func file(_ name: String) -> (text: String, type: String)? {
    guard let type = files[name], let text = EmbeddedData.text(name) else { return nil }
    return (text, type)
  }

  /// The page with the request list. The script fills the empty sections.
  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"\(emulator.map { " data-emulator=\"\($0)\"" as HTML })>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(PageFrame.product)</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/\(StartPage.fileRoot)/start.css">
    <script type="module" src="/\(StartPage.fileRoot)/start.js"></script>
    </head>
    <body>
    <header>
    <h1>\(PageFrame.product)</h1>
    \(introduction)<p id="status" role="status"></p>
    </header>
    <main>
    <section id="locked" class="card"\(emulator == nil ? nil : " hidden" as HTML)>
    \(locked)</section>
    <div id="live" hidden>
    <section id="sign-ins" class="card" aria-labelledby="sign-ins-title" hidden></section>
    <section id="requests" class="card" aria-labelledby="requests-title"></section>
    <div id="changes"></div>
    </div>
    <div id="facts">
    \(facts)<div id="directory"></div>
    </div>
    </main>
    </body>
    </html>

    """
  }

  /// Returns the HTML with the settings for clients that use an emulator.
  static func clientSettings(login: String, graph: String, tenants: String?, control: String?) -> HTML {
    let tenantList: HTML? = tenants.map { " (\($0))" }
    let interface: HTML? = control.map {
      "<dt>Control interface</dt><dd>curl \($0)/\(ControlInterface.root)/</dd>\n"
    }
    return """
      <h2>Client settings</h2>
      <dl>
      <dt>Authority</dt><dd>\(login)/common, /organizations, /consumers, or a tenant\(tenantList)</dd>
      <dt>Microsoft Graph</dt><dd>\(graph)/v1.0</dd>
      \(interface)</dl>

      """
  }
}
