import CLibYAML
import Diagnostics

/// Reads YAML 1.2 by its core schema, through libyaml's events.
///
/// libyaml stops at its first mistake. The offending line is then blanked and the text read again, so that several
/// mistakes are said at once; how often depends on the size of the text.
enum YAMLReader {
  static func read(_ source: SourceText, isASCII: Bool, limits: ReadingLimits) -> ReadResult {
    var mistakes: [Diagnostic] = []
    var bytes = source.bytes
    var blanked: Set<Int> = []
    var attempts = min(20, max(1, (40 << 20) / max(bytes.count, 1)))
    while true {
      var pass = YAMLPass(source: source, limits: limits)
      let mistake = bytes.withUnsafeBufferPointer { pass.run($0, isASCII: isASCII) }
      attempts -= 1
      guard let mistake else { return finish(pass, mistakes, limits) }
      guard let line = lineToBlank(mistake, source, blanked) else {
        if mistakes.isEmpty { mistakes.append(mistake.diagnostic(source)) }
        return finish(pass, mistakes, limits)
      }
      mistakes.append(mistake.diagnostic(source))
      guard attempts > 0 else { return finish(pass, mistakes, limits) }
      blanked.insert(line.lowerBound)
      for index in line { bytes[index] = UInt8(ascii: " ") }
    }
  }

  private static func finish(_ pass: YAMLPass, _ mistakes: [Diagnostic], _ limits: ReadingLimits) -> ReadResult {
    var pass = pass
    if !pass.sawDocument, mistakes.isEmpty {
      pass.builder.report(
        rule: "empty-document", "the file holds nothing but comments",
        help: "Write the document into it, as JSON, YAML or a property list.", at: .at(0))
    }
    var reading = pass.builder.finish(.yaml)
    reading.diagnostics = mistakes + reading.diagnostics
    return reading
  }

  /// The line where the mistake is, or where the unfinished thing began; nil where both are blanked already.
  private static func lineToBlank(_ mistake: YAMLSyntaxError, _ source: SourceText, _ blanked: Set<Int>) -> Range<Int>?
  {
    for offset in mistake.beginsEarlier ? [mistake.context ?? mistake.offset, mistake.offset] : [mistake.offset] {
      var line = source.lineRange(at: offset)
      // The end of the text, or a blank line: what is unfinished stands on the last line with text before it.
      while line.lowerBound > 0, line.isEmpty || source.bytes[line].allSatisfy(ByteClassification.isBlank) {
        line = source.lineRange(at: line.lowerBound - 1)
        if line.isEmpty, line.lowerBound > 0, source.bytes[line.lowerBound - 1] == UInt8(ascii: "\r") {
          line = source.lineRange(at: line.lowerBound - 1)
        }
      }
      if !line.isEmpty, !blanked.contains(line.lowerBound) { return line }
    }
    return nil
  }
}

/// One run of libyaml over the text.
struct YAMLPass {
  struct Anchor {
    var index: Int
    /// Nodes and levels of the content, aliases resolved; nil while the container is still open.
    var size: (nodes: Int, height: Int)?
  }

  var builder: TreeBuilder
  var sawDocument = false
  var anchors: [String: Anchor] = [:]
  /// The anchor names of open containers, beside the builder's frames.
  var openAnchors: [String?] = []
  /// Whether an open container is in flow style: then its end has a token of its own.
  var openFlows: [Bool] = []
  var aliasNodes = 0
  /// Where the last scalar, alias or flow container ended.
  var lastEnd = 0
  var marks = YAMLPositions()
  var isStopped = false

  init(source: SourceText, limits: ReadingLimits) {
    builder = TreeBuilder(source: source, limits: limits)
  }

