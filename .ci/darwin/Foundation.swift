// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The Foundation declarations that `AuthflowTesting` uses, without Objective-C.

@_exported import Darwin

public typealias TimeInterval = Double
public struct Date: Hashable, Sendable {
  public init(timeIntervalSince1970: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
}
public struct Data: Hashable, Sendable, RandomAccessCollection, RangeReplaceableCollection {
  public init() {}
  public init(_ elements: some Sequence<UInt8>) {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(position: Int) -> UInt8 { 0 }
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<UInt8>) {}
}
public struct URL: Hashable, Sendable {
  public init?(string: String) {}
  public init?(string: String, relativeTo: URL?) {}
  public init(fileURLWithPath: String) {}
  public init(filePath: String) {}
  public var absoluteString: String { "" }
  public var absoluteURL: URL { self }
  public var scheme: String? { nil }
  public var host: String? { nil }
  public var path: String { "" }
  public func path(percentEncoded: Bool = true) -> String { "" }
  public var isFileURL: Bool { true }
}
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
}
public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
  public static var errorDomain: String { "" }
  public var errorCode: Int { 0 }
  public var errorUserInfo: [String: Any] { [:] }
}
open class NSError: @unchecked Sendable, Error {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
}
public final class NSNull {
  public init() {}
}
public let NSLocalizedDescriptionKey = "", NSUnderlyingErrorKey = ""
public struct URLError: Error, Hashable, Sendable {
  public struct Code: Hashable, Sendable {
    public static let cancelled = Code(), timedOut = Code(), cannotFindHost = Code(), cannotConnectToHost = Code()
    public static let networkConnectionLost = Code(), notConnectedToInternet = Code(), badServerResponse = Code()
    public static let dataLengthExceedsMaximum = Code(), secureConnectionFailed = Code(), badURL = Code()
    public static let httpTooManyRedirects = Code()
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
}
public class InputStream {
  public func open() {}
  public func close() {}
  public func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { 0 }
}
public struct URLRequest: Sendable {
  public var url: URL?
  public var httpMethod: String?
  public var allHTTPHeaderFields: [String: String]? { nil }
  public var httpBody: Data?
  public var httpBodyStream: InputStream? {
    get { nil }
    set {}
  }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}
open class URLResponse: @unchecked Sendable {
  init() {}
}
public class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) { nil }
  public var statusCode: Int { 0 }
  public func value(forHTTPHeaderField field: String) -> String? { nil }
}
open class URLCache {
  public enum StoragePolicy: UInt { case allowed, allowedInMemoryOnly, notAllowed }
}
public protocol URLProtocolClient: AnyObject {
  func urlProtocol(_ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy)
  func urlProtocol(_ loader: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ loader: URLProtocol)
  func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error)
}
open class URLProtocol {
  public init(request: URLRequest) { fatalError() }
  public var client: (any URLProtocolClient)? { nil }
  public var request: URLRequest { fatalError() }
  open class func canInit(with request: URLRequest) -> Bool { false }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  open func startLoading() {}
  open func stopLoading() {}
}
