import Diagnostics
import Documents

/// Reads `.xcconfig` files with their includes, each file once.
struct XcodeConfigFiles {
  typealias Values = [String: Positioned<String>]

  private let load: DocumentLoader
  private var read: [String: Values] = [:]
  private var filesLeft = 100

  init(load: @escaping DocumentLoader) { self.load = load }

  /// Returns the settings by name. A condition follows the name in brackets, as written.
  mutating func values(of path: String) -> Values { values(of: path, depth: 0) }

  private mutating func values(of path: String, depth: Int) -> Values {
    if let cached = read[path] { return cached }
    // If a file includes itself, the include has no effect.
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
        // `$(inherited)` is the previously set value, from this file or an included file.
        if text.contains("inherited"), let before = values[key]?.value {
          text = text.replacing("$(inherited)", with: before).replacing("${inherited}", with: before)
        }
        guard text.utf8.count <= XcodeBuildSettings.maximumValueLength else { continue }
        values[key] = Positioned(text, at: FileSpan(file.source, setting.valueSpan))
      case .include(let include):
        let path = FilePath.join(FilePath.folder(of: path), include.path)
        values.merge(self.values(of: path, depth: depth + 1)) { $1 }
      }
    }
    read[path] = values
    return values
  }

  /// Returns the text of the file. Reading it as a document fails, but the result still contains the text.
  private func bytes(of path: String) -> [UInt8]? {
    var options = ReadingOptions(syntax: .openStepPropertyList)
    options.limits.diagnostics = 1
    options.limits.size = 1 << 20
    return load(path, options).document?.source.bytes
  }
}
