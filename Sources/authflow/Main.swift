import AuthflowCLI

@main
struct Main {
  static func main() async {
    await CommandLineTool.main(commit: Build.commit)
  }
}
