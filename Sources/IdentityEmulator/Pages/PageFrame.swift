/// What the person sees; the names are those of the workflow language's `screens`.
enum Screen: String, Sendable {
  case pickAccount, username, password, mfa, consent, adminApproval, changePassword, signUp, deviceCode, signedOut,
    error
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

  var text: String {
    let screenMark: HTML? = screen.map { "<meta name=\"authflow-screen\" content=\"\($0.rawValue)\">\n" }
    let codeMark: HTML? = code.map { "<meta name=\"authflow-code\" content=\"\($0)\">\n" }
    let doneMark: HTML? = isDone ? "<meta name=\"authflow-done\" content=\"true\">\n" : nil
    let problem: HTML? = complaint.map { "<p class=\"problem\" role=\"alert\" id=\"problem\">\($0)</p>\n" }
    let fields: [HTML] = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" }
    let body: HTML =
      if let action {
        "<form method=\"post\" action=\"\(action)\" autocomplete=\"off\">\n\(fields)\(content)\n</form>\n"
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
      \(screenMark)\(codeMark)\(doneMark)<title>\(title)</title>
      <style>\(PageStyle.sheet)</style>
      </head>
      <body>
      <main>
      <p class="banner">authflow emulator: nothing here is real</p>
      <h1>\(title)</h1>
      \(problem)\(body)\(footer)</main>
      </body>
      </html>

      """
    return page.text
  }
}

enum PageStyle {
  /// One sheet for all pages; both colour schemes keep a contrast of at least 4.5 to 1.
  static let sheet: HTML = """
    :root{--ground:#f3f4f7;--card:#fff;--ink:#1b1d24;--soft:#565b6b;--line:#8a8fa0;--act:#1f4fbf;--on-act:#fff;--bad:#a4161a;--focus:#7a3ff2}
    @media (prefers-color-scheme:dark){:root{--ground:#14161c;--card:#1f222b;--ink:#eef0f6;--soft:#b4b9c9;--line:#8086a0;--act:#9db8ff;--on-act:#10131b;--bad:#ff9a9e;--focus:#c7a8ff}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
    main{width:100%;max-width:27.5rem;background:var(--card);border-radius:.75rem;padding:2rem;box-shadow:0 2px 14px rgb(0 0 0/.16)}
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
    p{margin:0 0 1rem;overflow-wrap:anywhere}
    .banner{font-size:.8rem;color:var(--soft);margin:0 0 1rem}
    .problem{color:var(--bad);font-weight:600}
    .who{color:var(--soft)}
    label{display:block;font-weight:600;margin:0 0 1rem}
    input:not([type=checkbox]):not([type=hidden]){display:block;width:100%;font:inherit;margin-top:.25rem;padding:.6rem .7rem;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
    label.check{display:flex;gap:.7rem;align-items:flex-start;font-weight:400}
    label.check input{margin-top:.35rem;flex:none}
    label.check small{display:block;color:var(--soft)}
    .row{display:flex;flex-wrap:wrap;gap:.75rem;justify-content:flex-end;margin-top:1.5rem}
    button{font:inherit;padding:.55rem 1.2rem;border-radius:.4rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
    button.main{background:var(--act);border-color:var(--act);color:var(--on-act);font-weight:600}
    button.account{display:block;width:100%;text-align:left;margin:0 0 .6rem;padding:.8rem 1rem;overflow-wrap:anywhere}
    button.account small{display:block;color:var(--soft)}
    button.link{border:0;text-align:left;padding:.2rem 0;color:var(--act);text-decoration:underline}
    :focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    ul{padding-left:1.2rem;margin:0 0 1rem}
    .details{margin-top:1.5rem;font-size:.8rem;color:var(--soft);overflow-wrap:anywhere}
    .details p{margin:0}
    """
}
