import Diagnostics

extension XMLPropertyListReader {
  /// What libxml2 says about the XML itself, in plain words; one message for each place.
  mutating func mistake(_ code: Int32, _ message: String, position: Int) {
    let offset = min(max(position, 0), bytes.count)
    guard !wantsToStop, mistakeOffsets.insert(offset).inserted,
      let mistake = XMLSyntaxError(code, message, at: offset, in: bytes, root: "plist")
    else { return }
    report(mistake.message, help: mistake.help, from: mistake.place, to: max(mistake.place, offset))
  }

  /// After the last event: what is missing altogether.
  mutating func finish() {
    guard !wantsToStop else { return }
    if let open = scalar {
      scalar = nil
      close(open, end: bytes.count)
    }
    if builder.records.isEmpty, builder.diagnostics.isEmpty {
      builder.report(
        rule: "empty-document", "the property list holds no value", help: "Put a <dict>…</dict> into it.",
        at: .at(bytes.count))
    }
  }
}
