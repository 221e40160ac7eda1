import Diagnostics

/// The elements of an XML document as they lie in its text: 20 bytes each; what they say is read when somebody asks.
final class XMLDocument: Sendable {
  struct Record {
    /// The `<` of the start tag.
    var start: UInt32
    /// Behind the `>` of the start tag.
    var tagEnd: UInt32
    /// Behind the closing tag.
    var end: UInt32
    /// The index behind the last descendant.
    var next: UInt32
    /// The innermost namespace declaration that applies, as an index from 1; 0 where there is none.
    var scope: UInt32
  }

  /// `xmlns:prefix="name"`, linked to the declarations that apply around it.
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

  /// The name of the namespace that a prefix stands for; the empty prefix is the default namespace.
  func namespace(of prefix: some Collection<UInt8>, in scope: UInt32) -> String? {
    Self.namespace(of: prefix, in: scope, declarations)
  }

  static func namespace(
    of prefix: some Collection<UInt8>, in scope: UInt32, _ declarations: [Declaration]
  ) -> String? {
    var scope = scope
    while scope > 0 {
      let declaration = declarations[Int(scope) - 1]
      // xmlns="" takes the default namespace away.
      if declaration.prefix.elementsEqual(prefix) { return declaration.name.isEmpty ? nil : declaration.name }
      scope = declaration.outer
    }
    return prefix.elementsEqual("xml".utf8) ? "http://www.w3.org/XML/1998/namespace" : nil
  }
}

/// Names of namespaces.
package enum XMLNamespace {
  /// The attributes of Android's manifests and resources, whatever their prefix.
  package static let android = "http://schemas.android.com/apk/res/android"
  /// Attributes that tell Android's build tools what to do.
  package static let androidTools = "http://schemas.android.com/tools"
}
