import Diagnostics

extension XMLPropertyListReader {
  /// Reports an XML syntax error from libxml2. At most one error is reported for each offset.
  mutating func reportXMLError(_ code: Int32, _ message: String, position: Int) {
    let offset = min(max(position, 0), bytes.count)
    guard !isStopRequested, errorOffsets.insert(offset).inserted,
      let reportXMLError = XMLSyntaxError(code, message, at: offset, in: bytes, root: "plist")
    else { return }
    report(
      reportXMLError.message, help: reportXMLError.help, from: reportXMLError.place,
      to: max(reportXMLError.place, offset))
  }

  /// Completes the tree after the last event and reports missing content.
  mutating func finish() {
    guard !isStopRequested else { return }
    if let open = scalar {
      scalar = nil
      close(open, end: bytes.count)
    }
    if builder.records.isEmpty, builder.diagnostics.isEmpty {
      builder.report(
        rule: "empty-document", "property list without a value", help: "add a value, such as `<dict></dict>`",
        at: .at(bytes.count))
    }
  }
}
