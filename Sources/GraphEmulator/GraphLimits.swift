/// Size limits for Graph requests.
package enum GraphLimits {
  /// The maximum size, in bytes, of a request that is not an upload.
  package static let request = 4 << 20
  /// The maximum size of an upload request in bytes. Clients send parts of 5 MiB (Microsoft's SDKs) or 10 MiB (rclone).
  /// The live service accepts parts of up to 60 MiB and simple uploads of up to 250 MB. The emulator's limit is lower,
  /// because it stores all content in memory.
  package static let upload = 16 << 20
}
