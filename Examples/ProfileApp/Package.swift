// swift-tools-version: 6.2
import PackageDescription

/// The checkout of authflow to build against in CI: a folder, or a repository and a commit.
let checkout = Context.environment["AUTHFLOW_CHECKOUT"]
let repository = Context.environment["AUTHFLOW_REPOSITORY"] ?? "https://github.com/example/authflow"
let authflow: Package.Dependency =
  if let checkout {
    .package(name: "authflow", path: checkout)
  } else if let revision = Context.environment["AUTHFLOW_REVISION"] {
    .package(url: repository, revision: revision)
  } else {
    .package(url: repository, from: "0.1.0")
  }

let package = Package(
  name: "ProfileApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "ProfileApp", targets: ["ProfileApp"])],
  dependencies: [authflow],
  targets: [
    .target(name: "ProfileApp"),
    .testTarget(
      name: "ProfileAppTests",
      dependencies: ["ProfileApp", .product(name: "AuthflowTesting", package: "authflow")],
      resources: [.copy("Workflows")]),
  ])
