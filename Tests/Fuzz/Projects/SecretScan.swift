import Effects
import OAuth

/// Searches output for secrets in one pass, because the output is long and there are many secrets.
struct SecretScan {
  struct Form {
    fileprivate var bytes: [UInt8]
    fileprivate var secret: String
    fileprivate var name: String
    /// The text before the secret.
    fileprivate var context = ""

    var description: String { "\(name): …\(context)\(secret.prefix(8))…" }
  }

  /// Shorter strings occur by chance.
  private static let shortest = 8

  /// The secrets by their first eight bytes.
  private var forms: [UInt64: [Form]] = [:]
  /// Whether a secret starts with bytes that have this hash. This allows the search to skip most positions.
  private var starts = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter project: The project, whose strings are not secrets. The search skips a secret that also occurs there.
  init(_ secrets: Set<String>, writtenIn project: InputProject) {
    var plain = SecretScan()
    for secret in secrets { plain.add(secret, of: secret, "as it is") }
    let written = Set(plain.leaks(in: project.texts.joined(separator: "\n")).map(\.secret))
    for secret in secrets.subtracting(written) {
      add(secret, of: secret, "as it is")
      let encoded = PercentEncoding.encode(secret)
      // A path and a query can contain slashes.
      for encoded in Set([FormCoding.encode(secret), encoded, encoded.replacing("%2F", with: "/")])
      where encoded != secret {
        add(encoded, of: secret, "percent-encoded")
      }
      let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count == 3 { for part in parts.dropFirst() { add(String(part), of: secret, "a part of a JWT") } }
    }
  }

  private init() {}

  private mutating func add(_ text: String, of secret: String, _ name: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.shortest else { return }
    let key = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    forms[key, default: []].append(Form(bytes: bytes, secret: secret, name: name))
    starts[Self.hash(key)] = true
  }

  private static func hash(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 48) }

  /// Returns the encoded secrets in a string.
  func leaks(in text: String) -> [Form] {
    let bytes = Array(text.utf8)
    var found: [Form] = []
    var key: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      key = key << 8 | UInt64(byte)
      guard index >= 7, starts[Self.hash(key)], let candidates = forms[key] else { continue }
      let rest = bytes[(index - 7)...]
      for var form in candidates where rest.starts(with: form.bytes) {
        form.context = String(decoding: bytes[max(0, index - 127)..<(index - 7)], as: UTF8.self)
        found.append(form)
      }
    }
    return found
  }
}
