import Diagnostics

/// The elements of an XML document. Each takes 20 bytes. Names, attributes, and text are read from the source on
/// demand.
final class XMLDocument: Sendable {
  struct Record {
    /// The offset of the `<` of the start tag.
    var start: UInt32
    /// The offset after the `>` of the start tag.
    var tagEnd: UInt32
    /// The offset after the closing tag.
    var end: UInt32
    /// The index after the last descendant.
    var next: UInt32
    /// The index of the innermost namespace declaration in scope, counted from 1, or 0 if there is none.
    var scope: UInt32
  }

  /// A declaration such as `xmlns:prefix="name"`, linked to the outer declarations.
  struct Declaration {
    var outer: UInt32
    var prefix: [UInt8]
    var name: String
  }

  let source: SourceText
  let records: [Record]
  let declarations: [Declaration]

  init(source: SourceText, records: [Record], declarations: [Declaration]) {
    self.source = source
    self.records = records
    self.declarations = declarations
  }

  func tag(at index: Int) -> XMLTag {
    source.bytes.withUnsafeBufferPointer { XMLTag($0, at: Int(records[index].start)) }
  }

  /// Returns the namespace name of a prefix. The empty prefix represents the default namespace.
  func namespace(of prefix: some Collection<UInt8>, in scope: UInt32) -> String? {
    Self.namespace(of: prefix, in: scope, declarations)
  }

  static func namespace(
    of prefix: some Collection<UInt8>, in scope: UInt32, _ declarations: [Declaration]
  ) -> String? {
    var scope = scope
    while scope > 0 {
      let declaration = declarations[Int(scope) - 1]
      // xmlns="" removes the default namespace.
      if declaration.prefix.elementsEqual(prefix) { return declaration.name.isEmpty ? nil : declaration.name }
      scope = declaration.outer
    }
    return prefix.elementsEqual("xml".utf8) ? "http://www.w3.org/XML/1998/namespace" : nil
  }
}

/// The names of the namespaces that authflow uses.
package enum XMLNamespace {
  /// The namespace of attributes in Android's manifests and resources. The prefix can vary.
  package static let android = "http://schemas.android.com/apk/res/android"
  /// The namespace of attributes with instructions for Android's build tools.
  package static let androidTools = "http://schemas.android.com/tools"
}
