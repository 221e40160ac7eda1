import Reports
import Testing

/// Tests the progress lines of `explore`, `validate`, and `report`.
@Suite struct ProgressLineTests {
  @Test func explorationCountsPathsAndThenProofs() {
    var progress = ExplorationProgress()
    progress.walked(states: 20, paths: 300)
    #expect(progress.line == "300 paths found, 20 states explored")
    progress.proves(310)
    progress.proven = 4
    progress.runs = 9
    #expect(progress.line == "4 of 310 paths proven, 9 runs")
  }

  @Test func validationCountsReadFilesAndThenCheckedFiles() {
    var progress = ValidatingProgress()
    progress.begin(2)
    progress.readFile()
    #expect(progress.line == "1 of 2 files read")
    progress.readFile()
    for _ in 0..<3 { progress.checkedFile() }
    #expect(progress.line == "3 of 3 files checked")
    progress.begin(2)
    #expect(progress.line == "0 of 2 files read")
  }

  @Test func reportProgressCountsEventsOrTracesAndThenNamesTheFile() {
    var progress = ReportProgress()
    progress.read(bytes: 5 << 20)
    progress.readEvent()
    #expect(progress.line == "5 MB read, 1 events")
    progress.begin(traces: 3)
    progress.readTrace()
    #expect(progress.line == "1 of 3 traces read")
    progress.write("suite.html")
    #expect(progress.line == "writing suite.html")
  }
}
