import Documents
import Effects
import OAuth
import RunTrace

/// The markup of a page without personal data. It shows why the simulated user could not continue, or what the user
/// saw.
///
/// The markup contains the elements, the attributes that describe their function, and the visible text. It does not
/// contain field values, values of URL parameters, scripts, styles, or other attributes. Text that looks like a token
/// is masked, as are all given secrets.
struct RedactedPage {
  /// An HTML document. When a browser opens the document, it loads no resources, runs no scripts, and submits no data.
  private(set) var text: String

  /// The maximum size in bytes. Longer pages are truncated and end with a note.
  static let longest = 256 << 10

  private static let mark = "…"
  private let secrets: [String]
  private let picture: Picture?
  /// The finder for secrets in all encodings that the page's URLs and scripts can use.
  private var finder = SecretFinder()

  /// - Parameter secrets: The secrets that the user may have typed.
  init(_ root: HTMLElement, at url: URLReference, without secrets: [String]) {
    self.init(secrets, nil)
    text = "<!DOCTYPE html>\n<!-- "
    text += masked(address: url.text).escapedForMarkup.replacing("--", with: "- -")
    text += ": without field values, scripts, or text that looks like a token. -->\n"
    text += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'\">\n"
    write(root)
    if text.utf8.count > Self.longest { text += "\n<!-- truncated -->\n" }
  }

  /// The user's input on a page.
  struct Picture {
    /// The values to show in the fields, by name.
    var shown: [String: String]
    /// The name and value of the button that the user pressed.
    var pressed: (name: String, value: String)?
  }

  /// The maximum size of a picture in bytes, because a trace contains many of them.
  static let longestPicture = 48 << 10

  /// Creates the body of a page with the user's input. The body has no scripts, styles, or URLs.
  init(_ root: HTMLElement, picture: Picture, without secrets: [String]) {
    self.init(secrets, picture)
    var body = root
    root.forEach { if $0.name == "body" { body = $0 } }
    write(body)
  }

