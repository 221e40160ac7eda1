import Effects
import HTTPTypes

/// Pages that are no endpoint: the front page, the native client's blank page, and what does not exist.
enum HomeEndpoint {
  static func answer(_ exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    ResponseBuilder.page(StartPage(exchange: exchange, platform: platform).frame.text, to: exchange)
  }

  static func nativeClient(_ exchange: EmulatorRequest) -> ResponseMessage {
    ResponseBuilder.page(
      PageFrame(title: "Signed in", content: "<p>You may close this window.</p>\n").text, to: exchange)
  }

  static func notFound(_ exchange: EmulatorRequest) -> ResponseMessage {
    let frame = PageFrame(
      screen: .error, title: "Page not found", content: "<p>Nothing of the platform is emulated at this address.</p>\n")
    return ResponseBuilder.page(frame.text, status: .notFound, to: exchange)
  }
}
