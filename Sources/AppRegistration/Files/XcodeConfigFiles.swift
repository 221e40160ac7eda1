import Diagnostics
import Documents

/// Reads `.xcconfig` files with what they include, each file once.
struct XcodeConfigFiles {
  typealias Values = [String: Positioned<String>]

  private let load: DocumentLoader
  private var read: [String: Values] = [:]
  private var filesLeft = 100

  init(load: @escaping DocumentLoader) { self.load = load }

  /// Settings by name; a condition stands in brackets behind it, as written.
  mutating func values(of path: String) -> Values { values(of: path, depth: 0) }

  private mutating func values(of path: String, depth: Int) -> Values {
    if let known = read[path] { return known }
    // Whoever includes himself finds nothing new.
    read[path] = [:]
    guard depth < 16, filesLeft > 0, let bytes = bytes(of: path) else { return [:] }
    filesLeft -= 1
    let file = XCConfig.read(bytes, named: path)
    var values: Values = [:]
    for statement in file.statements {
      switch statement {
      case .setting(let setting):
        let key = setting.condition.map { "\(setting.key)[\($0)]" } ?? setting.key
        var text = setting.value
        // The values that were set before, in this file or the included ones, are what is inherited.
        if text.contains("inherited"), let before = values[key]?.value {
          text = text.replacing("$(inherited)", with: before).replacing("${inherited}", with: before)
        }
        guard text.utf8.count <= XcodeBuildSettings.longestValue else { continue }
        values[key] = Positioned(text, at: FileSpan(file.source, setting.valueSpan))
      case .include(let include):
        let path = FilePath.join(FilePath.folder(of: path), include.path)
        values.merge(self.values(of: path, depth: depth + 1)) { $1 }
      }
    }
    read[path] = values
    return values
  }

  /// The text of the file: reading it as a document fails early, and has the text all the same.
  private func bytes(of path: String) -> [UInt8]? {
    var options = ReadingOptions(syntax: .openStepPropertyList)
    options.limits.diagnostics = 1
    options.limits.size = 1 << 20
    return load(path, options).document?.source.bytes
  }
}
