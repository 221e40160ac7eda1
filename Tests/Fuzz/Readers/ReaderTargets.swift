import Diagnostics
import Documents
import FuzzSupport

/// A fuzz target for each decoder.
enum ReaderTargets {
  /// Inputs with an odd length are read in the given format. For other inputs, the reader detects the format, so that
  /// detection is tested too.
  static func document(_ bytes: [UInt8], _ syntax: DocumentSyntax, named name: String) -> CInt {
    var options = ReadingOptions()
    options.syntax = bytes.count.isMultiple(of: 2) ? nil : syntax
    options.toleratesComments = bytes.count.isMultiple(of: 3)
    let reading = DocumentReader.read(bytes, named: name, options: options)
    Oracles.require(reading.document != nil || reading.diagnostics.hasErrors, "neither a document nor an error")
    Oracles.check(reading.diagnostics)
    let again = DocumentReader.read(bytes, named: name, options: options)
    Oracles.require(
      Oracles.said(again.diagnostics) == Oracles.said(reading.diagnostics),
      "the second read reported different diagnostics")
    guard let document = reading.document else { return 0 }
    // Aliases can greatly expand a small text. Do not compare trees above a certain size.
    guard Oracles.size(document.root, limit: 20_000) < 20_000 else { return 0 }
    Oracles.check(document.root, within: nil)
    Oracles.check(Comments.all(in: document), in: document.source)
    if !reading.diagnostics.hasErrors {
      for syntax in [DocumentSyntax.json, .yaml, .xmlPropertyList, .binaryPropertyList] {
        writeAndRead(document, syntax)
      }
    }
    edit(bytes, document)
    return 0
  }

  private static func writeAndRead(_ document: Document, _ syntax: DocumentSyntax) {
    guard let bytes = try? DocumentWriter.write(document, as: syntax) else {
      Oracles.require(syntax != .yaml, "a document cannot be written as YAML, which supports every value")
      return
    }
    var options = ReadingOptions()
    options.syntax = syntax
    let back = DocumentReader.read(bytes, named: "back", options: options)
    Oracles.require(
      !back.diagnostics.hasErrors,
      "output in \(syntax) cannot be read: \(Oracles.said(back.diagnostics).first ?? "")")
    guard let root = back.document?.root else { return Oracles.require(false, "\(syntax) output contains no document") }
    let difference = Oracles.difference(document.root, root, as: syntax)
    Oracles.require(difference == nil, "written as \(syntax) and read back: \(difference ?? "")")
  }

  /// An edit in the file's own encoding changes only its location.
  private static func edit(_ bytes: [UInt8], _ document: Document) {
    let source = document.source
    guard !source.isBinary else { return }
    let edits = [Diagnostic.Edit(span: .at(source.bytes.count), replacement: "x")]
    do throws(SpanEdits.Conflict) {
      let edited = try SpanEdits.bytes(of: bytes, after: edits, in: source)
      Oracles.require(edited.count > bytes.count && edited.starts(with: bytes), "an edit at the end changed other text")
    } catch {
      if case .unwritable = error { return }
      Oracles.require(false, "an edit was rejected: \(error.reason)")
    }
  }

  static func xml(_ bytes: [UInt8]) -> CInt {
    let reading = XMLDocumentReader.read(bytes, named: "AndroidManifest.xml")
    Oracles.require(reading.root != nil || reading.diagnostics.hasErrors, "neither a document nor an error")
    Oracles.check(reading.diagnostics)
    let again = XMLDocumentReader.read(bytes, named: "AndroidManifest.xml")
    Oracles.require(
      Oracles.said(again.diagnostics) == Oracles.said(reading.diagnostics),
      "the second read reported different diagnostics")
    guard let source = reading.source else { return 0 }
    Oracles.check(reading.comments, in: source)
    guard let root = reading.root else { return 0 }
    var count = 0
    func check(_ element: XMLElement, within outer: SourceSpan?) {
      count += 1
      for span in [element.span, element.wholeSpan, element.nameSpan, element.contentSpan] {
        Oracles.check(span, in: source, "element \(element.name)")
      }
      Oracles.require(!element.name.isEmpty, "an element without a name")
      let whole = element.wholeSpan
      if let outer {
        Oracles.require(whole.start >= outer.start && whole.end <= outer.end, "\(whole) is outside of \(outer)")
      }
      var end = element.nameSpan.end
      for attribute in element.attributes {
        Oracles.check(attribute.span, in: source, "attribute \(attribute.name)")
        Oracles.check(attribute.valueSpan, in: source, "value of \(attribute.name)")
        Oracles.require(attribute.span.start >= end && attribute.span.end <= element.span.end, "attributes overlap")
        end = attribute.span.end
        let found = element.attribute(attribute.localName, namespace: attribute.namespace)
        Oracles.require(found != nil, "the attribute \(attribute.name) cannot be found")
      }
      _ = element.text
      for child in element.children { check(child, within: whole) }
    }
    check(root, within: nil)
    Oracles.require(count == root.descendants.count + 1, "\(count) elements, \(root.descendants.count + 1) in order")
    return 0
  }

  static func xcconfig(_ bytes: [UInt8]) -> CInt {
    let file = XCConfig.read(bytes, named: "App.xcconfig")
    Oracles.check(file.diagnostics)
    Oracles.check(file.comments, in: file.source)
    Oracles.require(
      Oracles.said(XCConfig.read(bytes, named: "App.xcconfig").diagnostics) == Oracles.said(file.diagnostics),
      "the second read reported different diagnostics")
    for setting in file.settings {
      Oracles.check(setting.keySpan, in: file.source, setting.key)
      Oracles.check(setting.valueSpan, in: file.source, setting.value)
      Oracles.require(file.source.text(in: setting.keySpan) == setting.key, "the key has a different location")
    }
    for include in file.includes {
      Oracles.require(file.source.text(in: include.pathSpan) == include.path, "the path has a different location")
    }
    return 0
  }
}
