import Effects
import OAuth

/// The parts of a page that are relevant to a user who reads it and fills in its forms.
struct HTMLPage: Sendable {
  struct Link: Sendable {
    var url: URLReference
    var text: String
  }

  var url: URLReference
  /// The base URL for resolving relative references.
  var base: URLReference
  var title: String
  var text: String
  var metas: [String: String]
  var forms: [HTMLForm]
  /// The form and the position of each control, in page order. Nil for a control without a form.
  private(set) var controlOwners: [(form: Int, position: Int)?]
  var links: [Link]
  /// The page's automatic redirect, with the delay in seconds.
  var refresh: (seconds: Int, url: URLReference)?
  /// The page's error messages: the text of elements with the `alert` role.
  var alerts: [String]
  var hasScripts: Bool
  /// Whether a script or an attribute on the page submits a form.
  var submitsItself: Bool

  init(_ root: HTMLElement, url: URLReference) {
    self.url = url
    var reader = HTMLPageReader(url: url)
    reader.read(root)
    base = reader.base
    title = reader.title
    text = root.visibleText()
    metas = reader.metas
    (forms, controlOwners) = reader.formsWithControls
    links = reader.links
    refresh = reader.refresh
    alerts = reader.alerts
    hasScripts = reader.hasScripts
    submitsItself = reader.submitsItself
  }

  /// The error code in a meta element or in the text, such as `AADSTS50011` or `AADB2C90118`.
  var code: String? { metas["authflow-code"] ?? ErrorCode.find(in: text) ?? ErrorCode.find(in: title) }

  /// Returns the form and the position of a control, by its number on the page.
  func owner(of number: Int) -> (form: Int, position: Int)? {
    controlOwners.indices.contains(number) ? controlOwners[number] : nil
  }

  /// Returns a control by its number on the page, or nil if it does not belong to a form.
  func control(_ number: Int) -> HTMLControl? { owner(of: number).map { forms[$0.form].controls[$0.position] } }

  /// The first error message of the page.
  var firstAlert: String? { alerts.first { !$0.isEmpty } }
}

/// Finds Microsoft's error codes in a string.
enum ErrorCode {
  static func find(in text: String) -> String? {
    // Search bytes, because searching characters is many times slower.
    let bytes = Array(text.utf8)
    for prefix in ["AADSTS", "AADB2C"] {
      var rest = bytes[...]
      while let start = rest.firstIndex(of: UInt8(ascii: "A")) {
        rest = rest[start...]
        guard rest.starts(with: prefix.utf8) else {
          rest = rest.dropFirst()
          continue
        }
        let digits = rest.dropFirst(prefix.utf8.count).prefix { (0x30...0x39).contains($0) }
        if digits.count >= 4 { return prefix + String(decoding: digits, as: UTF8.self) }
        break
      }
    }
    return nil
  }
}

/// Extracts the relevant parts of a page in one pass.
private struct HTMLPageReader {
  let url: URLReference
  var base: URLReference
  var title = ""
  var metas: [String: String] = [:]
  var forms: [HTMLForm] = []
  var links: [HTMLPage.Link] = []
  var refresh: (seconds: Int, url: URLReference)?
  var alerts: [String] = []
  var hasScripts = false
  var submitsItself = false

  private var hasBase = false
  /// The text of each `<label for="…">`, by the ID of the control.
  private var labels: [String: String] = [:]
  /// The controls. For each control, `form` is the enclosing form, and `named` is the ID in the `form` attribute.
  private var controls: [(control: HTMLControl, form: Int?, named: String?)] = []
  /// The maximum length of a label or an alert, in characters.
  private static let longestLabel = 300

  init(url: URLReference) {
    self.url = url
    base = url
  }

  mutating func read(_ root: HTMLElement) {
    root.forEach { element in
      guard element.name == "label", let target = element["for"], labels[target] == nil else { return }
      labels[target] = element.visibleText(limit: Self.longestLabel)
    }
    visit(root, ElementContext())
  }

  /// The properties that an element inherits from its ancestors.
  private struct ElementContext {
    var form: Int?
    var label: String?
    var isDisabled = false
  }

  /// The forms with their controls. A control can be outside its form.
  var formsWithControls: (forms: [HTMLForm], owners: [(form: Int, position: Int)?]) {
    var result = forms
    var owners: [(form: Int, position: Int)?] = []
    for entry in controls {
      // A control that refers to a missing form does not belong to any form.
      let owner = entry.named.map { id in result.firstIndex { $0.id == id } } ?? entry.form
      owners.append(owner.map { ($0, result[$0].controls.count) })
      if let owner { result[owner].add(entry.control) }
    }
    // Browsers do not submit forms whose method is `dialog`.
    let kept = result.indices.filter { result[$0].method != "dialog" }
    let numbers = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    return (
      kept.map { result[$0] },
      owners.map { owner in owner.flatMap { old in numbers[old.form].map { ($0, old.position) } } }
    )
  }

