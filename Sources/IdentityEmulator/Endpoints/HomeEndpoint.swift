import Effects
import HTTPTypes

/// The pages that are not protocol endpoints: the start page, the redirect page of native clients, and the "not found"
/// page.
enum HomeEndpoint {
  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    StartPage(exchange: exchange, platform: platform).response()
  }

  static func nativeClient(_ exchange: EmulatorRequest) -> ResponseMessage {
    ResponseBuilder.page(
      PageFrame(title: "Signed in", content: "<p>You can close this window.</p>\n").text, to: exchange)
  }

  static func notFound(_ exchange: EmulatorRequest) -> ResponseMessage {
    let frame = PageFrame(
      screen: .error, title: "Page not found", content: "<p>The emulator does not serve this URL.</p>\n")
    return ResponseBuilder.page(frame.text, status: .notFound, to: exchange)
  }
}
