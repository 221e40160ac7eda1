import Effects

/// The commands that can open a page, in order of preference. The commands run without a shell.
package enum BrowserCommands {
  /// Returns the commands from `$BROWSER`, a colon-separated list in which `%s` is the URL. If `$BROWSER` is not set,
  /// returns the default commands of the system.
  ///
  /// In the Windows Subsystem for Linux, `wslview` (from wslu) or the Windows URL handler opens the Windows browser.
  /// Without a display, there is no command, because `xdg-open` would start a text browser in this terminal.
  package static func find(for url: String, in environment: Environment) -> [[String]] {
    if let wanted = environment["BROWSER"] {
      let commands = wanted.split(separator: ":").map { command(String($0), url: url) }.filter { !$0.isEmpty }
      if !commands.isEmpty { return commands }
    }
    #if os(macOS)
      return [["open", url]]
    #else
      if environment["WSL_DISTRO_NAME"] != nil || environment["WSL_INTEROP"] != nil {
        return [["wslview", url], ["rundll32.exe", "url.dll,FileProtocolHandler", url], ["xdg-open", url]]
      }
      return hasDisplay(environment) ? [["xdg-open", url]] : []
    #endif
  }

  /// Whether an X11 or Wayland display is available.
  static func hasDisplay(_ environment: Environment) -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }

  private static func command(_ text: String, url: String) -> [String] {
    var words = words(of: text)
    // Other programs run a command in the background if it ends with `&`. authflow always runs it in the background.
    if words.last == "&" { words.removeLast() }
    guard !words.isEmpty else { return [] }
    let filled = words.map { fill($0, url: url) }
    return filled.map(\.word) + (filled.contains(where: \.isFilled) ? [] : [url])
  }

  /// Replaces `%s` with the URL, `%%` with a percent sign, and `%c` with a colon, because colons separate the commands
  /// in the list.
  private static func fill(_ word: String, url: String) -> (word: String, isFilled: Bool) {
    var result = ""
    var isFilled = false
    var rest = word[...]
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("%", "s"):
        result += url
        isFilled = true
      case ("%", "%"): result += "%"
      case ("%", "c"): result += ":"
      default:
        result.append(character)
        continue
      }
      rest.removeFirst()
    }
    return (result, isFilled)
  }

  /// Splits a command into words. Quotes and backslashes work as in a shell.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): if let next = rest.popFirst() { word = (word ?? "") + String(next) }
      case (let mark, let open?) where mark == open: quote = nil
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (" ", nil), ("\t", nil):
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
