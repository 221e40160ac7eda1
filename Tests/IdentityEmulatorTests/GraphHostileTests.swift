import Documents
import Effects
import GraphEmulator
import HTTPTypes
import SimulatedWorld
import Testing

import IdentityEmulator

/// Tests malformed input. The emulator may reject a filter but must not crash.
@Suite struct GraphHostileTests {
  @Test("does not crash on random filters")
  func randomFilters() async {
    let scraps = [
      "displayName", "eq", "ne", "and", "or", "not", "in", "(", ")", ",", "'a'", "''", "'", "5", "-1.5e3", "true",
      "null",
      "startsWith", "any", "all", "x:", "x/y", "/", ":", "2025-01-01T00:00:00Z", "$count", "businessPhones/any(p:p",
      " ", "ü",
    ]
    let dice = SeededRandomness(seed: "scraps")
    let item: JSON = ["displayName": "a", "businessPhones": ["1"], "n": 5]
    var readable = 0
    for _ in 0..<3000 {
      let text = (0..<(1 + dice.number(below: 9))).map { _ in scraps[dice.number(below: scraps.count)] }
        .joined(separator: " ")
      guard let filter = try? ODataFilter(parsing: text) else { continue }
      readable += 1
      // A double negation must not change the result.
      #expect(filter.matches(item) == ODataFilter.not(.not(filter)).matches(item))
    }
    #expect(readable > 0)
  }

  @Test(
    "limits the search for occurrences of a series",
    arguments: [
      #"{"type":"daily","interval":99}"#, #"{"type":"weekly","interval":99,"daysOfWeek":["sunday"]}"#,
      #"{"type":"absoluteMonthly","interval":99,"dayOfMonth":31}"#,
      #"{"type":"absoluteYearly","interval":99,"month":2,"dayOfMonth":31}"#,
      #"{"type":"relativeYearly","interval":99,"month":12,"daysOfWeek":["monday","monday"],"index":"last"}"#,
    ], ["0001-01-01T00:00:00", "1677-09-22T00:00:00", "2262-04-11T00:00:00", "9999-12-31T00:00:00"])
  func distantSeries(pattern: String, start: String) async throws {
    let probe = GraphProbe("Calendars.ReadWrite")
    let created = await probe.post(
      "/me/events",
      [
        "start": ["dateTime": .string(start)], "end": ["dateTime": .string(start)],
        "recurrence": ["pattern": try JSON(parsing: Array(pattern.utf8)), "range": ["type": "noEnd"]],
      ])
    #expect([201, 400].contains(created.status))
    let view = await probe.get("/me/calendarView?startDateTime=2025-01-01&endDateTime=2026-01-01&$top=1000")
    #expect(view.status == 200)
    #expect(await probe.get("/me/calendarView?startDateTime=9999-12-30&endDateTime=9999-12-31").status == 200)
  }

  @Test(
    "handles malformed paths",
    arguments: [
      "/me/calendarView?startDateTime=%00&endDateTime=%FF", "/users('", "/users(''')", "/%2e%2e/%2e%2e/etc/passwd",
      "/me/events/%00",
      "//", "/me//photo///$value", "/me/photos/99999999999999999999x99999999999999999999/$value",
      "/users?$top=99999999999999999999",
      "/users?$skiptoken=AAAA", "/users?$filter=%27", "/users?$search=%22", "/users?$select=,,,",
      "/me/mailFolders/%ff/messages",
      "/users/delta?$deltatoken=AAAA", "/me?$select=*", "/me/drive/items/../..",
    ])
  func paths(path: String) async {
    let probe = GraphProbe("User.Read.All", "Calendars.Read", "Mail.Read", "Files.Read")
    let response = await probe.get(path)
    #expect([200, 400, 403, 404, 410, 501].contains(response.status), "\(response.status)")
    // Every error response must contain an error code.
    #expect(response.status == 200 || response.code != nil)
  }

  @Test(
    "rejects malformed bodies",
    arguments: [
      "", "{", "[]", "null", "\"x\"", "{\"message\":null}", "{\"message\":{\"toRecipients\":5}}", "{\"a\":\u{0}}",
    ])
  func bodies(text: String) async {
    let probe = GraphProbe("Mail.Send", "Calendars.ReadWrite", "User.ReadWrite", "Contacts.ReadWrite")
    for path in ["/me/sendMail", "/me/events", "/$batch"] {
      let response = await probe.send(.post, path, [("Content-Type", "application/json")], Array(text.utf8))
      #expect(response.status == 400, "\(path) \(response.status)")
    }
    let patched = await probe.send(.patch, "/me", [("Content-Type", "application/json")], Array(text.utf8))
    #expect(patched.status == 400)
  }

  @Test(
    "does not change a relative date that is out of range", arguments: ["-9223372036854775808", "+100000"])
  func relativeDates(days: String) {
    let text = JSON.string("\(days)T09:00:00")
    #expect(RelativeDates.resolve(text, from: Instant(secondsSince1970: 1_735_689_600)) == text)
  }
}
