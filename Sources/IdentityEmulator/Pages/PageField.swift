/// An input field with a label and hints for browsers and password managers.
struct PageField: Sendable {
  enum Kind: String, Sendable {
    case text, email, password
  }

  var label: String
  var name: String
  var kind = Kind.text
  /// The HTML `autocomplete` token, such as `username`, `current-password`, or `one-time-code`.
  var autocomplete: String
  /// The initial value. Password fields ignore this value.
  var value = ""
  var limit: Int
  var isRequired = true
  /// Whether the field has the initial focus.
  var hasFocus = false
  /// Whether the submitted value was invalid.
  var isInvalid = false
  /// The type of the on-screen keyboard: `numeric` or `email`.
  var keyboard: String?
  /// Whether the on-screen keyboard types uppercase letters.
  var isUpperCase = false
  /// Help text below the label.
  var hint: String?

  var html: HTML {
    let initialValue: HTML? = kind == .password ? nil : " value=\"\(value)\""
    let plain: HTML? =
      kind == .password
      ? nil : " autocapitalize=\"\(isUpperCase ? "characters" : "none")\" spellcheck=\"false\" dir=\"auto\""
    let mode: HTML? = keyboard.map { " inputmode=\"\($0)\"" }
    let required: HTML? = isRequired ? " required" : nil
    let focus: HTML? = hasFocus ? " autofocus" : nil
    let descriptions = (isInvalid ? ["problem"] : []) + (hint == nil ? [] : ["\(name)-hint"])
    let described: HTML? =
      descriptions.isEmpty ? nil : " aria-describedby=\"\(descriptions.joined(separator: " "))\""
    let invalid: HTML? = isInvalid ? " aria-invalid=\"true\"" : nil
    let help: HTML? = hint.map { "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>\n" }
    return """
      <label for="\(name)">\(label)</label>
      \(help)<input type="\(kind.rawValue)" id="\(name)" name="\(name)"\(initialValue) autocomplete="\(autocomplete)"\(plain)\(mode) maxlength="\(limit)"\(required)\(focus)\(described)\(invalid)>

      """
  }

  static func username(_ value: String, label: String = "Email, phone, or username", isInvalid: Bool) -> PageField {
    PageField(
      label: label, name: "loginfmt", autocomplete: "username", value: value, limit: 320, hasFocus: true,
      isInvalid: isInvalid, keyboard: "email")
  }

  static func password(hasFocus: Bool, isInvalid: Bool) -> PageField {
    PageField(
      label: "Password", name: "passwd", kind: .password, autocomplete: "current-password", limit: 256,
      hasFocus: hasFocus, isInvalid: isInvalid)
  }

  /// Returns the fields for a new password and its confirmation.
  static func newPassword(hasFocus: Bool, isInvalid: Bool) -> HTML {
    PageField(
      label: "New password", name: "newpassword", kind: .password, autocomplete: "new-password", limit: 256,
      hasFocus: hasFocus, isInvalid: isInvalid, hint: "8 to 256 characters"
    ).html
      + PageField(
        label: "Confirm new password", name: "confirmpassword", kind: .password, autocomplete: "new-password",
        limit: 256, isInvalid: isInvalid
      ).html
  }
}
