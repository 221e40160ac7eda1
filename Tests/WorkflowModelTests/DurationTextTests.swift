import Testing

import WorkflowModel

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("2h", .seconds(7_200)),
    ("90d", .seconds(7_776_000)), ("0s", .zero), ("007s", .seconds(7)), ("36525d", DurationText.maximum),
  ])
  func parses(_ text: String, _ length: Duration) {
    #expect(DurationText.parse(text) == length)
  }

  @Test(arguments: [
    "", "s", "5", "5 m", "-5m", "5M", "1.5h", "5m30s", "5min", "٣s", "99999999999999999999s", "36526d",
    "9223372036854775807d",
    " 5m", "5m ", "+5m", "0x10s",
  ])
  func rejects(_ text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(500), "500ms"), (.seconds(30), "30s"), (.seconds(90), "90s"), (.seconds(3_600), "1h"),
    (.seconds(172_800), "2d"), (.zero, "0s"), (.milliseconds(1_500), "1500ms"),
  ])
  func formatsWithTheLargestExactUnit(_ length: Duration, _ text: String) {
    #expect(DurationText.write(length) == text)
    #expect(DurationText.parse(text) == length)
  }
}
