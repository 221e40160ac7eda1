import Documents

extension Facts {
  /// Adds the facts that the claims in JSON web tokens (RFC 7519) indicate. Signatures are not checked.
  mutating func addTokens(in text: NormalizedText) {
    for range in text.bytes.ranges(of: Array("eyj".utf8)).prefix(8) {
      let start = range.lowerBound
      let end =
        text.bytes[start...].prefix(16_384).firstIndex { !isTokenByte($0) } ?? min(text.bytes.count, start + 16_384)
      let parts = text.original(start..<end).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 2, let payload = try? Base64URL.decode(parts[1]), let claims = try? JSON(parsing: payload)
      else {
        continue
      }
      add(claims, at: start..<end)
    }
    if has("claim:aud"), has("claim:iss"), !has("claim:scp"), let place = places["claim:aud"]?.first {
      add("no-claim:scp", at: place)
      if !has("claim:roles") { add("no-claim:roles", at: place) }
    }
  }

  private mutating func add(_ claims: JSON, at range: Range<Int>) {
    claims.forEachMember { name, value in
      let text = value.string ?? value.integer.map(String.init) ?? ""
      guard let reader = WireFacts.readers[name] else { return }
      for (fact, name) in reader(text.lowercased()) {
        if let fact { add(fact, at: range) }
        if let name { capture(name, text) }
      }
    }
    add("kind:decoded-token", at: range)
  }

  private func isTokenByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }
}
