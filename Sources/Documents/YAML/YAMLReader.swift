#if canImport(CLibYAML)
  import CLibYAML
  import Diagnostics

  /// A reader for YAML 1.2 with the core schema, based on libyaml's events.
  ///
  /// libyaml stops at the first error. To report several errors, this reader then blanks the line with the error and
  /// reads the text again. The number of attempts depends on the size of the text.
  enum YAMLReader {
    static func read(_ source: SourceText, isASCII: Bool, limits: ReadingLimits) -> ReadResult {
      var errors: [Diagnostic] = []
      var bytes = source.bytes
      var blanked: Set<Int> = []
      var attemptsLeft = min(20, max(1, (40 << 20) / max(bytes.count, 1)))
      while true {
        var pass = YAMLPass(source: source, limits: limits)
        let error = bytes.withUnsafeBufferPointer { pass.run($0, isASCII: isASCII) }
        attemptsLeft -= 1
        guard let error else { return finish(pass, errors, limits) }
        guard let line = lineToBlank(error, source, blanked) else {
          if errors.isEmpty { errors.append(error.diagnostic(source)) }
          return finish(pass, errors, limits)
        }
        errors.append(error.diagnostic(source))
        guard attemptsLeft > 0 else { return finish(pass, errors, limits) }
        blanked.insert(line.lowerBound)
        for index in line { bytes[index] = UInt8(ascii: " ") }
      }
    }

    private static func finish(_ pass: YAMLPass, _ errors: [Diagnostic], _ limits: ReadingLimits) -> ReadResult {
      var pass = pass
      if !pass.sawDocument, errors.isEmpty {
        pass.builder.report(
          rule: "empty-document", "file contains only comments",
          help: "add a document in JSON, YAML, or property list format", at: .at(0))
      }
      var reading = pass.builder.finish(.yaml)
      reading.diagnostics = errors + reading.diagnostics
      return reading
    }

    /// Returns the line that contains the error or the start of the unfinished construct. Returns nil if both are
    /// already blank.
    private static func lineToBlank(_ error: YAMLSyntaxError, _ source: SourceText, _ blanked: Set<Int>) -> Range<Int>?
    {
      for offset in error.isUnclosedConstruct ? [error.context ?? error.offset, error.offset] : [error.offset] {
        var line = source.lineRange(at: offset)
        // If the error is at the end of the text or on a blank line, the unfinished construct is on the last line with
        // text before it.
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

  /// One pass of libyaml over the text.
  struct YAMLPass {
    struct Anchor {
      var index: Int
      /// The size of the content with aliases resolved, or nil while the container is open.
      var size: (nodes: Int, height: Int)?
    }

    var builder: TreeBuilder
    var sawDocument = false
    var anchors: [String: Anchor] = [:]
    /// The anchor names of open containers, parallel to the builder's frames.
    var openAnchors: [String?] = []
    /// Whether each open container is in flow style. Only flow containers have a closing token.
    var openFlows: [Bool] = []
    var aliasNodes = 0
    /// The end of the last scalar, alias, or flow container.
    var lastEnd = 0
    var marks = YAMLPositions()
    var isStopped = false

    init(source: SourceText, limits: ReadingLimits) {
      builder = TreeBuilder(source: source, limits: limits)
    }

    /// Reads the text and returns the error at which libyaml stopped, or nil.
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
        rule: "yaml-syntax", "second document in one file", help: "move it to a separate file", at: span(event))
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
      let expectedTags = kind == .mapping ? ["map", "set", "omap"] : ["seq", "omap", "pairs"]
      guard tag != "!", !expectedTags.contains(where: { tag == YAMLCoreSchema.tagPrefix + $0 }) else { return }
      if tag.hasPrefix(YAMLCoreSchema.tagPrefix) {
        builder.report(
          rule: "yaml-syntax", "tag `!!\(tag.dropFirst(YAMLCoreSchema.tagPrefix.count))` does not match the value",
          help: "remove the tag", at: span)
      } else {
        unknownTag(tag, span)
      }
    }

    mutating func unknownTag(_ tag: String, _ span: SourceSpan) {
      builder.report(
        .note, rule: "unknown-tag", "unknown tag `\(tag)` is ignored",
        help: "remove the tag", at: span)
    }

    private mutating func close(_ event: UnsafeMutablePointer<yaml_event_t>) {
      let isFlow = openFlows.popLast() ?? false
      let anchor = openAnchors.popLast() ?? nil
      // A block container does not have a closing token. It ends where its content ends.
      if isFlow { lastEnd = marks.offset(of: event.pointee.end_mark.index) }
      guard let closed = builder.close(end: lastEnd) else { return }
      if let anchor, anchors[anchor]?.index == closed.index {
        anchors[anchor]?.size = (closed.nodes + 1, closed.height)
      }
      if let frame = builder.frames.last, frame.isMapping, !frame.children.isMultiple(of: 2) {
        keyWasContainer(closed.index)
      }
    }

    /// Replaces a key that is a list or mapping with its source text, because other syntaxes do not support such keys.
    private mutating func keyWasContainer(_ index: Int) {
      let span = builder.span(of: index)
      builder.report(
        rule: "yaml-syntax", "\(builder.records[index].kind == .mapping ? "mapping" : "list") used as a key",
        help: "use a plain or quoted string as the key", at: span)
      builder.makeKeyText(index)
      anchors = anchors.filter { $0.value.index < index }
    }

    // MARK: Aliases

    private mutating func alias(_ event: UnsafeMutablePointer<yaml_event_t>) {
      let span = span(event)
      lastEnd = span.end
      let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
      let isKey = builder.frames.last.map { $0.isMapping && $0.children.isMultiple(of: 2) } ?? false
      // An alias that cannot be resolved becomes null, or its source text if it is a key.
      func placeholder() -> NodeRecord {
        NodeRecord(
          isKey ? .string : .null, start: span.start, end: span.end, first: span.start, second: name.utf8.count + 1)
      }
      guard let anchor = anchors[name] else {
        let nearest = Suggestion.nearest(to: name, among: anchors.keys.sorted())
        builder.report(
          rule: "yaml-syntax", "undefined anchor `&\(name)`",
          help: nearest.map { "did you mean `*\($0)`?" } ?? "define `&\(name)` before this alias", at: span)
        return builder.scalar(placeholder())
      }
      guard let size = anchor.size else {
        builder.report(
          rule: "alias-expansion", "alias `*\(name)` inside its own anchor",
          help: "remove the alias, or repeat the value", at: span,
          related: [
            Diagnostic.Related(
              "anchored value starts here", at: FileSpan(builder.source, builder.span(of: anchor.index)))
          ])
        return builder.scalar(placeholder())
      }
      if isKey, size.height > 0 {
        builder.report(
          rule: "yaml-syntax", "key is an alias of a list or mapping: `*\(name)`",
          help: "use a plain or quoted string as the key", at: span)
        return builder.scalar(placeholder())
      }
      if isKey, builder.records[anchor.index].kind != .string {
        return builder.pooled(
          .string, start: span.start, end: span.end, text: Array(builder.scalarText(anchor.index).utf8))
      }
      aliasNodes += size.nodes
      guard aliasNodes <= builder.limits.expandedNodes else {
        builder.report(
          rule: "alias-expansion",
          "aliases expand to more than \(builder.limits.expandedNodes) nodes",
          help: "use fewer nested aliases", at: span)
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
#endif
