import Effects
import OAuth

/// `/error?code=`: what a code means; `error_uri` leads here.
enum ErrorLookupEndpoint {
  static func answer(_ exchange: EmulatorRequest) -> ResponseMessage {
    let code = exchange.query["code"].flatMap { Int($0) }
    let row = ErrorTable.rows.first { $0.code == code }
    let frame =
      if let row {
        PageFrame(
          title: "AADSTS\(row.code)",
          content: """
            <p>\(row.message)</p>
            <p>OAuth error: \(row.error)\(row.suberror.map { ", suberror \($0)" } ?? "")</p>
            <p>Here it is provoked by: \(row.provokedBy)</p>
            """)
      } else {
        PageFrame(title: "Unknown code", content: "<p>The emulator never raises that code by itself.</p>\n")
      }
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
