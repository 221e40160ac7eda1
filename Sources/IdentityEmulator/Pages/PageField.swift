/// One input of a page, with its label: what is typed, and how browsers and password managers are to help.
struct PageField: Sendable {
  enum Kind: String, Sendable {
    case text, email, password
  }

  var label: String
  var name: String
  var kind = Kind.text
  /// The HTML `autocomplete` token: `username`, `current-password`, `new-password`, `one-time-code`, ….
  var autocomplete: String
  /// Never of a password: that is not shown again.
  var value = ""
  var limit: Int
  var isRequired = true
  /// Whether typing begins here.
  var isFirst = false
  /// Whether the page complains about what was typed here.
  var isWrong = false
  /// The keyboard that a phone shows: `numeric`, `email`.
  var keyboard: String?
  /// Whether letters come as capitals.
  var isUpperCase = false
  /// A sentence below the label.
  var hint: String?

  var html: HTML {
    let shown: HTML? = kind == .password ? nil : " value=\"\(value)\""
    let plain: HTML? =
      kind == .password
      ? nil : " autocapitalize=\"\(isUpperCase ? "characters" : "none")\" spellcheck=\"false\" dir=\"auto\""
    let mode: HTML? = keyboard.map { " inputmode=\"\($0)\"" }
    let required: HTML? = isRequired ? " required" : nil
    let focus: HTML? = isFirst ? " autofocus" : nil
    let descriptions = (isWrong ? ["problem"] : []) + (hint == nil ? [] : ["\(name)-hint"])
    let described: HTML? =
      descriptions.isEmpty ? nil : " aria-describedby=\"\(descriptions.joined(separator: " "))\""
    let invalid: HTML? = isWrong ? " aria-invalid=\"true\"" : nil
    let words: HTML? = hint.map { "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>\n" }
    return """
      <label for="\(name)">\(label)</label>
      \(words)<input type="\(kind.rawValue)" id="\(name)" name="\(name)"\(shown) autocomplete="\(autocomplete)"\(plain)\(mode) maxlength="\(limit)"\(required)\(focus)\(described)\(invalid)>

      """
  }

  static func username(_ value: String, label: String = "Email, phone or username", isWrong: Bool) -> PageField {
    PageField(
      label: label, name: "loginfmt", autocomplete: "username", value: value, limit: 320, isFirst: true,
      isWrong: isWrong, keyboard: "email")
  }

  static func password(isFirst: Bool, isWrong: Bool) -> PageField {
    PageField(
      label: "Password", name: "passwd", kind: .password, autocomplete: "current-password", limit: 256,
      isFirst: isFirst, isWrong: isWrong)
  }

  /// The two fields of a new password.
  static func newPassword(isFirst: Bool, isWrong: Bool) -> HTML {
    PageField(
      label: "New password", name: "newpassword", kind: .password, autocomplete: "new-password", limit: 256,
      isFirst: isFirst, isWrong: isWrong, hint: "8 to 256 characters."
    ).html
      + PageField(
        label: "Confirm the new password", name: "confirmpassword", kind: .password, autocomplete: "new-password",
        limit: 256, isWrong: isWrong
      ).html
  }
}
