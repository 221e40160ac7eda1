import Effects
import HTTPTypes

/// Links to the start page. Each link gives one browser access to the control interface.
struct StartPageLink: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform

  /// Whether the request comes from the start page in a browser that opened a link.
  var isFromStartPage: Bool {
    PageAccess.isFromOwnPage(exchange.request, allowsAddressBar: false)
      && platform.startPageAccess.hasCookie(exchange.request)
  }

  /// Returns the response to a link: a redirect to the start page without the token, or an error page.
  func response(to token: String) -> ResponseMessage {
    guard exchange.method == .get,
      let cookie = platform.startPageAccess.exchange(token, in: exchange.request, platform.randomness)
    else {
      return ResponseBuilder.page(
        PageFrame(
          screen: .error, title: "Link is no longer valid",
          content: """
            <p>A link to the start page works once. Create a new link with this command:</p>
            <pre><code>\(StartPage.newLinkCommand(exchange))</code></pre>
            <p><a href="/">Open the start page without the request list</a></p>

            """
        ).text, status: .forbidden, to: exchange)
    }
    var response = ResponseBuilder.redirect(to: "/", from: exchange)
    response.head.status = .seeOther
    response.head.headerFields.append(HTTPField(name: .setCookie, value: cookie))
    return response
  }
}
