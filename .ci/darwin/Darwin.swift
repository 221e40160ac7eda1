// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The declarations from Darwin's C library that the package uses, with the types that the Swift importer assigns. The
// values are placeholders, so the code cannot run.
@_exported import CDarwin

public typealias pid_t = Int32
public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias uid_t = UInt32
public typealias rlim_t = UInt64
public typealias sigset_t = UInt32
public typealias useconds_t = UInt32
public typealias nfds_t = UInt32
public typealias time_t = Int

public var errno: Int32 {
  get { 0 }
  set {}
}
public let EPERM: Int32 = 1, ENOENT: Int32 = 2, EINTR: Int32 = 4, ENXIO: Int32 = 6, EACCES: Int32 = 13,
  EEXIST: Int32 = 17
public let ENOTDIR: Int32 = 20, EISDIR: Int32 = 21, EINVAL: Int32 = 22, ENOSPC: Int32 = 28, EPIPE: Int32 = 32,
  EAGAIN: Int32 = 35
public let EWOULDBLOCK: Int32 = 35, ENOTSUP: Int32 = 45, EDQUOT: Int32 = 69, ESRCH: Int32 = 3, ELOOP: Int32 = 62,
  EBADF: Int32 = 9
public let EADDRINUSE: Int32 = 48, EADDRNOTAVAIL: Int32 = 49, EAFNOSUPPORT: Int32 = 47, EMFILE: Int32 = 24,
  EROFS: Int32 = 30
public func strerror(_ number: Int32) -> UnsafeMutablePointer<CChar>! { nil }

// Files
public let O_RDONLY: Int32 = 0, O_WRONLY: Int32 = 1, O_RDWR: Int32 = 2, O_CREAT: Int32 = 3, O_CLOEXEC: Int32 = 4,
  O_EXCL: Int32 = 5
public let O_NONBLOCK: Int32 = 6, O_NOCTTY: Int32 = 7, O_NOFOLLOW: Int32 = 8, O_TRUNC: Int32 = 9, O_APPEND: Int32 = 10
public let O_DIRECTORY: Int32 = 11
public let F_SETFD: Int32 = 1, F_GETFD: Int32 = 2, F_SETFL: Int32 = 3, F_GETFL: Int32 = 4, F_FULLFSYNC: Int32 = 51,
  FD_CLOEXEC: Int32 = 1
