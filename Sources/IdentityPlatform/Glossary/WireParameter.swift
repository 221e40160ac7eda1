/// A parameter in MSAL's requests or in the responses to them.
package struct WireParameter: Hashable, Sendable {
  package enum Message: String, Hashable, Sendable, CaseIterable {
    case authorize = "authorization request"
    case redirect = "redirect back to the app"
    case token = "token request"
    case tokenResponse = "token response"
    case signOut = "sign-out request"
    case header = "header"
  }

  package var name: String
  package var messages: [Message]
  package var meaning: String

  package static let all: [WireParameter] = DataRecord.read(EmbeddedData.text("wire-parameters.txt")).map { record in
    WireParameter(
      name: record.text("name"),
      messages: record.list("in").compactMap { name in Message.allCases.first { "\($0)" == name } },
      meaning: record.text("meaning"))
  }
}
