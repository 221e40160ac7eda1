import Effects

/// The page that the browser keeps when the app cannot be told, or the problem is the user's.
enum ErrorPage {
  static func answer(_ refusal: ErrorResponse, to exchange: EmulatorRequest) -> ResponseMessage {
    exchange.audit.refuse(refusal)
    let frame = PageFrame(
      screen: .error, title: "Sorry, but we’re having trouble signing you in.", code: refusal.label,
      complaint: "\(refusal.label): \(refusal.message)", content: "<p>Close this window, or go back to the app.</p>\n",
      foot: """
        <p>Request Id: \(exchange.traceID)</p>
        <p>Correlation Id: \(exchange.correlationID)</p>
        <p>Timestamp: \(exchange.timestamp)</p>
        <p>Message: \(refusal.label)</p>
        """)
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
