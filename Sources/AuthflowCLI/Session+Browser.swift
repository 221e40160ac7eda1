import Diagnostics
import Effects
import LiveWorld
import OAuth

extension Session {
  /// Opens a page in the user's browser, or prints its address if there is no browser.
  /// - Parameter page: The name of the page, as in `the start page`.
  func show(_ url: String, as page: String) async {
    let browser = SystemBrowser(
      environment: world.environment, clock: world.clock, printStatus: { self.printStatus($0) })
    await browser.show(url, as: page)
  }

  /// Opens an HTML report in the user's browser, or prints its path if there is no browser.
  func openInBrowser(_ path: String) async {
    let file = absolutePath(path)
    guard world.files.kind(of: file) == .file else {
      return printStatus("no report: \(CaretFrame.visible(path)) does not exist")
    }
    let url = "file://" + file.split(separator: "/").map { "/" + PercentEncoding.encode(String($0)) }.joined()
    for command in BrowserCommands.find(for: url, in: world.environment) {
      if (try? await world.programs.output(of: command, limit: 1 << 16)) != nil { return }
    }
    printStatus("open \(CaretFrame.visible(path)) in a browser")
  }
}
