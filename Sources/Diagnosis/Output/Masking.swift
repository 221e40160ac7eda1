import Diagnostics

/// Functions that mask secrets and personal data. Each character becomes a bullet, so columns do not shift.
package enum Masking {
  /// Keys whose values are secrets or identify a user.
  private static let keys: Set<String> = [
    "access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "idtoken", "client_secret",
    "clientsecret",
    "password", "passwd", "pwd", "code_verifier", "device_code", "user_code", "client_assertion", "assertion", "bearer",
    "login_hint", "loginhint", "username", "upn", "preferred_username", "email", "unique_name", "name", "given_name",
    "family_name", "homeaccountid", "home_account_id", "msalhomeaccountidkey", "msaldisplayableuseridkey", "oid", "sub",
    "puid", "ipaddr", "cookie", "set-cookie", "secret", "sessionid", "session_state", "client_info", "subscription-key",
  ]

  /// Returns the text with secrets and personal data masked.
  package static func mask(_ text: String) -> String {
    var bytes = Array(SecretPattern.redacting(text).utf8)
    var masked = [Bool](repeating: false, count: bytes.count)
    maskValues(bytes, &masked)
    maskAddresses(bytes, &masked)
    maskHomeFolders(bytes, &masked)
    guard masked.contains(true) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if !masked[index] || byte == 0x20 {
        result.append(byte)
      } else if byte & 0xC0 != 0x80 {
        // One bullet for each character.
        result += Array("•".utf8)
      }
    }
    bytes = result
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    isWordByte(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  private static func maskValues(_ bytes: [UInt8], _ masked: inout [Bool]) {
    var index = 0
    while index < bytes.count {
      guard isKeyByte(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isKeyByte(bytes[index]) { index += 1 }
      guard index - start <= 40 else { continue }
      let key = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
      let isCode = key == "code" && hasLongValue(bytes, index)
      guard keys.contains(key) || isCode else { continue }
      var value = index
      while value < bytes.count, value - index < 6,
        "\"' :=)".utf8.contains(bytes[value]) || bytes[value] == UInt8(ascii: "\\")
      {
        value += 1
      }
      let separators = bytes[index..<value]
      guard separators.contains(where: { ":=".utf8.contains($0) }) || key == "bearer" && value > index else { continue }
      let quote = separators.last == UInt8(ascii: "\"") || separators.last == UInt8(ascii: "'") ? separators.last : nil
      var end = value
      while end < bytes.count {
        let byte = bytes[end]
        if let quote {
          if byte == quote || byte == UInt8(ascii: "\\") { break }
        } else if " &,;\"'<>)}".utf8.contains(byte) {
          break
        }
        masked[end] = true
        end += 1
      }
      index = max(end, index)
    }
  }

  /// Whether a value is long enough to be an authorization code instead of an error number.
  private static func hasLongValue(_ bytes: [UInt8], _ start: Int) -> Bool {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "=") || bytes[start] == UInt8(ascii: "\"") else {
      return false
    }
    return bytes[(start + 1)...].prefix(60).prefix { !"&\" ,".utf8.contains($0) }.count >= 30
  }

  /// Masks IPv4 addresses and the local parts of email addresses.
  private static func maskAddresses(_ bytes: [UInt8], _ masked: inout [Bool]) {
    func isLocal(_ byte: UInt8) -> Bool { isWordByte(byte | 0x20) || ".+-_#".utf8.contains(byte) }
    for (at, byte) in bytes.enumerated() where byte == UInt8(ascii: "@") {
      guard at > 0, at + 3 < bytes.count, isWordByte(bytes[at + 1] | 0x20),
        bytes[(at + 1)...].prefix(80).prefix(while: isLocal).contains(UInt8(ascii: "."))
      else { continue }
      var start = at
      while start > 0, at - start < 80, isLocal(bytes[start - 1]) { start -= 1 }
      for index in start..<at { masked[index] = true }
    }
    maskIPAddresses(bytes, &masked)
  }

  private static func maskIPAddresses(_ bytes: [UInt8], _ masked: inout [Bool]) {
    var index = 0
    while index < bytes.count {
      guard isDigit(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isDigit(bytes[index]) || bytes[index] == UInt8(ascii: ".") { index += 1 }
      let isPart =
        start > 0
        && (isWordByte(bytes[start - 1] | 0x20)
          || ".-/".utf8.contains(bytes[start - 1]) && bytes[start - 1] != UInt8(ascii: "/"))
      let numbers = bytes[start..<index].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard !isPart, numbers.count == 4,
        numbers.allSatisfy({ (1...3).contains($0.count) && (Int(String(decoding: $0, as: UTF8.self)) ?? 999) < 256 }),
        !bytes[start...].starts(with: "127.".utf8), !isVersion(bytes, start)
      else { continue }
      for position in start..<index { masked[position] = true }
    }
  }

  /// Whether a four-part number is a library version, as in `MSAL 4.22.0.0`.
  private static func isVersion(_ bytes: [UInt8], _ start: Int) -> Bool {
    let before = String(decoding: bytes[max(0, start - 12)..<start], as: UTF8.self).lowercased()
    return ["msal ", "version ", "version=", "ver ", "adal ", "v", "key\": ", ".ios ", ".net "].contains(
      where: before.hasSuffix)
  }

  private static let homeFolders = ["/Users/", "/home/", "\\Users\\", "/data/user/0/"]

  private static func maskHomeFolders(_ bytes: [UInt8], _ masked: inout [Bool]) {
    for folder in homeFolders {
      for range in bytes.ranges(of: Array(folder.utf8)) {
        var index = range.upperBound
        while index < bytes.count, !"/\\ \"'".utf8.contains(bytes[index]) {
          masked[index] = true
          index += 1
        }
      }
    }
  }
}
