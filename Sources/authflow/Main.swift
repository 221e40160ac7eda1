import AuthflowCLI

@main
struct Main {
  static func main() async {
    await FrontDoor.open(commit: Build.commit)
  }
}
