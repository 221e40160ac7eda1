import Effects
import OAuth

/// An HTML form.
struct HTMLForm: Sendable {
  var action: String?
  var method: String
  var encoding: String
  var id: String
  private(set) var controls: [HTMLControl] = []
  /// The submit buttons.
  private(set) var buttons: [HTMLControl] = []
  /// The fields that the user can edit.
  private(set) var fields: [HTMLControl] = []

  /// Adds the next control of the form.
  mutating func add(_ control: HTMLControl) {
    var control = control
    control.position = controls.count
    controls.append(control)
    if control.isDisabled { return }
    if control.isButton { buttons.append(control) }
    if control.isVisibleField { fields.append(control) }
  }

  func field(where isWanted: (HTMLControl) -> Bool) -> HTMLControl? { fields.first(where: isWanted) }

  /// Returns the entries that a browser submits (HTML §4.10.22.4), in order.
  /// - Parameters:
  ///   - typed: The typed values, by control position.
  ///   - ticked: The new states of the changed checkboxes, by control position.
  ///   - button: The button that the user pressed. Other buttons are not submitted.
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
        // Browsers submit line breaks as CR LF (HTML §4.10.22.4).
        let value = typed[control.position] ?? control.value
        result.append(control.name, Self.withWireLineEnds(value))
      }
    }
    return result
  }
}

extension HTMLForm {
  /// Processes characters only if the value contains a line break or is not ASCII, because encrypted `state` values are
  /// long.
  private static func withWireLineEnds(_ value: String) -> String {
    guard value.hasByte(where: { $0 >= 0x80 || (0x0A...0x0D).contains($0) }) else { return value }
    return value.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\r\n")
  }
}

/// A form control.
struct HTMLControl: Sendable {
  enum Kind: Sendable {
    case hidden, text, password, checkbox, radio, select, file, submit, image
    /// A reset button, or a button that requires a script.
    case other
  }

  let kind: Kind
  /// The position among the form's controls, or -1 if the control does not belong to a form.
  var position = -1
  let name: String
  let value: String
  let type: String
  let autocomplete: String
  /// The label, text, or placeholder of the control.
  let label: String
  var isChecked = false
  var isDisabled = false
  var isRequired = false
  /// The options of a list: the value of each option, and whether it is selected.
  var options: [(value: String, isSelected: Bool)] = []
  var takesMany = false
  var formAction: String?
  var formMethod: String?
  var formEncoding: String?
  /// The name and the ID, reduced to lowercase letters and digits.
  let names: [String]
  /// All names that indicate the control's purpose, including its `autocomplete` value.
  let hints: [String]
  /// The words in the value and label of a button, in lowercase. Empty for other controls, because their values can be
  /// long.
  let words: [[String]]

  /// Creates a control. Normalizes names and labels once, because they are compared many times.
  init(
    kind: Kind, name: String = "", value: String = "", type: String = "", id: String = "",
    autocomplete: String = "", label: String
  ) {
    self.kind = kind
    self.name = name
    self.value = value
    self.type = type
    self.autocomplete = autocomplete
    self.label = label
    names = [name, id].map { Self.plain($0) }.filter { !$0.isEmpty }
    hints = names + [Self.plain(autocomplete)].filter { !$0.isEmpty }
    switch kind {
    case .submit, .image, .other: words = [value, label].map { Self.words(of: $0) }
    default: words = []
    }
  }

  var isButton: Bool { kind == .submit || kind == .image }
  /// Whether the button's name indicates that it selects an account in an account picker.
  var isAccount: Bool { isButton && HTMLControl.plain(name) == "account" }
  var isVisibleField: Bool {
    switch kind {
    case .text, .password, .checkbox, .radio, .select: true
    case .hidden, .file, .submit, .image, .other: false
    }
  }

  /// The values that a browser submits if the user does not change the list.
  fileprivate var selectedValues: [String] {
    let chosen = options.filter(\.isSelected).map(\.value)
    if takesMany { return chosen }
    return (chosen.last ?? options.first?.value).map { [$0] } ?? []
  }

  /// Returns the letters and digits in a string, in lowercase.
  static func plain(_ text: String) -> String {
    // Most names are ASCII, and processing characters is many times slower.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return String(decoding: text.utf8.lazy.compactMap { isDigit($0) ? $0 : lowercasedLetter($0) }, as: UTF8.self)
  }

  private static func words(of text: String) -> [String] {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return text.lowercased().split { !$0.isLetter }.map(String.init)
    }
    return text.utf8.split { lowercasedLetter($0) == nil }.map { word in
      String(decoding: word.lazy.map { $0 | 0x20 }, as: UTF8.self)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the letter in lowercase, or nil for other bytes.
  private static func lowercasedLetter(_ byte: UInt8) -> UInt8? {
    let lower = byte | 0x20
    return (0x61...0x7A).contains(lower) ? lower : nil
  }
}
