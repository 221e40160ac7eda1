// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The Dispatch declarations that the package uses.

public enum DispatchTimeInterval: Sendable {
  case seconds(Int), milliseconds(Int), nanoseconds(Int)
}
public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public var uptimeNanoseconds: UInt64 { 0 }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}
public final class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public static func global() -> DispatchQueue { DispatchQueue(label: "") }
  public func async(execute work: @escaping @Sendable () -> Void) {}
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
public protocol DispatchSourceProtocol: AnyObject {
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func activate()
  func cancel()
}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
public enum DispatchSource {
  public static func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal & Sendable
  { fatalError() }
}
