// swift-tools-version: 6.2
import PackageDescription

// One target is one room, an import is a door, and doors only lead down: this file is the floor plan.
// Builds pass `--explicit-target-dependency-import-check error`, so a door that is not here does not compile.

/// Set by .ci/check-fuzz: the programs with fuzz targets exist. `coverage` also instruments all modules for libFuzzer.
let fuzzing = Context.environment["AUTHFLOW_FUZZ"]

/// Set for benchmarks: their programs exist. Tests don't need them, and linking them takes longer than most modules.
let isBenchmarking = Context.environment["AUTHFLOW_BENCHMARKS"] == "1"

/// Set by the gate: warnings are errors. Not by default, because Xcode builds dependencies with `-suppress-warnings`,
/// which the compiler rejects next to `-warnings-as-errors`.
let isStrict = Context.environment["AUTHFLOW_STRICT"] == "1"

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
  + (fuzzing == "coverage" ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// `swift test -c release` tests the optimized modules. The tests themselves run once: to optimize them takes longer.
let testSettings = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

extension Target.Dependency {
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
  static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
  static let collections = product(name: "OrderedCollections", package: "swift-collections")
  static let crypto = product(name: "Crypto", package: "swift-crypto")
  static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioHTTPCompression = product(name: "NIOHTTPCompression", package: "swift-nio-extras")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let x509 = product(name: "X509", package: "swift-certificates")
}

func room(_ name: String, doors: [Target.Dependency] = [], libraries: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: doors + libraries, swiftSettings: strict)
}

func tests(_ name: String, doors: [Target.Dependency] = [], libraries: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: doors + libraries, swiftSettings: testSettings)
}

