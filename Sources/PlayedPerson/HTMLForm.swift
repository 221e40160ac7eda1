import OAuth

/// A form of a page, with what would be sent.
struct HTMLForm: Sendable {
  var action: String?
  var method: String
  var encoding: String
  var id: String
  var controls: [HTMLControl]

  /// The buttons that submit.
  var buttons: [HTMLControl] { controls.filter { $0.isButton && !$0.isDisabled } }
  /// What a person can type into or choose from.
  var fields: [HTMLControl] { controls.filter { $0.isVisibleField && !$0.isDisabled } }

  func field(where isWanted: (HTMLControl) -> Bool) -> HTMLControl? { fields.first(where: isWanted) }

  /// The entries that a browser sends (HTML §4.10.22.4), in order.
  /// - Parameters:
  ///   - typed: values by the positions of controls.
  ///   - ticked: whether boxes are ticked, by position, where it was changed.
  ///   - button: the pressed one; others are not sent.
  func entries(typed: [Int: String], ticked: [Int: Bool], button: HTMLControl?) -> Parameters {
    var result = Parameters()
    for control in controls where !control.isDisabled && !control.name.isEmpty {
      switch control.kind {
      case .submit:
        if control.position == button?.position { result.append(control.name, control.value) }
      case .image:
        if control.position == button?.position {
          result.append(control.name + ".x", "1")
          result.append(control.name + ".y", "1")
        }
      case .checkbox, .radio:
        if ticked[control.position] ?? control.isChecked { result.append(control.name, control.value) }
      case .select:
        for value in typed[control.position].map({ [$0] }) ?? control.selectedValues {
          result.append(control.name, value)
        }
      case .file: result.append(control.name, "")
      case .other: break
      case .hidden, .text, .password:
        // Line ends travel as CR LF (HTML §4.10.22.4).
        let value = typed[control.position] ?? control.value
        result.append(control.name, Self.withWireLineEnds(value))
      }
    }
    return result
  }
}

extension HTMLForm {
  /// Only what has a line end, or more than ASCII in it, is looked at character by character: sealed states are long.
  private static func withWireLineEnds(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 >= 0x80 || (0x0A...0x0D).contains($0) }) else { return value }
    return value.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\r\n")
  }
}

/// A control of a form.
struct HTMLControl: Sendable {
  enum Kind: Sendable {
    case hidden, text, password, checkbox, radio, select, file, submit, image
    /// Buttons that do nothing without a script, and resets.
    case other
  }

  var kind: Kind
  /// The place among the form's controls.
  var position: Int
  var name: String
  var value: String
  var type: String
  var id: String
  var autocomplete: String
  /// The words beside it: its label, its own text, its placeholder.
  var label: String
  var isChecked: Bool
  var isDisabled: Bool
  var isRequired: Bool
  /// The values of a list, and which of them are chosen.
  var options: [(value: String, isSelected: Bool)]
  var takesMany: Bool
  var formAction: String?
  var formMethod: String?
  var formEncoding: String?

  var isButton: Bool { kind == .submit || kind == .image }
  /// Whether it picks an account, by the name that account pickers give their buttons.
  var isAccount: Bool { isButton && HTMLControl.plain(name) == "account" }
  var isVisibleField: Bool {
    switch kind {
    case .text, .password, .checkbox, .radio, .select: true
    case .hidden, .file, .submit, .image, .other: false
    }
  }

  /// What a browser sends for a list nobody touched.
  fileprivate var selectedValues: [String] {
    let chosen = options.filter(\.isSelected).map(\.value)
    if takesMany { return chosen }
    return (chosen.last ?? options.first?.value).map { [$0] } ?? []
  }

  /// Every name that the page's author gave it, in lower case and without marks, for guessing what it is for.
  var hints: [String] {
    [name, id, autocomplete].map { HTMLControl.plain($0) }.filter { !$0.isEmpty }
  }

  static func plain(_ text: String) -> String {
    if text.isEmpty { return text }
    return text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
