import Diagnostics
import Documents
import IdentityPlatform

extension SettingsResolution {
  /// The client id of a sample app, for the emulator if the settings still contain a placeholder.
  static let sampleClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// The client id, refused where it cannot be one: MSAL itself only asks that it is not blank, and the service answers the rest
  /// with AADSTS700016 on a page that never comes back to the app.
  mutating func resolveClientID(_ authority: Authority?) -> String? {
    guard let appID = settings.appID else {
      error(
        .appIDMissing, "the settings need AppId: the application (client) id of the app registration",
        help: "copy it from the overview page of the registration in the portal", at: base)
      return nil
    }
    let text = appID.value
    origins.append(("AppId", .written(appID.place)))
    guard !Definitions.holdsReference(text) else { return nil }
    let trimmed = text.trimmingWhiteSpace
    if trimmed.isEmpty {
      fail(
        MSALFailure(
          .invalidParameter, "\(settings.appIDKey) is empty",
          help: "copy the client id from the overview page of the registration"),
        rule: .appIDMissing, at: appID.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: trimmed), !GUIDText.isWellFormed(trimmed) {
      guard !acceptsPlaceholderAppID else {
        warning(
          .appIDPlaceholder, "\(settings.appIDKey) is still a placeholder: \(placeholder)",
          help:
            "write the application (client) id of your app registration before you run this live; the emulator uses "
            + "the sample app \(Self.sampleClientID)", at: appID.place)
        return Self.sampleClientID
      }
      error(
        .appIDPlaceholder, "\(settings.appIDKey) is still a placeholder: \(placeholder)",
        help: "write the application (client) id of your app registration in its place", at: appID.place)
      return nil
    }
    return checkClientID(appID, authority) ? text : nil
  }

  /// Reports what is wrong with a client id that is no placeholder.
  /// - Returns: Whether it can be used.
  private mutating func checkClientID(_ appID: Positioned<String>, _ authority: Authority?) -> Bool {
    let text = appID.value
    let trimmed = text.trimmingWhiteSpace
    if trimmed != text {
      error(
        .appIDWhiteSpace,
        "\(settings.appIDKey) has white space around it: the service would look for exactly this text",
        help: "write it without: \(trimmed)", at: appID.place)
      return false
    }
    if text.lowercased() == GUIDText.zero {
      error(
        .appIDZero, "\(settings.appIDKey) is the all-zero GUID, which no app has",
        help: "write the application (client) id of your app registration in its place", at: appID.place)
      return false
    }
    if authority?.isMicrosofts ?? true, !GUIDText.isWellFormed(text) {
      let meant = GUIDText.hidden(in: text)
      error(
        .appIDNotGUID, "\(settings.appIDKey) \"\(text)\" is not a GUID, and Microsoft's client ids all are",
        help: meant.map { "write it as \($0)" } ?? Self.misfit(text), at: appID.place)
      return false
    }
    if TemplatePlaceholder.isDummyGUID(text) {
      warning(
        .appIDDummy, "\(settings.appIDKey) \(text) looks made up",
        help: "copy it from the overview page of the registration",
        at: appID.place)
    }
    return true
  }

  /// What a text is instead of a GUID, as far as one can tell.
  private static func misfit(_ text: String) -> String {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    if groups.count == 5, groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } }),
      let wrong = zip(groups, [8, 4, 4, 4, 12]).enumerated().first(where: { $1.0.count != $1.1 })
    {
      return "its group \(wrong.offset + 1) has \(wrong.element.0.count) digits, and \(wrong.element.1) belong there"
    }
    return "write it like 6731de76-14a6-49ae-97bc-6eba6914391e"
  }

  mutating func checkNestedAuth() {
    let client = settings.nestedAuthBrokerClientID
    let redirect = settings.nestedAuthBrokerRedirectURI
    guard (client == nil) != (redirect == nil), let present = client ?? redirect else { return }
    warning(
      .nestedAuthIncomplete,
      "nested authentication needs both NestedAuthBrokerClientId and NestedAuthBrokerRedirectUri",
      help: "add the other, or remove this one", at: present.place)
  }
}

extension String {
  /// Without white space at both ends.
  package var trimmingWhiteSpace: String {
    let start = drop(while: \.isWhitespace)
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }
}
