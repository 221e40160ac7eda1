import Effects
import OAuth

/// `/error?code=`: explains an error code. The `error_uri` of error responses links to this page.
enum ErrorLookupEndpoint {
  static func response(to exchange: EmulatorRequest) -> ResponseMessage {
    let row = exchange.query["code"].flatMap { Int($0) }.flatMap(ErrorTable.emulatedRow)
    let frame =
      if let row {
        PageFrame(
          title: "AADSTS\(row.code)",
          content: """
            <p>\(row.message)</p>
            <p>OAuth error: \(row.error)\(row.suberror.map { ", suberror \($0)" } ?? "")</p>
            <p>How to trigger: \(row.provokedBy)</p>
            """)
      } else {
        PageFrame(
          title: "Unknown error code", content: "<p>The emulator does not return this code, except for a fault.</p>\n")
      }
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
