#if canImport(CLibYAML)
  import CLibYAML
  import Diagnostics

  /// Detects text that libyaml accepts without an error but interprets differently from YAML 1.2.
  extension YAMLPass {
    /// Reports a node whose anchor or key libyaml read differently from YAML 1.2.
    mutating func checkMisreading(
      _ event: UnsafeMutablePointer<yaml_event_t>, _ bytes: UnsafeBufferPointer<UInt8>
    ) {
      let data = event.pointee.data
      switch event.pointee.type {
      case YAML_SCALAR_EVENT:
        checkAnchor(data.scalar.anchor, event, bytes)
        if data.scalar.length > 0 { checkQuestionMark(event, bytes) }
      case YAML_MAPPING_START_EVENT: checkAnchor(data.mapping_start.anchor, event, bytes)
      case YAML_SEQUENCE_START_EVENT: checkAnchor(data.sequence_start.anchor, event, bytes)
      default: break
      }
    }

    /// Checks an anchor name, which continues to the next whitespace or flow indicator (YAML 1.2.2 §6.9.2). libyaml
    /// ends the name at `:`, `?`, `%`, `@`, or a backtick and parses the rest as the value.
    private mutating func checkAnchor(
      _ anchor: UnsafeMutablePointer<UInt8>?, _ event: UnsafeMutablePointer<yaml_event_t>,
      _ bytes: UnsafeBufferPointer<UInt8>
    ) {
      guard let anchor else { return }
      let name = String(cString: anchor)
      var start = marks.offset(of: event.pointee.start_mark.index)
      // A tag may come before the anchor.
      while start < bytes.count, bytes[start] != UInt8(ascii: "&") {
        guard bytes[start] != 0x0A else { return }
        start += 1
      }
      let end = start + 1 + name.utf8.count
      guard end < bytes.count, ":?%@`".utf8.contains(bytes[end]) else { return }
      builder.report(
        rule: "yaml-syntax", "anchor name contains `\(Character(UnicodeScalar(bytes[end])))`",
        help: "use letters, digits, `-`, and `_` in anchor names, or put a value that starts with `&` in quotes",
        at: SourceSpan(start: start, end: end + 1))
    }

    /// Checks a question mark in a flow mapping, where `?foo` is plain text (YAML 1.2.2 §7.3.3). libyaml parses the `?`
    /// as a key indicator and drops it.
    private mutating func checkQuestionMark(
      _ event: UnsafeMutablePointer<yaml_event_t>, _ bytes: UnsafeBufferPointer<UInt8>
    ) {
      guard openFlows.last == true else { return }
      let start = marks.offset(of: event.pointee.start_mark.index)
      guard start > 0, start <= bytes.count, bytes[start - 1] == UInt8(ascii: "?") else { return }
      builder.report(
        rule: "yaml-syntax", "ambiguous `?` before a key in braces or brackets",
        help: "put the key in quotes if `?` belongs to it, or remove `?`",
        at: SourceSpan(start: start - 1, end: start))
    }
  }
#endif
