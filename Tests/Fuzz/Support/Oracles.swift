import Diagnostics
import Documents
import Effects

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks invariants for all inputs. A violation ends the program, and libFuzzer saves the input.
package enum Oracles {
  package static func require(_ condition: Bool, _ words: @autoclosure () -> String) {
    guard !condition else { return }
    FuzzDriver.printError("\nORACLE: \(words())")
    abort()
  }

  /// Checks that every diagnostic has a valid location, can be rendered, and has valid edits.
  package static func check(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      require(!diagnostic.message.isEmpty && !diagnostic.rule.isEmpty, "a diagnostic without a message or rule")
      for place in [diagnostic.place] + diagnostic.related.map(\.place) {
        check(place.span, in: place.source, diagnostic.message)
      }
      for edit in diagnostic.fix?.edits ?? [] { check(edit.span, in: diagnostic.place.source, diagnostic.message) }
      let shown = CaretFrame(color: false, width: 80).render(diagnostic)
      require(
        shown.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 },
        "a frame with control characters")
      if let fix = diagnostic.fix, !diagnostic.place.source.isBinary {
        require(
          (try? SpanEdits.apply(fix.edits, to: diagnostic.place.source)) != nil, "a fix that cannot be applied: \(fix)")
      }
    }
  }

  package static func check(_ span: SourceSpan?, in source: SourceText, _ words: String) {
    guard let span else { return }
    require(
      span.start >= 0 && span.start <= span.end && span.end <= source.bytes.count,
      "\(span) is outside the text: \(words)")
    guard !source.isBinary else { return }
    for offset in [span.start, span.end] where offset < source.bytes.count {
      require(source.bytes[offset] & 0xC0 != 0x80, "\(span) splits a character: \(words)")
    }
  }

  package static func check(_ comments: [Comment], in source: SourceText) {
    var end = 0
    for comment in comments {
      check(comment.span, in: source, "comment")
      require(comment.span.start >= end && comment.span.end > comment.span.start, "comments overlap")
      end = comment.span.end
    }
  }

  /// Checks that locations are inside the text, and that children are inside their parent.
  package static func check(_ node: Node, within outer: SourceSpan?) {
    let source = node.document.source
    check(node.span, in: source, "node")
    check(node.innerSpan, in: source, "inner span")
    // The target of an alias and the objects of a binary property list are elsewhere in the file.
    if let outer, node.document.syntax != .binaryPropertyList,
      node.document.syntax != .yaml || source.bytes[outer.start] != UInt8(ascii: "*")
    {
      require(node.span.start >= outer.start && node.span.end <= outer.end, "\(node.span) is outside of \(outer)")
    }
    _ = (node.scalarText, node.integer, node.number, node.data, node.date, node.uid, node.string, node.bool)
    for element in node.elements { check(element, within: node.span) }
    for (key, value) in node.entries {
      require(key.kind == .string, "a key is not a string")
      check(key, within: node.span)
      check(value, within: node.span)
    }
  }

  /// Returns the number of nodes after alias expansion, up to a limit.
  package static func size(_ node: Node, limit: Int) -> Int {
    var count = 1
    for element in node.elements where count < limit { count += size(element, limit: limit - count) }
    for (_, value) in node.entries where count < limit { count += size(value, limit: limit - count) }
    return count
  }

  /// Returns the first difference between a tree and the tree that was read after writing it in a format, or nil.
  /// Ignores values that the format does not support.
  package static func difference(_ node: Node, _ other: Node, as syntax: DocumentSyntax) -> String? {
    func differs(_ what: String) -> String {
      "\(what): \(node.scalarText ?? node.typeName) became \(other.scalarText ?? other.typeName)"
    }
    switch node.kind {
    case .null: return other.kind == .null ? nil : differs("null")
    case .bool: return other.bool == node.bool ? nil : differs("bool")
    case .integer:
      guard let integer = node.exactInteger else { return other.number == node.number ? nil : differs("integer") }
      return other.exactInteger == integer ? nil : differs("integer")
    case .real:
      guard let number = node.number, let back = other.number else { return differs("real") }
      return number == back || number.isNaN && back.isNaN ? nil : differs("real")
    case .string:
      return other.string.map { Array($0.utf8) } == node.string.map { Array($0.utf8) } ? nil : differs("string")
    case .data: return syntax == .json || other.data == node.data ? nil : differs("data")
    case .date:
      if syntax == .json { return nil }
      // XML property lists store whole seconds only.
      guard var date = node.calendarTime, var back = other.calendarTime else { return differs("date") }
      (date.nanosecond, back.nanosecond) = (0, 0)
      return date == back ? nil : differs("date")
    case .uid: return syntax == .json || syntax == .yaml || other.uid == node.uid ? nil : differs("uid")
    case .array:
      guard other.kind == .array, other.count == node.count else { return differs("list") }
      for (element, back) in zip(node.elements, other.elements) {
        if let found = difference(element, back, as: syntax) { return found }
      }
      return nil
    case .mapping:
      guard other.kind == .mapping else {
        return syntax == .xmlPropertyList && other.kind == .uid ? nil : differs("mapping")
      }
      var names: Set<[UInt8]> = []
      for (key, value) in node.entries {
        guard let name = key.string, names.insert(Array(name.utf8)).inserted else { continue }
        guard let back = other[name] else { return "the key `\(name)` is missing" }
        if let found = difference(value, back, as: syntax) { return found }
      }
      return other.count == names.count ? nil : differs("keys")
    }
  }

  /// Returns diagnostics as strings, to compare them.
  package static func said(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map {
      "\($0.severity) \($0.rule) \($0.place.source.name) \($0.place.span.map { "\($0)" } ?? "") \($0.message)"
    }
  }
}