  private init(_ secrets: [String], _ picture: Picture?) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.picture = picture
    text = ""
    for secret in self.secrets { finder.insert(secret, label: Self.mark) }
  }

  private var limit: Int { picture == nil ? Self.longest : Self.longestPicture }

  // MARK: Elements

  /// The void elements of HTML, which cannot have content.
  static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]

  private mutating func write(_ element: HTMLElement) {
    guard text.utf8.count <= limit else { return }
    if picture != nil, Self.withoutPicture.contains(element.name) { return }
    guard let name = Self.plain(element.name) else { return }
    text += "<\(name)"
    for attribute in element.attributes {
      guard let value = value(of: attribute.name, attribute.value, on: element) else { continue }
      // Rename the attribute to disable instructions to the browser, such as redirects.
      let name = attribute.name == "http-equiv" ? "data-http-equiv" : attribute.name
      text += value.isEmpty ? " \(name)" : " \(name)=\"\(value.escapedForMarkup)\""
    }
    if let picture { text += Self.input(on: element, picture) }
    text += ">"
    if Self.void.contains(name) { return }
    if name == "script" || name == "style" {
      let size = element.rawText.utf8.count
      if size > 0 { text += "/* \(size) bytes */" }
    } else if name != "textarea" {
      for child in element.children {
        switch child {
        case .element(let inner): write(inner)
        case .text(let words): if text.utf8.count <= limit { text += masked(words).escapedForMarkup }
        }
      }
    }
    text += "</\(name)>"
  }

  /// Elements that are not visible, load resources, or run scripts.
  static let withoutPicture: Set<String> = [
    "base", "embed", "frame", "iframe", "link", "meta", "noscript", "object", "script", "style", "template", "title",
  ]

  /// Returns the attributes that show the user's input on a control.
  private static func input(on element: HTMLElement, _ picture: Picture) -> String {
    guard let name = element["name"] else { return "" }
    if element.name == "input", let value = picture.shown[name] { return " value=\"\(value.escapedForMarkup)\"" }
    guard let pressed = picture.pressed, pressed.name == name, element["value"] ?? "" == pressed.value else {
      return ""
    }
    return " data-pressed"
  }

  /// Returns the name, or nil if it contains special characters, which some parsers accept.
  static func plain(_ name: String) -> String? {
    name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || 0x30...0x39 ~= $0 }
      ? name : nil
  }

  // MARK: Attributes

  /// The attributes that describe the function of a control.
  private static let preservedNames: Set<String> = [
    "alt", "aria-label", "aria-live", "autocomplete", "checked", "class", "disabled", "enctype", "for", "form",
    "formenctype", "formmethod", "hidden", "http-equiv", "id", "lang", "method", "multiple", "name", "placeholder",
    "rel", "required", "role", "selected", "title", "type",
  ]
  private static let addresses: Set<String> = ["action", "formaction", "href", "src"]

  /// - Returns: The value, or nil if the attribute is removed.
  private func value(of name: String, _ value: String, on element: HTMLElement) -> String? {
    if Self.addresses.contains(name) { return picture == nil ? masked(address: value) : nil }
    if Self.preservedNames.contains(name) { return masked(value) }
    switch name {
    case "value":
      if let name = element["name"], element.name == "input", picture?.shown[name] != nil { return nil }
      // The value of a button is its label.
      let isLabel = element.name == "button" || ["submit", "button"].contains(element["type"]?.lowercased())
      return isLabel ? masked(value) : value.isEmpty ? "" : Self.mark
    case "content":
      guard element["http-equiv"]?.lowercased() == "refresh" else { return Self.mark }
      let parts = value.split(separator: ";", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return masked(value) }
      let equals = parts[1].firstIndex(of: "=").map { parts[1].index(after: $0) } ?? parts[1].startIndex
      return masked(parts[0]) + ";" + masked(String(parts[1][..<equals])) + masked(address: String(parts[1][equals...]))
    default: return nil
    }
  }

  // MARK: Masking

  /// Returns the URL with parameter names but without parameter values.
  private func masked(address: String) -> String {
    var url = URLReference(address.trimmed)
    if let scheme = url.scheme?.lowercased(), !["http", "https"].contains(scheme), url.authority == nil {
      return scheme + ":" + Self.mark
    }
    // Remove credentials before the host.
    if let authority = url.authority, let at = authority.lastIndex(of: "@") {
      url.authority = Self.mark + authority[at...]
    }
    url.authority = url.authority.map { masked($0) }
    url.path = masked(url.path)
    url.query = url.query.map { query in
      query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
        guard let equals = pair.firstIndex(of: "=") else { return masked(String(pair)) }
        return masked(String(pair[..<equals])) + "=" + Self.mark
      }.joined(separator: "&")
    }
    if url.fragment?.isEmpty == false { url.fragment = Self.mark }
    return url.text
  }

  /// The minimum length of a token. A sequence of letters and digits counts as a token if it is at least this long and
  /// contains a digit.
  private static let longestWord = 20

  private func masked(_ words: String) -> String {
    var words = words
    for secret in secrets { words = words.replacing(secret, with: Self.mark) }
    words = finder.masking(words)
    var result: [UInt8] = []
    result.reserveCapacity(words.utf8.count)
    for run in words.utf8.chunked(by: Self.isOfToken) {
      let looksLikeToken =
        run.count >= Self.longestWord && run.first.map(Self.isOfToken) == true
        && run.contains { 0x30...0x39 ~= $0 }
      result += looksLikeToken ? Array(Self.mark.utf8) : Array(run)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a byte can be part of a token: a character of Base64, Base64url, or percent-encoding, except the
  /// separators `/` and `.`.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "%"): true
    default: false
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension String.UTF8View {
  /// Splits the collection into groups of adjacent elements of the same kind.
  fileprivate func chunked(by isAlike: (UInt8) -> Bool) -> [SubSequence] {
    var runs: [SubSequence] = []
    var start = startIndex
    while start != endIndex {
      let kind = isAlike(self[start])
      let end = self[start...].firstIndex { isAlike($0) != kind } ?? endIndex
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