// Ground: facts and forms, no decisions about a run.
let ground: [Target] = [
  .systemLibrary(
    name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
  .systemLibrary(
    name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  room("Effects", libraries: [.httpTypes]),
  room("Diagnostics"),
  room("Documents", doors: ["Diagnostics", "Effects", "CLibXML2", "CLibYAML"], libraries: [.collections]),
  room("JSONPath", doors: ["Documents"]),
  room("DeclaredFields", doors: ["Diagnostics", "Documents"], libraries: [.collections]),
  room("RunTrace", doors: ["Documents", "Effects"], libraries: [.collections]),
  room(
    "OAuth", doors: ["Documents", "Effects", "RunTrace"],
    libraries: [.collections, .crypto, .cryptoExtras, .httpTypes]),
  room("IdentityPlatform"),
  room("Trust", doors: ["Documents", "Effects", "IdentityPlatform"]),
  room(
    "Directory", doors: ["DeclaredFields", "Diagnostics", "Documents", "Effects", "IdentityPlatform"],
    libraries: [.collections]),
]

// Rooms: each knows one thing well; PublicClient and IdentityEmulator never see each other.
let rooms: [Target] = [
  room(
    "WorkflowModel", doors: ["DeclaredFields", "Diagnostics", "Directory", "Documents", "JSONPath", "Trust"],
    libraries: [.collections]),
  room(
    "AppRegistration",
    doors: ["DeclaredFields", "Diagnostics", "Documents", "IdentityPlatform", "RunTrace", "Trust"],
    libraries: [.collections]),
  room("TokenCache", doors: ["Documents", "Effects", "RunTrace"], libraries: [.collections]),
  room(
    "PublicClient", doors: ["Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "TokenCache"],
    libraries: [.collections, .httpTypes]),
  room(
    "MicrosoftGraph", doors: ["Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "Trust"],
    libraries: [.collections, .httpTypes]),
  room(
    "IdentityEmulator",
    doors: [
      "DeclaredFields", "Diagnostics", "Directory", "Documents", "Effects", "IdentityPlatform", "JSONPath", "OAuth",
    ],
    libraries: [.collections, .crypto, .cryptoExtras, .httpTypes]),
  room(
    "PlayedPerson", doors: ["CLibXML2", "Documents", "Effects", "OAuth", "RunTrace"],
    libraries: [.collections, .crypto, .httpTypes]),
  room(
    "Cassettes",
    doors: ["Diagnostics", "Documents", "Effects", "OAuth", "RunTrace"], libraries: [.collections, .httpTypes]),
  room(
    "TraceReading", doors: ["Diagnostics", "Documents", "Effects", "RunTrace"], libraries: [.collections]),
  room(
    "Reports",
    doors: [
      "Diagnostics", "Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "TraceReading", "WorkflowModel",
    ],
    libraries: [.collections, .crypto]),
]

// Meeting: where the rooms come together, without knowing which world they are in.
let meeting: [Target] = [
  room(
    "WorkflowRunner",
    doors: [
      "AppRegistration", "DeclaredFields", "Diagnostics", "Directory", "Documents", "Effects", "IdentityPlatform",
      "JSONPath",
      "MicrosoftGraph", "OAuth", "PublicClient", "RunTrace", "TokenCache", "Trust", "WorkflowModel",
    ],
    libraries: [.collections, .httpTypes]),
  room(
    "Handbook",
    doors: [
      "AppRegistration", "DeclaredFields", "Diagnostics", "Directory", "Documents", "IdentityEmulator",
      "IdentityPlatform", "PublicClient", "Validation", "WorkflowModel",
    ],
    libraries: [.collections]),
  room(
    "Validation",
    doors: [
      "AppRegistration", "DeclaredFields", "Diagnostics", "Directory", "Documents", "IdentityPlatform", "WorkflowModel",
    ],
    libraries: [.collections]),
]

// Worlds: the only places where effects are real, or played.
let worlds: [Target] = [
  room(
    "LiveWorld", doors: ["Effects"],
    libraries: [
      .asn1, .asyncHTTPClient, .crypto, .httpTypes, .nioCore, .nioHTTP1, .nioHTTPCompression, .nioPosix, .nioSSL, .x509,
    ]),
  room("SimulatedWorld", doors: ["Effects"], libraries: [.collections, .httpTypes]),
]

// Assembled: a world with the emulated platform in it, for each scenario.
let assembled: [Target] = [
  room(
    "Scenarios",
    doors: [
      "AppRegistration", "Cassettes", "Diagnostics", "Directory", "Documents", "Effects", "IdentityEmulator",
      "PlayedPerson", "PublicClient", "Reports", "RunTrace", "SimulatedWorld", "Trust", "WorkflowModel",
      "WorkflowRunner",
    ],
    libraries: [.collections]),
  room(
    "Lessons",
    doors: [
      "AppRegistration", "DeclaredFields", "Diagnostics", "Documents", "Effects", "Scenarios", "WorkflowModel",
      "WorkflowRunner",
    ],
    libraries: [.collections]),
  room(
    "AuthflowTesting",
    doors: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform",
      "LiveWorld", "OAuth", "PlayedPerson", "PublicClient", "RunTrace", "Scenarios", "SimulatedWorld", "WorkflowModel",
      "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
]

// Front door.
let frontDoor: [Target] = [
  room(
    "AuthflowCLI",
    doors: [
      "AppRegistration", "Cassettes", "DeclaredFields", "Diagnostics", "Directory", "Documents", "Effects", "Handbook",
      "IdentityEmulator", "IdentityPlatform", "JSONPath", "Lessons", "LiveWorld", "MicrosoftGraph", "OAuth",
      "PlayedPerson", "PublicClient", "Reports", "RunTrace", "Scenarios", "SimulatedWorld", "TokenCache",
      "TraceReading", "Trust", "Validation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.argumentParser, .collections, .httpTypes]),
  .executableTarget(
    name: "authflow", dependencies: ["AuthflowCLI"], swiftSettings: strict, plugins: ["BuildCommit"]),
  .plugin(name: "BuildCommit", capability: .buildTool()),
]

let everyTest: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["Diagnostics", "Documents", "Effects", "LiveWorld"], path: "Tests/TestSupport",
    swiftSettings: strict),
  tests("EffectsTests", doors: ["Effects", "SimulatedWorld", "TestSupport"], libraries: [.httpTypes]),
  tests("DiagnosticsTests", doors: ["Diagnostics", "TestSupport"]),
  tests("DocumentsTests", doors: ["Diagnostics", "Documents", "Effects", "TestSupport"], libraries: [.collections]),
  tests("JSONPathTests", doors: ["Documents", "JSONPath", "TestSupport"]),
  tests("DeclaredFieldsTests", doors: ["DeclaredFields", "Diagnostics", "Documents", "TestSupport"]),
  tests("RunTraceTests", doors: ["Documents", "Effects", "RunTrace", "TestSupport"], libraries: [.collections]),
  tests(
    "OAuthTests", doors: ["Documents", "Effects", "OAuth", "RunTrace", "TestSupport"],
    libraries: [.crypto, .cryptoExtras, .httpTypes, .jwtKit]),
  tests("IdentityPlatformTests", doors: ["IdentityPlatform", "TestSupport"]),
  tests("TrustTests", doors: ["Documents", "Effects", "LiveWorld", "SimulatedWorld", "TestSupport", "Trust"]),
  tests(
    "DirectoryTests", doors: ["Diagnostics", "Directory", "Documents", "Effects", "TestSupport"],
    libraries: [.collections]),
  tests(
    "WorkflowModelTests", doors: ["Diagnostics", "Directory", "Documents", "JSONPath", "TestSupport", "WorkflowModel"]),
  tests(
    "AppRegistrationTests",
    doors: [
      "AppRegistration", "DeclaredFields", "Diagnostics", "Documents", "IdentityPlatform", "RunTrace", "TestSupport",
    ],
    libraries: [.collections]),
  tests("TokenCacheTests", doors: ["Documents", "Effects", "RunTrace", "SimulatedWorld", "TestSupport", "TokenCache"]),
  tests(
    "PublicClientTests",
    doors: [
      "Documents", "Effects", "IdentityPlatform", "OAuth", "PublicClient", "RunTrace", "SimulatedWorld", "TestSupport",
      "TokenCache",
    ],
    libraries: [.httpTypes]),
  tests(
    "MicrosoftGraphTests",
    doors: [
      "Documents", "Effects", "IdentityPlatform", "MicrosoftGraph", "OAuth", "RunTrace", "SimulatedWorld",
      "TestSupport", "Trust",
    ],
    libraries: [.httpTypes]),
  tests(
    "IdentityEmulatorTests",
    doors: [
      "Diagnostics", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform", "OAuth",
      "PlayedPerson",
      "RunTrace", "SimulatedWorld", "TestSupport",
    ],
    libraries: [.crypto, .cryptoExtras, .httpTypes]),
  tests(
    "PlayedPersonTests",
    doors: ["Documents", "Effects", "OAuth", "PlayedPerson", "RunTrace", "SimulatedWorld", "TestSupport"],
    libraries: [.httpTypes]),
  tests(
    "CassettesTests",
    doors: ["Cassettes", "Diagnostics", "Documents", "Effects", "OAuth", "RunTrace", "SimulatedWorld", "TestSupport"],
    libraries: [.httpTypes]),
  tests(
    "TraceReadingTests", doors: ["Diagnostics", "Documents", "Effects", "RunTrace", "TestSupport", "TraceReading"],
    libraries: [.collections]),
  tests(
    "ReportsTests",
    doors: [
      "Diagnostics", "Documents", "Effects", "Reports", "RunTrace", "TestSupport", "TraceReading", "WorkflowModel",
    ],
    libraries: [.collections]),
  tests("SimulatedWorldTests", doors: ["Effects", "SimulatedWorld", "TestSupport"], libraries: [.httpTypes]),
  tests("LiveWorldTests", doors: ["Effects", "LiveWorld", "TestSupport"], libraries: [.httpTypes]),
  tests(
    "ValidationTests",
    doors: ["AppRegistration", "Diagnostics", "Documents", "TestSupport", "Validation", "WorkflowModel"],
    libraries: [.collections]),
  tests(
    "WorkflowRunnerTests",
    doors: [
      "AppRegistration", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform", "PlayedPerson",
      "PublicClient", "RunTrace", "Scenarios", "SimulatedWorld", "TestSupport", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
  tests(
    "ScenariosTests",
    doors: [
      "Diagnostics", "Directory", "Documents", "Effects", "OAuth", "Reports", "RunTrace", "Scenarios",
      "SimulatedWorld", "TestSupport", "TraceReading", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
  tests(
    "HandbookTests",
    doors: ["Diagnostics", "Documents", "Handbook", "IdentityPlatform", "TestSupport", "WorkflowModel"],
    libraries: [.collections]),
  tests(
    "LessonsTests",
    doors: [
      "Diagnostics", "Documents", "Handbook", "IdentityPlatform", "Lessons", "Reports", "Scenarios", "SimulatedWorld",
      "TestSupport", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections]),
  tests(
    "AuthflowCLITests",
    doors: [
      "AuthflowCLI", "Documents", "Effects", "Lessons", "LiveWorld", "OAuth", "SimulatedWorld", "TestSupport", "Trust",
    ],
    libraries: [.collections, .httpTypes]),
  // As an app would: this door alone.
  tests("AuthflowTestingTests", doors: ["AuthflowTesting", "IdentityPlatform"]),
  tests("HouseTests", doors: ["Documents", "TestSupport"]),
]

let benchmarks: [Target] = [
  .target(
    name: "BenchSupport", dependencies: [.crypto, .cryptoExtras], path: "Tests/Benchmarks/BenchSupport",
    swiftSettings: strict),
  .executableTarget(
    name: "DocumentsBench", dependencies: ["CLibXML2", "CLibYAML", "Diagnostics", "Documents"],
    path: "Tests/Benchmarks/DocumentsBench", swiftSettings: strict),
  .executableTarget(
    name: "EmulatorBench",
    dependencies: [
      "BenchSupport", "Directory", "Documents", "Effects", "IdentityEmulator", "OAuth", .httpTypes,
    ],
    path: "Tests/Benchmarks/EmulatorBench", swiftSettings: strict),
  .executableTarget(
    name: "ScenarioBench",
    dependencies: [
      "BenchSupport", "Diagnostics", "Documents", "Effects", "LiveWorld", "RunTrace", "Scenarios", "SimulatedWorld",
      "WorkflowModel", "WorkflowRunner",
    ],
    path: "Tests/Benchmarks/ScenarioBench", swiftSettings: strict),
  .executableTarget(
    name: "SilentBench",
    dependencies: [
      "Documents", "Effects", "IdentityPlatform", "LiveWorld", "OAuth", "PublicClient", "RunTrace", "TokenCache",
      .httpTypes,
    ],
    path: "Tests/Benchmarks/SilentBench", swiftSettings: strict),
  .executableTarget(
    name: "TokenCacheBench", dependencies: ["Documents", "Effects", "LiveWorld", "RunTrace", "TokenCache"],
    path: "Tests/Benchmarks/TokenCacheBench", swiftSettings: strict),
]

let fuzz: [Target] = [
  .target(
    name: "FuzzSupport", dependencies: ["Diagnostics", "Documents", "Effects"], path: "Tests/Fuzz/Support",
    swiftSettings: strict),
  .executableTarget(
    name: "FuzzReaders",
    dependencies: ["AppRegistration", "Diagnostics", "Documents", "FuzzSupport", "Validation"],
    path: "Tests/Fuzz/Readers", swiftSettings: strict),
  .executableTarget(
    name: "FuzzProjects",
    dependencies: [
      "AppRegistration", "Cassettes", "Diagnostics", "Directory", "Documents", "Effects", "FuzzSupport",
      "IdentityEmulator", "OAuth", "Reports", "RunTrace", "Scenarios", "SimulatedWorld", "TraceReading",
      "WorkflowModel", "WorkflowRunner", .collections, .httpTypes,
    ],
    path: "Tests/Fuzz/Projects", swiftSettings: strict),
]

let package = Package(
  name: "authflow",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "authflow", targets: ["authflow"]),
    .library(name: "AuthflowTesting", targets: ["AuthflowTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.1"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    // Documentation only. A dependency that came and went would make SwiftPM build all others again.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: ground + rooms + meeting + worlds + assembled + frontDoor + everyTest + (isBenchmarking ? benchmarks : [])
    + (fuzzing != nil ? fuzz : [])
)
