// swift-tools-version: 6.2
import PackageDescription

// Modules depend only on modules in the same group or in earlier groups. Builds pass
// `--explicit-target-dependency-import-check error`, so an import without a dependency here does not compile.

/// The fuzzing mode from `.ci/check-fuzz`. Any value adds the programs with fuzz targets, and `coverage` also
/// instruments all modules for libFuzzer.
let fuzzing = Context.environment["AUTHFLOW_FUZZ"]

/// Whether to add the benchmark programs. Tests don't need them, and linking them is slow.
let isBenchmarking = Context.environment["AUTHFLOW_BENCHMARKS"] == "1"

/// Whether to treat warnings as errors, as in the gate. This is not the default, because Xcode builds dependencies with
/// `-suppress-warnings`, which conflicts with `-warnings-as-errors`.
let isStrict = Context.environment["AUTHFLOW_STRICT"] == "1"

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
  + (fuzzing == "coverage" ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// `swift test -c release` tests the optimized modules. The tests themselves are not optimized, because they run once.
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

/// - Parameter hasData: Whether the module embeds the files in its `Data` folder.
func module(
  _ name: String, dependencies: [Target.Dependency] = [], libraries: [Target.Dependency] = [], hasData: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies + libraries, exclude: hasData ? ["Data"] : [], swiftSettings: strict,
    plugins: hasData ? ["EmbedData"] : [])
}

func tests(_ name: String, dependencies: [Target.Dependency] = [], libraries: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + libraries, swiftSettings: testSettings)
}

