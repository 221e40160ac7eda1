import AppRegistration
import Diagnostics
import Documents
import OrderedCollections

/// The files of a small project in one input: a JSON object of file names and documents. The first file runs. The mutator changes this tree, so that files stay readable.
struct InputProject: Sendable {
  let entry: String
  /// The files as bytes, in the format of their extension.
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

  /// The document as text: JSON Lines for a recording, otherwise in the format of its extension, or JSON if that format does not support a value.
  private static func bytes(of json: JSON, named name: String) -> [UInt8] {
    if name.hasSuffix(".jsonl") {
      return (json.array ?? [json]).flatMap { $0.utf8(sortedKeys: false) + [UInt8(ascii: "\n")] }
    }
    let syntax: DocumentSyntax =
      name.hasSuffix(".json") ? .json : name.hasSuffix(".plist") ? .xmlPropertyList : .yaml
    let document = Document.of(json, name: name)
    return (try? DocumentWriter.write(document, as: syntax)) ?? document.source.bytes
  }

  /// Reads the project's files only.
  var load: DocumentLoader {
    { [files] path, options in
      guard let bytes = files[FilePath.join("", path)] else {
        let missing = Diagnostic(.error, rule: "unreadable-file", "there is no such file", at: .file(path))
        return ReadResult(document: nil, diagnostics: [missing])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
  }

  /// All texts of the project. Secrets that are literals of the project can also appear there.
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
