import CLibYAML
import Diagnostics

/// Text that libyaml splits in another way than YAML 1.2, without an error.
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

  /// An anchor's name goes on to the next blank or flow indicator (YAML 1.2.2 §6.9.2); libyaml ends it at `:`, `?`, `%`, `@`, and
  /// a backtick, and takes the rest as the value.
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
      rule: "yaml-syntax", "the anchor name after `&` contains `\(Character(UnicodeScalar(bytes[end])))`",
      help: "Use letters, digits, - and _ in the name of an anchor, or put a value that begins with & in quotes.",
      at: SourceSpan(start: start, end: end + 1))
  }

  /// In a flow mapping `?foo` is plain text (YAML 1.2.2 §7.3.3); libyaml takes `?` as the sign of a key and drops it.
  private mutating func checkQuestionMark(
    _ event: UnsafeMutablePointer<yaml_event_t>, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    guard openFlows.last == true else { return }
    let start = marks.offset(of: event.pointee.start_mark.index)
    guard start > 0, start <= bytes.count, bytes[start - 1] == UInt8(ascii: "?") else { return }
    builder.report(
      rule: "yaml-syntax", "a `?` directly before a key is ambiguous inside braces or brackets",
      help: "Put the key in quotes if the ? belongs to it, or remove the ?.",
      at: SourceSpan(start: start - 1, end: start))
  }
}
