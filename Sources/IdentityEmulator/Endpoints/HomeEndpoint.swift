import Effects
import HTTPTypes

/// Pages that are no endpoint: the front page, the native client's blank page, and what does not exist.
enum HomeEndpoint {
  static func answer(_ exchange: Exchange) -> ResponseMessage {
    let frame = PageFrame(
      title: "authflow emulator",
      content: """
        <p>This is an emulated Microsoft identity platform with Microsoft Graph, for tests.</p>
        <ul>
        <li><a href="\(exchange.base)/common/v2.0/.well-known/openid-configuration">Discovery document</a></li>
        <li><a href="\(exchange.base)/common/discovery/v2.0/keys">Signing keys</a></li>
        <li><a href="\(exchange.base)/common/oauth2/deviceauth">Enter a device code</a></li>
        </ul>
        """)
    return Answer.page(frame.text, to: exchange)
  }

  static func nativeClient(_ exchange: Exchange) -> ResponseMessage {
    Answer.page(PageFrame(title: "Signed in", content: "<p>You may close this window.</p>\n").text, to: exchange)
  }

  static func notFound(_ exchange: Exchange) -> ResponseMessage {
    let frame = PageFrame(
      screen: .error, title: "Page not found", content: "<p>Nothing of the platform is emulated at this address.</p>\n")
    return Answer.page(frame.text, status: .notFound, to: exchange)
  }
}