// Formats, platform data, and utilities that do not depend on a run.
let foundationModules: [Target] = [
  .systemLibrary(
    // Apple's SDKs contain libxml2.
    name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
  .systemLibrary(
    name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  module("Effects", libraries: [.httpTypes]),
  module("Diagnostics"),
  module(
    "Documents",
    dependencies: [
      "CLibXML2", .target(name: "CLibYAML", condition: .when(platforms: [.linux, .macOS])), "Diagnostics", "Effects",
    ],
    libraries: [.collections]),
  module("JSONPath", dependencies: ["Documents"]),
  module("RunTrace", dependencies: ["Documents", "Effects"], libraries: [.collections]),
  module(
    "OAuth", dependencies: ["Documents", "Effects", "RunTrace"],
    libraries: [.collections, .crypto, .cryptoExtras, .httpTypes]),
  module("IdentityPlatform", dependencies: ["Effects"], hasData: true),
  module("Trust", dependencies: ["Diagnostics", "Documents", "Effects", "IdentityPlatform"]),
  module(
    "Directory", dependencies: ["Diagnostics", "Documents", "Effects", "IdentityPlatform"],
    libraries: [.collections]),
]

// One feature per module. PublicClient and IdentityEmulator do not depend on each other.
let featureModules: [Target] = [
  module(
    "WorkflowModel",
    dependencies: ["Diagnostics", "Directory", "Documents", "IdentityPlatform", "JSONPath", "Trust"],
    libraries: [.collections]),
  module(
    "AppRegistration",
    dependencies: ["Diagnostics", "Documents", "Effects", "IdentityPlatform", "RunTrace", "Trust"],
    libraries: [.collections]),
  module("TokenCache", dependencies: ["Documents", "Effects", "RunTrace"], libraries: [.collections]),
  module(
    "PublicClient", dependencies: ["Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "TokenCache"],
    libraries: [.collections, .httpTypes]),
  module(
    "Diagnosis", dependencies: ["Diagnostics", "Documents", "Effects", "IdentityPlatform"], libraries: [.collections],
    hasData: true),
  module(
    "MicrosoftGraph", dependencies: ["Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "Trust"],
    libraries: [.collections, .httpTypes]),
  module(
    "GraphEmulator", dependencies: ["Directory", "Documents", "Effects", "IdentityPlatform", "OAuth"],
    libraries: [.collections, .httpTypes], hasData: true),
  module(
    "IdentityEmulator",
    dependencies: [
      "Diagnostics", "Directory", "Documents", "Effects", "GraphEmulator", "IdentityPlatform", "JSONPath", "OAuth",
    ],
    libraries: [.collections, .crypto, .cryptoExtras, .httpTypes], hasData: true),
  module(
    "UserSimulation", dependencies: ["CLibXML2", "Documents", "Effects", "OAuth", "RunTrace"],
    libraries: [.collections, .crypto, .httpTypes]),
  module(
    "Recordings",
    dependencies: ["Diagnostics", "Documents", "Effects", "OAuth", "RunTrace"], libraries: [.collections, .httpTypes]),
  module(
    "Reports",
    dependencies: [
      "Diagnostics", "Documents", "Effects", "IdentityPlatform", "OAuth", "RunTrace", "WorkflowModel",
    ],
    libraries: [.collections, .crypto], hasData: true),
]

// Modules that combine features. They do not depend on an implementation of `World`.
let orchestrationModules: [Target] = [
  module(
    "WorkflowRunner",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "IdentityPlatform", "JSONPath",
      "MicrosoftGraph", "OAuth", "PublicClient", "RunTrace", "TokenCache", "Trust", "WorkflowModel",
    ],
    libraries: [.collections, .httpTypes]),
  module(
    "Handbook",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "IdentityEmulator", "IdentityPlatform",
      "PublicClient", "Validation", "WorkflowModel",
    ],
    libraries: [.collections], hasData: true),
  module(
    "Validation",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "IdentityPlatform", "Trust",
      "WorkflowModel",
    ],
    libraries: [.collections], hasData: true),
]

// Implementations of `World`: the operating system, the network, and the simulation.
let environmentModules: [Target] = [
  module("SystemWorld", dependencies: ["Effects"]),
  module(
    "LiveWorld", dependencies: ["Effects", "SystemWorld"],
    libraries: [
      .asn1, .asyncHTTPClient, .crypto, .httpTypes, .nioCore, .nioHTTP1, .nioHTTPCompression, .nioPosix, .nioSSL, .x509,
    ]),
  module("SimulatedWorld", dependencies: ["Effects"], libraries: [.collections, .httpTypes]),
]

// Modules that combine the emulator, the client, and a simulated environment.
let compositionModules: [Target] = [
  module(
    "Scenarios",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform",
      "PublicClient", "Recordings", "Reports", "RunTrace", "SimulatedWorld", "Trust", "UserSimulation",
      "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections]),
  module(
    "Lessons",
    dependencies: [
      "AppRegistration", "Diagnostics", "Documents", "Effects", "Scenarios", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections], hasData: true),
  module(
    "AuthflowTesting",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform",
      "OAuth", "PublicClient", "RunTrace", "Scenarios", "SimulatedWorld", "SystemWorld", "UserSimulation",
      "WorkflowModel",
      "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
  module(
    "AuthflowTestingServer",
    dependencies: ["AuthflowTesting", "Effects", "IdentityEmulator", "LiveWorld", "SystemWorld"]),
]

// Modules that serve editors and other clients.
let serviceModules: [Target] = [
  module(
    "LanguageService",
    dependencies: [
      "AppRegistration", "Diagnostics", "Directory", "Documents", "Effects", "Handbook", "IdentityPlatform",
      "JSONPath", "Reports", "RunTrace", "Scenarios", "Trust", "Validation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections]),
  module(
    "Debugging",
    dependencies: [
      "Diagnostics", "Directory", "Documents", "Effects", "RunTrace", "Scenarios", "Trust", "WorkflowModel",
      "WorkflowRunner",
    ],
    libraries: [.collections]),
  module(
    "Studio",
    dependencies: [
      "AppRegistration", "Debugging", "Diagnosis", "Diagnostics", "Directory", "Documents", "Effects",
      "IdentityEmulator", "LanguageService",
      "Lessons", "OAuth", "Reports", "RunTrace", "Scenarios", "SimulatedWorld", "Trust", "UserSimulation",
      "Validation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes], hasData: true),
  module(
    "EditorProtocols",
    dependencies: [
      "AppRegistration", "Debugging", "Diagnosis", "Diagnostics", "Directory", "Documents", "Effects",
      "LanguageService",
      "Reports", "RunTrace",
      "Scenarios", "SimulatedWorld", "TokenCache", "Trust", "Validation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections]),
]

// The executable.
let commandLineModules: [Target] = [
  module(
    "AuthflowCLI",
    dependencies: [
      "AppRegistration", "Diagnosis", "Diagnostics", "Directory", "Documents", "EditorProtocols", "Effects", "Handbook",
      "IdentityEmulator", "IdentityPlatform", "JSONPath", "LanguageService", "Lessons", "LiveWorld", "MicrosoftGraph",
      "OAuth", "PublicClient", "Recordings",
      "Reports", "RunTrace", "Scenarios", "SimulatedWorld", "Studio", "SystemWorld", "TokenCache", "Trust",
      "UserSimulation",
      "Validation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.argumentParser, .collections, .httpTypes]),
  .executableTarget(
    name: "authflow", dependencies: ["AuthflowCLI"], swiftSettings: strict, plugins: ["BuildCommit"]),
  .plugin(name: "BuildCommit", capability: .buildTool()),
  .plugin(name: "EmbedData", capability: .buildTool()),
  .plugin(
    name: "AuthflowCommand",
    capability: .command(
      intent: .custom(verb: "authflow", description: "Run authflow, as in `swift package authflow validate .`"))),
  .plugin(name: "ValidateSignIn", capability: .buildTool()),
]

let everyTest: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["Diagnostics", "Documents", "Effects", "SystemWorld"],
    path: "Tests/TestSupport",
    swiftSettings: strict),
  tests("EffectsTests", dependencies: ["Effects", "SimulatedWorld", "TestSupport"], libraries: [.httpTypes]),
  tests("DiagnosticsTests", dependencies: ["Diagnostics", "TestSupport"]),
  tests(
    "DocumentsTests", dependencies: ["Diagnostics", "Documents", "Effects", "TestSupport"], libraries: [.collections]),
  tests("JSONPathTests", dependencies: ["Documents", "JSONPath", "TestSupport"]),
  tests("RunTraceTests", dependencies: ["Documents", "Effects", "RunTrace", "TestSupport"], libraries: [.collections]),
  tests(
    "OAuthTests", dependencies: ["Documents", "Effects", "OAuth", "RunTrace", "TestSupport"],
    libraries: [.crypto, .cryptoExtras, .httpTypes, .jwtKit]),
  tests("IdentityPlatformTests", dependencies: ["IdentityPlatform", "TestSupport"]),
  tests("TrustTests", dependencies: ["Documents", "Effects", "SimulatedWorld", "SystemWorld", "TestSupport", "Trust"]),
  tests(
    "DirectoryTests", dependencies: ["Diagnostics", "Directory", "Documents", "Effects", "TestSupport"],
    libraries: [.collections]),
  tests(
    "WorkflowModelTests",
    dependencies: [
      "Diagnostics", "Directory", "Documents", "IdentityPlatform", "JSONPath", "Reports", "TestSupport",
      "WorkflowModel",
    ]),
  tests(
    "AppRegistrationTests",
    dependencies: ["AppRegistration", "Diagnostics", "Documents", "IdentityPlatform", "RunTrace", "TestSupport"],
    libraries: [.collections]),
  tests(
    "TokenCacheTests",
    dependencies: ["Documents", "Effects", "RunTrace", "SimulatedWorld", "TestSupport", "TokenCache"]),
  tests(
    "PublicClientTests",
    dependencies: [
      "Documents", "Effects", "IdentityPlatform", "OAuth", "PublicClient", "RunTrace", "SimulatedWorld", "TestSupport",
      "TokenCache",
    ],
    libraries: [.httpTypes]),
  tests(
    "DiagnosisTests", dependencies: ["Diagnosis", "Diagnostics", "Documents", "IdentityPlatform", "TestSupport"],
    libraries: [.collections]),
  tests(
    "MicrosoftGraphTests",
    dependencies: [
      "Documents", "Effects", "IdentityPlatform", "MicrosoftGraph", "OAuth", "RunTrace", "SimulatedWorld",
      "TestSupport", "Trust",
    ],
    libraries: [.httpTypes]),
  tests(
    "IdentityEmulatorTests",
    dependencies: [
      "Diagnostics", "Directory", "Documents", "Effects", "GraphEmulator", "IdentityEmulator", "IdentityPlatform",
      "OAuth", "RunTrace",
      "SimulatedWorld", "TestSupport", "UserSimulation",
    ],
    libraries: [.crypto, .cryptoExtras, .httpTypes]),
  tests(
    "UserSimulationTests",
    dependencies: ["Documents", "Effects", "OAuth", "RunTrace", "SimulatedWorld", "TestSupport", "UserSimulation"],
    libraries: [.httpTypes]),
  tests(
    "RecordingsTests",
    dependencies: [
      "Diagnostics", "Documents", "Effects", "OAuth", "Recordings", "RunTrace", "SimulatedWorld", "TestSupport",
    ],
    libraries: [.httpTypes]),
  tests(
    "ReportsTests",
    dependencies: ["Diagnostics", "Documents", "Effects", "Reports", "RunTrace", "TestSupport", "WorkflowModel"],
    libraries: [.collections]),
  tests("SimulatedWorldTests", dependencies: ["Effects", "SimulatedWorld", "TestSupport"], libraries: [.httpTypes]),
  tests("SystemWorldTests", dependencies: ["Effects", "SystemWorld", "TestSupport"]),
  tests(
    "LiveWorldTests", dependencies: ["Effects", "LiveWorld", "SystemWorld", "TestSupport"], libraries: [.httpTypes]),
  tests(
    "ValidationTests",
    dependencies: ["AppRegistration", "Diagnostics", "Documents", "TestSupport", "Validation", "WorkflowModel"],
    libraries: [.collections]),
  tests(
    "WorkflowRunnerTests",
    dependencies: [
      "AppRegistration", "Directory", "Documents", "Effects", "IdentityEmulator", "IdentityPlatform", "PublicClient",
      "RunTrace", "Scenarios", "SimulatedWorld", "TestSupport", "UserSimulation", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
  tests(
    "ScenariosTests",
    dependencies: [
      "Diagnostics", "Directory", "Documents", "Effects", "OAuth", "Reports", "RunTrace", "Scenarios", "SimulatedWorld",
      "TestSupport", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections, .httpTypes]),
  tests(
    "HandbookTests",
    dependencies: ["Diagnostics", "Documents", "Handbook", "IdentityPlatform", "TestSupport", "WorkflowModel"],
    libraries: [.collections]),
  tests(
    "LessonsTests",
    dependencies: [
      "Diagnostics", "Documents", "Handbook", "IdentityPlatform", "Lessons", "Reports", "Scenarios", "SimulatedWorld",
      "TestSupport", "WorkflowModel", "WorkflowRunner",
    ],
    libraries: [.collections]),
  tests(
    "LanguageServiceTests",
    dependencies: [
      "AppRegistration", "Diagnostics", "Documents", "Effects", "LanguageService", "Scenarios", "SimulatedWorld",
      "TestSupport", "Validation", "WorkflowModel",
    ],
    libraries: [.collections]),
  tests(
    "StudioTests",
    dependencies: ["Directory", "Documents", "Effects", "IdentityEmulator", "SimulatedWorld", "Studio", "TestSupport"],
    libraries: [.httpTypes]),
  tests(
    "EditorProtocolsTests",
    dependencies: [
      "Documents", "EditorProtocols", "Effects", "LanguageService", "SimulatedWorld", "TestSupport",
    ],
    libraries: [.collections]),
  tests(
    "AuthflowCLITests",
    dependencies: [
      "AuthflowCLI", "Diagnosis", "Documents", "EditorProtocols", "Effects", "Lessons", "LiveWorld", "OAuth",
      "SimulatedWorld",
      "TestSupport", "Trust",
    ],
    libraries: [.collections, .httpTypes]),
  // Has the same dependencies as an app's tests.
  tests("AuthflowTestingTests", dependencies: ["AuthflowTesting", "AuthflowTestingServer", "IdentityPlatform"]),
  tests("ArchitectureTests", dependencies: ["Documents", "TestSupport"]),
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
    dependencies: ["BenchSupport", "Directory", "Documents", "Effects", "IdentityEmulator", "OAuth", .httpTypes],
    path: "Tests/Benchmarks/EmulatorBench", swiftSettings: strict),
  .executableTarget(
    name: "ScenarioBench",
    dependencies: [
      "BenchSupport", "Diagnostics", "Documents", "Effects", "RunTrace", "Scenarios", "SimulatedWorld", "SystemWorld",
      "WorkflowModel", "WorkflowRunner",
    ],
    path: "Tests/Benchmarks/ScenarioBench", swiftSettings: strict),
  .executableTarget(
    name: "SilentBench",
    dependencies: [
      "Documents", "Effects", "IdentityPlatform", "OAuth", "PublicClient", "RunTrace", "SystemWorld", "TokenCache",
      .httpTypes,
    ],
    path: "Tests/Benchmarks/SilentBench", swiftSettings: strict),
  .executableTarget(
    name: "TokenCacheBench", dependencies: ["Documents", "Effects", "RunTrace", "SystemWorld", "TokenCache"],
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
      "AppRegistration", "Diagnosis", "Diagnostics", "Directory", "Documents", "Effects", "FuzzSupport",
      "IdentityEmulator", "OAuth", "Recordings", "Reports", "RunTrace", "Scenarios", "SimulatedWorld", "WorkflowModel",
      "WorkflowRunner", .collections, .httpTypes,
    ],
    path: "Tests/Fuzz/Projects", swiftSettings: strict),
]

let package = Package(
  name: "authflow",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "authflow", targets: ["authflow"]),
    .library(name: "AuthflowTesting", targets: ["AuthflowTesting"]),
    .library(name: "AuthflowTestingServer", targets: ["AuthflowTestingServer"]),
    .plugin(name: "AuthflowCommand", targets: ["AuthflowCommand"]),
    .plugin(name: "ValidateSignIn", targets: ["ValidateSignIn"]),
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
    // Only for documentation. The dependency is unconditional, because changing a condition would rebuild everything.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: foundationModules + featureModules + orchestrationModules + environmentModules + compositionModules
    + serviceModules + commandLineModules + everyTest + (isBenchmarking ? benchmarks : [])
    + (fuzzing != nil ? fuzz : [])
)
