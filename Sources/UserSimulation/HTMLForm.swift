import Effects
import OAuth

/// A form of a page, with what would be sent.
struct HTMLForm: Sendable {
  var action: String?
  var method: String
  var encoding: String
  var id: String
  private(set) var controls: [HTMLControl] = []
  /// The buttons that submit.
  private(set) var buttons: [HTMLControl] = []
  /// What a user can type into or choose from.
  private(set) var fields: [HTMLControl] = []

  /// Adds the next control of the page that belongs to it.
  mutating func add(_ control: HTMLControl) {
    var control = control
    control.position = controls.count
    controls.append(control)
    if control.isDisabled { return }
    if control.isButton { buttons.append(control) }
    if control.isVisibleField { fields.append(control) }
  }

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
    guard value.hasByte(where: { $0 >= 0x80 || (0x0A...0x0D).contains($0) }) else { return value }
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

  let kind: Kind
  /// The place among the form's controls; -1 for one that is in none.
  var position = -1
  let name: String
  let value: String
  let type: String
  let autocomplete: String
  /// The words beside it: its label, its own text, its placeholder.
  let label: String
  var isChecked = false
  var isDisabled = false
  var isRequired = false
  /// The values of a list, and which of them are chosen.
  var options: [(value: String, isSelected: Bool)] = []
  var takesMany = false
  var formAction: String?
  var formMethod: String?
  var formEncoding: String?
  /// Name and id in lower case and without marks, where there are.
  let names: [String]
  /// Every name that the page's author gave it, the `autocomplete` value among them, for guessing what it is for.
  let hints: [String]
  /// What a button says, in its value and beside it: words in lower case. Nothing of other controls, whose values may be
  /// long.
  let words: [[String]]

  /// What it is called and says is made comparable once: whoever reads the page asks for it again and again.
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

  /// The text in lower case, letters and digits alone.
  static func plain(_ text: String) -> String {
    // Names are nearly always ASCII, and going by characters takes many times as long.
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

  /// The letter in lower case; nil for what is none.
  private static func lowercasedLetter(_ byte: UInt8) -> UInt8? {
    let lower = byte | 0x20
    return (0x61...0x7A).contains(lower) ? lower : nil
  }
}
