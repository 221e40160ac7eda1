import AppRegistration
import Diagnostics
import Documents
import OrderedCollections

/// The files of a small project in one input: a JSON object that maps file names to documents. The first file is the
/// workflow to run. The mutator changes this tree, so the files stay readable.
struct InputProject: Sendable {
  let entry: String
  /// The files as bytes, in the format that their extension specifies.
  let files: [String: [UInt8]]
  let tree: JSON

  init?(_ input: [UInt8]) {
    guard let tree = try? JSON(parsing: input) else { return nil }
    self.init(tree)
  }

  init?(_ tree: JSON) {
    guard let documents = tree.object, let entry = documents.keys.first else { return nil }
    self.tree = tree
    self.entry = entry
    var files: [String: [UInt8]] = [:]
    for (name, document) in documents { files[name] = Self.bytes(of: document, named: name) }
    self.files = files
  }

  /// Returns a document as text. A recording becomes JSON Lines. Other documents use the format that their extension
  /// specifies, or JSON if that format does not support a value.
  private static func bytes(of json: JSON, named name: String) -> [UInt8] {
    if name.hasSuffix(".jsonl") {
      return (json.array ?? [json]).flatMap { $0.utf8(sortedKeys: false) + [UInt8(ascii: "\n")] }
    }
    let syntax: DocumentSyntax =
      name.hasSuffix(".json") ? .json : name.hasSuffix(".plist") ? .xmlPropertyList : .yaml
    let document = Document.of(json, name: name)
    return (try? DocumentWriter.write(document, as: syntax)) ?? document.source.bytes
  }

  /// A loader that reads only the project's files.
  var load: DocumentLoader {
    { [files] path, options in
      guard let bytes = files[FilePath.join("", path)] else {
        let missing = Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file(path))
        return ReadResult(document: nil, diagnostics: [missing])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
  }

  /// All strings in the project. They can include secrets, because a project can contain literal secrets.
  var texts: [String] {
    var found: [String] = []
    Self.collect(tree, &found)
    return found
  }

  private static func collect(_ json: JSON, _ found: inout [String]) {
    switch json {
    case .string(let text): found.append(text)
    case .array(let elements): for element in elements { collect(element, &found) }
    case .object(let members):
      for (name, value) in members {
        found.append(name)
        collect(value, &found)
      }
    default: break
    }
  }
}
