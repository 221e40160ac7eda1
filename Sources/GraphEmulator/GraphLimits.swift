/// How large requests to Graph can be.
package enum GraphLimits {
  /// The most bytes of most requests.
  package static let request = 4 << 20
  /// The most bytes of an upload. Clients send pieces of 5 MiB (Microsoft's SDKs) and 10 MiB (rclone). The live service
  /// accepts 60 MiB in a piece and 250 MB in a simple upload, but the emulator keeps all content in memory.
  package static let upload = 16 << 20
}
