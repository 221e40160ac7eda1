import OAuth

/// Searches outputs for secrets in one pass, since the outputs of a run are long and its secrets are many.
struct SecretScan {
  /// Shorter secrets occur by chance.
  private static let shortest = 8

  private struct Form {
    var bytes: [UInt8]
    var name: String
  }

  /// By their first eight bytes.
  private var forms: [UInt64: [Form]] = [:]
  /// Whether some form begins with bytes of that hash: most positions are dismissed by it.
  private var starts = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter project: a secret that also occurs as another text of the project is not searched for.
  init(_ secrets: Set<String>, writtenIn project: InputProject) {
    let written = project.texts.joined(separator: "\n")
    for secret in secrets where secret.utf8.count >= Self.shortest && !written.contains(secret) {
      add(secret, "as it is")
      for encoded in [FormCoding.encode(secret), FormCoding.percentEncode(secret)] where encoded != secret {
        add(encoded, "percent-encoded")
      }
      let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count == 3 { for part in parts.dropFirst() { add(String(part), "a part of it") } }
    }
  }

  private mutating func add(_ text: String, _ name: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.shortest else { return }
    let key = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    forms[key, default: []].append(Form(bytes: bytes, name: name))
    starts[Self.hash(key)] = true
  }

  private static func hash(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 48) }

  /// - Returns: the form in which a secret occurs, with its beginning; nil if none occurs.
  func firstLeak(in text: String) -> String? {
    let bytes = Array(text.utf8)
    var key: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      key = key << 8 | UInt64(byte)
      guard index >= 7, starts[Self.hash(key)], let candidates = forms[key] else { continue }
      let rest = bytes[(index - 7)...]
      if let form = candidates.first(where: { rest.starts(with: $0.bytes) }) {
        return "\(form.name): \(String(decoding: form.bytes.prefix(8), as: UTF8.self))…"
      }
    }
    return nil
  }
}
