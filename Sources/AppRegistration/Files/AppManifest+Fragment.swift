import Diagnostics
import Documents

extension AppManifest {
  /// Returns the diagnostic for text that was copied from the middle of a manifest. Such text starts with a key and
  /// often ends with a comma.
  ///
  /// Without a comma, the text is also valid YAML, so this diagnostic applies only to files with the `.json` extension.
  static func fragment(_ reading: ReadResult) -> Diagnostic? {
    guard let source = reading.document?.source ?? reading.diagnostics.first?.place.source,
      reading.document?.syntax != .json || reading.diagnostics.hasErrors,
      reading.diagnostics.hasErrors || source.name.lowercased().hasSuffix(".json"), !source.isBinary
    else { return nil }
    let bytes = source.bytes
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    guard let start = bytes.firstIndex(where: { !isSpace($0) }), bytes[start] == UInt8(ascii: "\""),
      let quote = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")),
      let colon = bytes[(quote + 1)...].firstIndex(where: { !isSpace($0) }), bytes[colon] == UInt8(ascii: ":"),
      var end = bytes.lastIndex(where: { !isSpace($0) })
    else { return nil }
    let key = String(decoding: bytes[(start + 1)..<quote], as: UTF8.self)
    guard fragmentKeys.contains(key) else { return nil }
    let endsWithComma = bytes[end] == UInt8(ascii: ",")
    if !endsWithComma { end += 1 }
    let whole = [UInt8(ascii: "{")] + bytes[start..<end] + [UInt8(ascii: "}")]
    let wrapped = DocumentReader.read(whole, named: source.name)
    guard wrapped.document?.root.kind == .mapping, !wrapped.diagnostics.hasErrors else { return nil }
    let edits = [
      Diagnostic.Edit(span: SourceSpan(start: start, end: start), replacement: "{"),
      Diagnostic.Edit(span: SourceSpan(start: end, end: endsWithComma ? end + 1 : end), replacement: "}"),
    ]
    return Diagnostic(
      .error, rule: "manifest-fragment",
      "manifest fragment starts with key `\(key)` instead of `{`",
      help: endsWithComma
        ? "add `{` before the fragment, and replace its final comma with `}`"
        : "add `{` before the fragment and `}` after it",
      at: FileSpan(source, SourceSpan(start: start, end: quote + 1)),
      fix: Diagnostic.Fix(description: "add braces", edits: edits))
  }

  /// Keys that are often copied from the portal.
  private static let fragmentKeys: Set<String> = [
    "requiredResourceAccess", "replyUrlsWithType", "appRoles", "oauth2Permissions", "oauth2PermissionScopes", "api",
    "web",
    "spa", "publicClient", "optionalClaims", "preAuthorizedApplications", "knownClientApplications", "identifierUris",
    "passwordCredentials", "keyCredentials", "signInAudience", "accessTokenAcceptedVersion", "allowPublicClient",
    "isFallbackPublicClient", "oauth2AllowImplicitFlow", "oauth2AllowIdTokenImplicitFlow", "groupMembershipClaims",
    "appId", "id", "replyUrls", "redirectUris", "resourceAppId", "resourceAccess",
  ]
}
