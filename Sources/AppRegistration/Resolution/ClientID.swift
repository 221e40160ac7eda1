import Diagnostics
import Documents
import IdentityPlatform

extension SettingsResolution {
  /// The client ID of a sample app, which the emulator uses if the settings contain a placeholder.
  static let sampleClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// Returns the client ID, or nil after an error. MSAL itself only checks that it is not blank. The service rejects an
  /// invalid client ID with AADSTS700016 on a page that does not return to the app.
  mutating func resolveClientID(_ authority: Authority?) -> String? {
    guard let appID = settings.appID else {
      error(
        .appIDMissing, "missing key `AppId`: the application (client) ID of the app registration",
        help: "copy it from the overview page of the app registration in the portal", at: base)
      return nil
    }
    let text = appID.value
    origins.append(("AppId", .source(appID.place)))
    guard !Definitions.containsReference(text) else { return nil }
    let trimmed = text.trimmingWhiteSpace
    if trimmed.isEmpty {
      fail(
        MSALFailure(
          .invalidParameter, "`\(settings.appIDKey)` is empty",
          help: "copy the client ID from the overview page of the app registration"),
        rule: .appIDMissing, at: appID.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: trimmed), !GUIDText.isWellFormed(trimmed) {
      guard !acceptsPlaceholderAppID else {
        warning(
          .appIDPlaceholder, "`\(settings.appIDKey)` is a placeholder: `\(placeholder)`",
          help:
            "set the application (client) ID of your app registration before a live run; the emulator uses the sample app "
            + "`\(Self.sampleClientID)`", at: appID.place)
        return Self.sampleClientID
      }
      error(
        .appIDPlaceholder, "`\(settings.appIDKey)` is a placeholder: `\(placeholder)`",
        help: "replace it with the application (client) ID of your app registration", at: appID.place)
      return nil
    }
    return checkClientID(appID, authority) ? text : nil
  }

  /// Checks a client ID that is not a placeholder, and reports problems.
  /// - Returns: Whether the client ID can be used.
  private mutating func checkClientID(_ appID: Positioned<String>, _ authority: Authority?) -> Bool {
    let text = appID.value
    let trimmed = text.trimmingWhiteSpace
    if trimmed != text {
      error(
        .appIDWhiteSpace,
        "`\(settings.appIDKey)` has surrounding whitespace, which the service does not remove",
        help: "use `\(trimmed)`", at: appID.place)
      return false
    }
    if text.lowercased() == GUIDText.zero {
      error(
        .appIDZero, "`\(settings.appIDKey)` is the all-zero GUID, which is not a valid client ID",
        help: "replace it with the application (client) ID of your app registration", at: appID.place)
      return false
    }
    if authority?.isMicrosofts ?? true, !GUIDText.isWellFormed(text) {
      let extracted = GUIDText.hidden(in: text)
      error(
        .appIDNotGUID, "`\(settings.appIDKey)` is not a GUID: `\(text)`",
        help: extracted.map { "use `\($0)`" } ?? Self.help(forInvalidGUID: text), at: appID.place)
      return false
    }
    if TemplatePlaceholder.isDummyGUID(text) {
      warning(
        .appIDDummy, "`\(settings.appIDKey)` looks like a fake GUID: `\(text)`",
        help: "copy it from the overview page of the app registration",
        at: appID.place)
    }
    return true
  }

  /// Returns the help for a string that is not a GUID. Identifies the malformed group if there is one.
  private static func help(forInvalidGUID text: String) -> String {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    if groups.count == 5, groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } }),
      let wrong = zip(groups, [8, 4, 4, 4, 12]).enumerated().first(where: { $1.0.count != $1.1 })
    {
      return
        "correct group \(wrong.offset + 1), which has \(wrong.element.0.count) digits instead of \(wrong.element.1)"
    }
    return "use a GUID such as `6731de76-14a6-49ae-97bc-6eba6914391e`"
  }

  mutating func checkNestedAuth() {
    let client = settings.nestedAuthBrokerClientID
    let redirect = settings.nestedAuthBrokerRedirectURI
    guard (client == nil) != (redirect == nil), let present = client ?? redirect else { return }
    warning(
      .nestedAuthIncomplete,
      "nested authentication requires `NestedAuthBrokerClientId` and `NestedAuthBrokerRedirectUri`",
      help: "add the missing key, or remove this key", at: present.place)
  }
}

extension String {
  /// The string without leading or trailing whitespace.
  package var trimmingWhiteSpace: String {
    let start = drop(while: \.isWhitespace)
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }
}
