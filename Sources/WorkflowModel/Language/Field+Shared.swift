import Documents

/// The keys that several mappings have in common.
extension Field {
  /// The `$schema` key of a document.
  static var schemaReference: Field {
    Field("$schema", schema: ["type": "string"], "JSON Schema, for editors") { node, _, problems in
      _ = Codec<String>.string.read(node, &problems)
    }
  }

  /// Returns the key for a request's account.
  static func account(into assign: @escaping @Sendable (inout Owner, Resolvable<String>) -> Void) -> Field {
    Field(
      "account", Codec<String>.nonEmptyString.resolvable, into: assign,
      "account, by identifier or username; the current account by default")
  }

  static func correlationID(into assign: @escaping @Sendable (inout Owner, Resolvable<String>) -> Void) -> Field {
    Field(
      "correlationId", Codec<String>.uuid.resolvable, into: assign,
      "correlation ID of the request; a new one by default")
  }

  /// Returns the key for the account filter in MSALAccountEnumerationParameters.
  static func returnOnlySignedInAccounts(
    into assign: @escaping @Sendable (inout Owner, Resolvable<Bool>) -> Void
  ) -> Field {
    Field(
      "returnOnlySignedInAccounts", Codec<Bool>.bool.resolvable, into: assign, default: true,
      "whether to omit accounts that are signed out")
  }

  /// Returns the key for the output file of an API call's response.
  static func saveTo(into assign: @escaping @Sendable (inout Owner, Resolvable<String>) -> Void) -> Field {
    Field(
      "saveTo", Codec<String>.outputName.resolvable, into: assign,
      "file for the response body, relative to the output folder")
  }

  /// Returns the key for the web view type in MSALWebviewParameters.
  static func webview(into assign: @escaping @Sendable (inout Owner, Resolvable<WebviewType>) -> Void) -> Field {
    Field(
      "webview", Codec<WebviewType>.enumeration().resolvable, into: assign,
      "web view that presents the page: an MSALWebviewType name, or `none` (default: `WebviewType` in the settings)"
    )
  }

  static func prefersEphemeralSession(
    into assign: @escaping @Sendable (inout Owner, Resolvable<Bool>) -> Void
  ) -> Field {
    Field(
      "prefersEphemeralWebBrowserSession", Codec<Bool>.bool.resolvable, into: assign, default: false,
      "whether to open the page in a session that does not share cookies with the browser")
  }
}