  /// Reads everything; returns the mistake at which libyaml stopped.
  mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> YAMLSyntaxError? {
    builder.records.reserveCapacity(min(bytes.count / 6 + 16, 1 << 24))
    marks = YAMLPositions(bytes: isASCII ? nil : bytes)
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    defer {
      parser.deallocate()
      event.deallocate()
    }
    guard yaml_parser_initialize(parser) == 1 else { return nil }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    while !isStopped {
      guard yaml_parser_parse(parser, event) == 1 else { return YAMLSyntaxError(parser.pointee, bytes, &marks) }
      defer { yaml_event_delete(event) }
      checkMisreading(event, bytes)
      switch event.pointee.type {
      case YAML_SCALAR_EVENT: scalar(event, bytes)
      case YAML_MAPPING_START_EVENT:
        let data = event.pointee.data.mapping_start
        open(.mapping, event, anchor: data.anchor, tag: data.tag, isFlow: data.style == YAML_FLOW_MAPPING_STYLE)
      case YAML_SEQUENCE_START_EVENT:
        let data = event.pointee.data.sequence_start
        open(.array, event, anchor: data.anchor, tag: data.tag, isFlow: data.style == YAML_FLOW_SEQUENCE_STYLE)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close(event)
      case YAML_ALIAS_EVENT: alias(event)
      case YAML_DOCUMENT_START_EVENT:
        if sawDocument { secondDocument(event) }
        sawDocument = true
      case YAML_STREAM_END_EVENT: return nil
      default: break
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func span(_ event: UnsafeMutablePointer<yaml_event_t>) -> SourceSpan {
    let start = marks.offset(of: event.pointee.start_mark.index)
    return SourceSpan(start: start, end: marks.offset(of: event.pointee.end_mark.index))
  }

  private mutating func secondDocument(_ event: UnsafeMutablePointer<yaml_event_t>) {
    builder.report(
      rule: "yaml-syntax", "a second document begins here", help: "Put it into a file of its own.", at: span(event))
    isStopped = true
  }

  // MARK: Containers

  private mutating func open(
    _ kind: NodeRecord.Kind, _ event: UnsafeMutablePointer<yaml_event_t>, anchor: UnsafeMutablePointer<UInt8>?,
    tag: UnsafeMutablePointer<UInt8>?, isFlow: Bool
  ) {
    let span = span(event)
    lastEnd = max(lastEnd, span.start)
    if let tag { checkContainerTag(String(cString: tag), kind, span) }
    guard builder.open(kind, at: span.start) else {
      isStopped = true
      return
    }
    let name = anchor.map { String(cString: $0) }
    if let name { anchors[name] = Anchor(index: builder.records.count - 1, size: nil) }
    openAnchors.append(name)
    openFlows.append(isFlow)
  }

  private mutating func checkContainerTag(_ tag: String, _ kind: NodeRecord.Kind, _ span: SourceSpan) {
    let known = kind == .mapping ? ["map", "set", "omap"] : ["seq", "omap", "pairs"]
    guard tag != "!", !known.contains(where: { tag == YAMLCoreSchema.tagPrefix + $0 }) else { return }
    if tag.hasPrefix(YAMLCoreSchema.tagPrefix) {
      builder.report(
        rule: "yaml-syntax", "the tag !!\(tag.dropFirst(YAMLCoreSchema.tagPrefix.count)) does not fit this value",
        help: "Remove the tag.", at: span)
    } else {
      unknownTag(tag, span)
    }
  }

  mutating func unknownTag(_ tag: String, _ span: SourceSpan) {
    builder.report(
      .note, rule: "unknown-tag", "the tag ‘\(tag)’ means nothing here; the value is read as if it had none",
      help: "Remove the tag.", at: span)
  }

  private mutating func close(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let isFlow = openFlows.popLast() ?? false
    let anchor = openAnchors.popLast() ?? nil
    // A block has no closing token; it ends with what was read last.
    if isFlow { lastEnd = marks.offset(of: event.pointee.end_mark.index) }
    guard let closed = builder.close(end: lastEnd) else { return }
    if let anchor, anchors[anchor]?.index == closed.index {
      anchors[anchor]?.size = (closed.nodes + 1, closed.height)
    }
    if let frame = builder.frames.last, frame.isMapping, !frame.children.isMultiple(of: 2) {
      keyWasContainer(closed.index)
    }
  }

  /// JSON and property lists have no place for a list or a mapping as a key: its source text becomes the key.
  private mutating func keyWasContainer(_ index: Int) {
    let span = builder.span(of: index)
    builder.report(
      rule: "yaml-syntax", "a key cannot be \(builder.records[index].kind == .mapping ? "a mapping" : "a list") here",
      help: "Use a plain word or a quoted string as the key.", at: span)
    builder.makeKeyText(index)
    anchors = anchors.filter { $0.value.index < index }
  }

  // MARK: Aliases

  private mutating func alias(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let span = span(event)
    lastEnd = span.end
    let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
    let isKey = builder.frames.last.map { $0.isMapping && $0.children.isMultiple(of: 2) } ?? false
    // What cannot be repeated is null; as a key, which is always text, it is its own spelling.
    func instead() -> NodeRecord {
      NodeRecord(
        isKey ? .string : .null, start: span.start, end: span.end, first: span.start, second: name.utf8.count + 1)
    }
    guard let anchor = anchors[name] else {
      let near = Suggestion.nearest(to: name, among: anchors.keys.sorted())
      builder.report(
        rule: "yaml-syntax", "there is no anchor &\(name) before this alias",
        help: near.map { "Did you mean *\($0)?" } ?? "Define it with &\(name) further up.", at: span)
      return builder.scalar(instead())
    }
    guard let size = anchor.size else {
      builder.report(
        rule: "alias-expansion", "the alias *\(name) stands inside the value it repeats, which would never end",
        help: "Remove the alias, or write the value out.", at: span,
        related: [
          Diagnostic.Related("the value begins here", at: FileSpan(builder.source, builder.span(of: anchor.index)))
        ])
      return builder.scalar(instead())
    }
    if isKey, size.height > 0 {
      builder.report(
        rule: "yaml-syntax", "a key cannot be the list or mapping that *\(name) repeats",
        help: "Use a plain word or a quoted string as the key.", at: span)
      return builder.scalar(instead())
    }
    if isKey, builder.records[anchor.index].kind != .string {
      return builder.pooled(
        .string, start: span.start, end: span.end, text: Array(builder.scalarText(anchor.index).utf8))
    }
    aliasNodes += size.nodes
    guard aliasNodes <= builder.limits.expandedNodes else {
      builder.report(
        rule: "alias-expansion",
        "written out, the aliases of this document would make more than \(builder.limits.expandedNodes) nodes",
        help: "Use fewer aliases inside values that aliases repeat.", at: span)
      isStopped = true
      return
    }
    guard builder.frames.count + size.height <= builder.limits.depth else {
      builder.tooDeep(at: span)
      isStopped = true
      return
    }
    builder.alias(to: anchor.index, nodes: size.nodes, height: size.height, span: span)
  }
}
