import AppRegistration
import Diagnostics
import Documents

/// The text at the position of a signature hash, in a configuration's redirect URI or a manifest's `android:path`.
struct SignatureHashUse {
  /// The text as it appears in the file.
  var rawText: Substring
  /// The text without percent-encoding.
  var text: String
  /// The value that contains the text.
  var value: Positioned<String>
  /// Whether the value is a URI, in which the hash must be percent-encoded. In the `android:path` of a manifest, the
  /// hash is not encoded.
  var isInURI: Bool
  /// The severity of an incorrect hash. If MSAL uses a broker, the finding is an error, because MSAL then
  /// compares the hash with the hash of the app's certificate.
  var severity: Diagnostic.Severity

  var place: FileSpan { value.place(of: rawText) }

  /// The placeholder in the text, or nil if the text is a hash or a custom path.
  var placeholder: Substring? {
    guard !SignatureHash.isWellFormed(text) else { return nil }
    if let placeholder = TemplatePlaceholder.find(in: text) { return placeholder }
    return SignatureHash.isItsName(text) ? text[...] : nil
  }

  var isDummy: Bool { placeholder == nil && SignatureHash.isDummy(text) }

  /// Whether the text is percent-encoded twice, as in `%252F`.
  var isDoublyEscaped: Bool { isInURI && rawText.contains("%25") && PercentText.decode(text) != text }

  /// Whether the text contains `/`, `+`, or `=`, which a URI must encode as `%2F`, `%2B`, or `%3D`.
  var isUnescaped: Bool {
    guard isInURI, rawText.contains(where: { $0 == "/" || $0 == "+" || $0 == "=" }) else { return false }
    return SignatureHash.isWellFormed(text) || SignatureHash.isDummy(text) && !text.contains("/")
  }

  /// Returns a fix that replaces the text, or nil if its position in the file is uncertain.
  func replacing(with replacement: String, in file: ValidatedFile, _ description: String) -> Diagnostic.Fix? {
    file.replacing(rawText, of: value, with: replacement, description)
  }
}

extension ValidatedFile {
  /// The signature hashes in the file, except hashes that the build replaces.
  var signatureHashes: [SignatureHashUse] {
    var uses: [SignatureHashUse] = []
    if let config = androidConfig, let redirect = config.redirect, let hash = redirect.hash,
      !redirect.source.isReference
    {
      let hash = hash.prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          rawText: hash, text: PercentText.decode(hash), value: redirect.source, isInURI: true,
          severity: config.usesBroker ? .error : .warning))
    }
    for path in redirectPaths where path.value.count > 1 {
      let rawText = (path.value.hasPrefix("/") ? path.value.dropFirst() : path.value[...]).prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          rawText: rawText, text: PercentText.decode(rawText), value: path, isInURI: false, severity: .warning))
    }
    return uses
  }

  /// The maximum number of characters to examine. A hash has 28 characters, each of which can be percent-encoded twice.
  private static let longestHash = 500

  /// The `android:path` value of each intent filter for MSAL redirect URIs.
  var redirectPaths: [Positioned<String>] {
    redirectFilters.flatMap { $0.filter.data.compactMap(\.path) }.filter { !$0.isResolvedAtBuildTime }
  }

  /// The intent filters for MSAL redirect URIs, each with its activity.
  var redirectFilters: [(activity: AndroidManifest.Activity, filter: AndroidManifest.Filter)] {
    (androidManifest?.activities ?? []).flatMap { activity in
      activity.filters.filter { filter in
        filter.data.contains { $0.scheme?.value.lowercased() == "msauth" }
          || activity.isMSALActivity && filter.data.contains { $0.scheme != nil }
      }.map { (activity, $0) }
    }
  }
}

extension AndroidConfig {
  /// The first `mostEntries` entries in `authorities`.
  var entries: [AuthorityEntry] { authorities?.value.prefix(Self.mostEntries).map(\.value) ?? [] }

  /// The maximum number of authorities to check. Real configurations contain fewer authorities.
  static let mostEntries = 200
}