  private mutating func visit(_ element: HTMLElement, _ outer: ElementContext) {
    var around = outer
    switch element.name {
    case "template", "svg": return
    case "base":
      if !hasBase, let href = element["href"] {
        hasBase = true
        base = url.resolving(href)
      }
    case "title": if title.isEmpty { title = HTMLElement.words(of: element.rawText) }
    case "meta": readMeta(element)
    case "script":
      hasScripts = true
      let script = element.rawText
      if script.contains(".submit(") || script.contains(".submit;") { submitsItself = true }
    case "a": if let href = element["href"] { addLink(href, element.visibleText(limit: Self.longestLabel)) }
    case "form":
      // Ignore a nested form, because its controls belong to the outer form.
      if around.form == nil {
        forms.append(
          HTMLForm(
            action: element["action"], method: (element["method"] ?? "get").lowercased(),
            encoding: (element["enctype"] ?? FormCoding.mediaType).lowercased(), id: element["id"] ?? ""))
        around.form = forms.count - 1
      }
    case "label": around.label = element.visibleText(limit: Self.longestLabel)
    case "fieldset": if element["disabled"] != nil { around.isDisabled = true }
    case "input", "button", "select", "textarea": addControl(element, around)
    default: break
    }
    if element["onload"]?.contains("submit") == true { submitsItself = true }
    let role = element["role"]?.lowercased()
    if role == "alert" || element["aria-live"]?.lowercased() == "assertive" {
      alerts.append(element.visibleText(limit: Self.longestLabel))
    }
    for case .element(let child) in element.children { visit(child, around) }
  }

  private mutating func readMeta(_ element: HTMLElement) {
    let content = element["content"] ?? ""
    if let name = element["name"]?.lowercased(), metas[name] == nil { metas[name] = content }
    guard element["http-equiv"]?.lowercased() == "refresh", refresh == nil else { return }
    let digits = content.drop { $0.isWhitespace }.prefix { $0.isNumber }
    guard let seconds = Int(digits) else { return }
    var target = ""
    if let start = content.lowercased().firstRange(of: "url") {
      let rest = content.dropFirst(content.lowercased().distance(from: content.startIndex, to: start.upperBound))
      target = String(rest.drop { $0.isWhitespace || $0 == "=" })
      if let quote = target.first, quote == "'" || quote == "\"" {
        target = String(target.dropFirst().prefix { $0 != quote })
      }
    }
    refresh = (seconds, target.isEmpty ? url : base.resolving(target))
  }

  private mutating func addLink(_ href: String, _ text: String) {
    links.append(HTMLPage.Link(url: base.resolving(href), text: text))
  }

  private mutating func addControl(_ element: HTMLElement, _ around: ElementContext) {
    let type = (element["type"] ?? (element.name == "button" ? "submit" : "text")).lowercased()
    let id = element["id"] ?? ""
    let ownText = element.name == "button" ? element.visibleText(limit: Self.longestLabel) : ""
    let words = [labels[id], around.label, ownText, element["aria-label"], element["placeholder"], element["title"]]
    var options: [(value: String, isSelected: Bool)] = []
    element.forEach { option in
      guard option.name == "option", option["disabled"] == nil else { return }
      options.append((option["value"] ?? option.visibleText(), option["selected"] != nil))
    }
    let kind = Self.kind(element.name, type)
    let isTicked = kind == .checkbox || kind == .radio
    var value = element["value"] ?? (isTicked ? "on" : "")
    if element.name == "textarea" {
      value = element.rawText
      if value.first?.isNewline == true { value.removeFirst() }
    }
    var control = HTMLControl(
      kind: kind, name: element["name"] ?? "", value: value, type: type, id: id,
      autocomplete: element["autocomplete"] ?? "",
      label: words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " "))
    control.isChecked = element["checked"] != nil
    control.isDisabled = around.isDisabled || element["disabled"] != nil
    control.isRequired = element["required"] != nil
    control.options = options
    control.takesMany = element["multiple"] != nil
    control.formAction = element["formaction"]
    control.formMethod = element["formmethod"]?.lowercased()
    control.formEncoding = element["formenctype"]?.lowercased()
    controls.append((control, around.form, element["form"]))
  }

  private static func kind(_ name: String, _ type: String) -> HTMLControl.Kind {
    switch (name, type) {
    case ("select", _): .select
    case ("textarea", _): .text
    case ("button", "submit"), ("input", "submit"): .submit
    case ("input", "image"): .image
    case ("button", _), ("input", "button"), ("input", "reset"): .other
    case (_, "hidden"): .hidden
    case (_, "password"): .password
    case (_, "checkbox"): .checkbox
    case (_, "radio"): .radio
    case (_, "file"): .file
    default: .text
    }
  }
}