public let F_BARRIERFSYNC: Int32 = 85
public let LOCK_EX: Int32 = 2, LOCK_NB: Int32 = 4, LOCK_UN: Int32 = 8, LOCK_SH: Int32 = 1
public let SEEK_SET: Int32 = 0, SEEK_END: Int32 = 2
public var S_IFMT: mode_t { 0 }
public var S_IFDIR: mode_t { 0 }
public var S_IFREG: mode_t { 0 }
public var S_IFLNK: mode_t { 0 }
public var S_IFIFO: mode_t { 0 }
public var S_IFSOCK: mode_t { 0 }
public let STDIN_FILENO: Int32 = 0, STDOUT_FILENO: Int32 = 1, STDERR_FILENO: Int32 = 2
public let F_OK: Int32 = 0, R_OK: Int32 = 4, W_OK: Int32 = 2, X_OK: Int32 = 1
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
@discardableResult public func close(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int { 0 }
@discardableResult public func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int { 0 }
@discardableResult public func lseek(_ descriptor: Int32, _ offset: off_t, _ whence: Int32) -> off_t { 0 }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func rmdir(_ path: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func rename(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func link(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { 0 }
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { 0 }
@discardableResult public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { 0 }
@discardableResult public func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { 0 }
@discardableResult public func fsync(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func ftruncate(_ descriptor: Int32, _ size: off_t) -> Int32 { 0 }
@discardableResult public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { 0 }
@discardableResult public func futimens(_ descriptor: Int32, _ times: UnsafePointer<timespec>!) -> Int32 { 0 }
@discardableResult public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { 0 }
@discardableResult public func dup2(_ from: Int32, _ to: Int32) -> Int32 { 0 }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { 0 }
@discardableResult public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }
@discardableResult public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
@discardableResult public func fcntl(_ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32
{ 0 }
public func realpath(_ path: UnsafePointer<CChar>!, _ result: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<
  CChar
>! { nil }
public func getcwd(_ buffer: UnsafeMutablePointer<CChar>!, _ size: Int) -> UnsafeMutablePointer<CChar>! { nil }
public struct DIR {}
public func opendir(_ path: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! { nil }
public func readdir(_ folder: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { nil }
@discardableResult public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 { 0 }

// Processes
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
public func _NSGetEnviron() -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>! { nil }
public func getpid() -> pid_t { 0 }
public func geteuid() -> uid_t { 0 }
public func getuid() -> uid_t { 0 }
@discardableResult public func kill(_ process: pid_t, _ signal: Int32) -> Int32 { 0 }
@discardableResult public func waitpid(_ process: pid_t, _ status: UnsafeMutablePointer<Int32>!, _ options: Int32)
  -> pid_t
{ 0 }
@discardableResult public func setenv(_ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ overwrite: Int32)
  -> Int32
{ 0 }
@discardableResult public func execvp(
  _ file: UnsafePointer<CChar>!, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
public func _exit(_ status: Int32) -> Never { fatalError() }
public func exit(_ status: Int32) -> Never { fatalError() }
public struct posix_spawn_file_actions {}
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public let POSIX_SPAWN_SETSID: Int32 = 1024, POSIX_SPAWN_SETSIGDEF: Int32 = 4, POSIX_SPAWN_SETSIGMASK: Int32 = 8
public let POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 = 0x4000, POSIX_SPAWN_SETPGROUP: Int32 = 2
@discardableResult public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ path: UnsafePointer<CChar>!,
  _ flags: Int32,
  _ mode: mode_t
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ from: Int32, _ to: Int32
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addinherit_np(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32
) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  0
}
@discardableResult public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32
{ 0 }
@discardableResult public func posix_spawnattr_setflags(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16
) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigdefault(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ set: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ set: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>!, _ file: UnsafePointer<CChar>!,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>!,
  _ attributes: UnsafePointer<posix_spawnattr_t?>!, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
public let CTL_KERN: Int32 = 1, KERN_PROC: Int32 = 14, KERN_PROC_PID: Int32 = 1, SZOMB: Int32 = 5
@discardableResult public func sysctl(
  _ name: UnsafeMutablePointer<Int32>!, _ count: UInt32, _ old: UnsafeMutableRawPointer!,
  _ oldSize: UnsafeMutablePointer<Int>!,
  _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { 0 }

// Signals
public typealias sig_t = @convention(c) (Int32) -> Void
public let SIGINT: Int32 = 2, SIGQUIT: Int32 = 3, SIGILL: Int32 = 4, SIGTRAP: Int32 = 5, SIGABRT: Int32 = 6,
  SIGFPE: Int32 = 8
public let SIGKILL: Int32 = 9, SIGBUS: Int32 = 10, SIGSEGV: Int32 = 11, SIGPIPE: Int32 = 13, SIGTERM: Int32 = 15,
  SIGSTOP: Int32 = 17
public let SIGHUP: Int32 = 1, SIGCHLD: Int32 = 20, NSIG: Int32 = 32, SIG_SETMASK: Int32 = 3
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }
@discardableResult public func signal(_ number: Int32, _ handler: sig_t!) -> sig_t! { nil }
@discardableResult public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { 0 }
@discardableResult public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { 0 }
@discardableResult public func sigprocmask(
  _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 { 0 }
public func raise(_ signal: Int32) -> Int32 { 0 }

// The machine
public struct rlimit {
  public init() {}
  public init(rlim_cur: rlim_t, rlim_max: rlim_t) {}
  public var rlim_cur: rlim_t = 0, rlim_max: rlim_t = 0
}
public let RLIMIT_CORE: Int32 = 4, RLIMIT_NOFILE: Int32 = 8
@discardableResult public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { 0 }
@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { 0 }
public let _SC_NPROCESSORS_ONLN: Int32 = 58, _SC_OPEN_MAX: Int32 = 5
public func sysconf(_ name: Int32) -> Int { 0 }
public struct clockid_t: Sendable {}
public let CLOCK_REALTIME = clockid_t(), CLOCK_MONOTONIC = clockid_t(), CLOCK_UPTIME_RAW = clockid_t()
@discardableResult public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 { 0 }
@discardableResult public func usleep(_ microseconds: useconds_t) -> Int32 { 0 }

// Terminals
public struct pollfd {
  public init() {}
  public init(fd: Int32, events: Int16, revents: Int16) {}
  public var fd: Int32 = 0, events: Int16 = 0, revents: Int16 = 0
}
public let POLLIN: Int32 = 1, POLLOUT: Int32 = 4, POLLHUP: Int32 = 16, POLLERR: Int32 = 8, POLLNVAL: Int32 = 32
@discardableResult public func poll(_ descriptors: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32)
  -> Int32
{ 0 }
public func isatty(_ descriptor: Int32) -> Int32 { 0 }

public typealias tcflag_t = UInt
public let ICANON: Int32 = 0x100, ECHO: Int32 = 0x8, TCSANOW: Int32 = 0
public struct termios {
  public var c_lflag: tcflag_t = 0
  public init() {}
}
public func tcgetattr(_ descriptor: Int32, _ settings: UnsafeMutablePointer<termios>!) -> Int32 { 0 }
// Swift imports C functions as `@discardableResult` functions.
@discardableResult public func tcsetattr(
  _ descriptor: Int32, _ action: Int32, _ settings: UnsafePointer<termios>!
) -> Int32 { 0 }
public func tcgetpgrp(_ descriptor: Int32) -> pid_t { 0 }
public func getpgrp() -> pid_t { 0 }
public struct winsize {
  public init() {}
  public var ws_row: UInt16 = 0, ws_col: UInt16 = 0
}
public var TIOCGWINSZ: UInt { 0 }
@discardableResult public func ioctl(_ descriptor: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> Int32
{ 0 }

// Memory and text
public func free(_ pointer: UnsafeMutableRawPointer!) {}
public func strdup(_ text: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { nil }
public func strtod(_ text: UnsafePointer<CChar>!, _ end: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!) -> Double
{ 0 }
public func strlen(_ text: UnsafePointer<CChar>!) -> Int { 0 }
public func memcmp(_ one: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 { 0 }
public func hypot(_ x: Double, _ y: Double) -> Double { 0 }
public func sin(_ x: Double) -> Double { 0 }
public func cos(_ x: Double) -> Double { 0 }
public func pow(_ x: Double, _ y: Double) -> Double { 0 }
public func log2(_ x: Double) -> Double { 0 }
