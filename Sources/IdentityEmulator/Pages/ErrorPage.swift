import Effects

/// The page for errors that the emulator does not return to the app through a redirect.
enum ErrorPage {
  static func response(for errorResponse: ErrorResponse, to exchange: EmulatorRequest) -> ResponseMessage {
    exchange.decisionLog.recordError(errorResponse)
    let frame = PageFrame(
      screen: .error, title: "Unable to sign you in", code: errorResponse.label,
      problem: "\(errorResponse.label): \(errorResponse.message)",
      content: "<p>Close this window, or return to the app.</p>\n",
      footer: """
        <p>Request ID: \(exchange.traceID)</p>
        <p>Correlation ID: \(exchange.correlationID)</p>
        <p>Timestamp: \(exchange.timestamp)</p>
        <p>Error code: \(errorResponse.label)</p>
        """)
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
