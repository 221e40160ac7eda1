#!/usr/bin/env python3
"""Typechecks the modules of this package for an Apple platform on Linux.

usage: typecheck.py TRIPLE FOLDER [--product MODULE] [--only MODULE] [--replace FILE=OTHER]

Builds the standard library's modules for the triple from the textual interfaces of the toolchain, then the dependencies that are
plain Swift, then each module of Package.swift in dependency order. FOLDER caches the modules. `--product` limits the
check to a module and its dependencies, `--only` to one module whose dependencies are in FOLDER. `--replace` reads OTHER in place of
FILE.

The declarations of Apple's frameworks in this folder contain only what the package uses. Modules that need SwiftNIO or
ArgumentParser are skipped, and so are files that import Security. In skipped modules, names that are newer than the deployment
target are errors unless the file has an `#available` condition. The output has a line for each module.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SWIFT = Path(subprocess.run(["sh", "-c", "command -v swift"], capture_output=True, text=True, check=True).stdout.strip()).resolve()
TOOLCHAIN = SWIFT.parents[1]
# Modules of the toolchain with textual interfaces, in dependency order.
STANDARD_LIBRARY = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing", "_Builtin_float", "Synchronization"]
DEPENDENCIES = {
    "InternalCollectionsUtilities": "swift-collections",
    "ContainersPreview": "swift-collections",
    "OrderedCollections": "swift-collections",
    "HTTPTypes": "swift-http-types",
}
DECLARED = ["Darwin", "Dispatch", "Foundation", "Crypto", "CryptoExtras"]
UNAVAILABLE_FILE = re.compile(r"^\s*import (Security|FoundationEssentials)$", re.M)

parser = argparse.ArgumentParser()
parser.add_argument("triple")
parser.add_argument("folder", type=Path)
parser.add_argument("--product", default="")
parser.add_argument("--only", default="")
parser.add_argument("--replace", default="=")
options = parser.parse_args()
cache = options.folder.resolve()
modules = cache / options.triple
headers = cache / "headers"
original, replacement = options.replace.split("=")
PLATFORM = "ios" if "-ios" in options.triple else "macos"

common = ["-target", options.triple, "-resource-dir", str(TOOLCHAIN / "lib/swift"), "-disable-objc-interop", "-I", str(modules),
          "-parse-as-library", "-swift-version", "6", "-module-cache-path", str(cache / "clang"),
          "-plugin-path", str(TOOLCHAIN / "lib/swift/host/plugins")]
# The package's C libraries, without the headers of this machine's C library.
c_headers = ["-Xcc", "-nostdlibinc", "-Xcc", "-ffreestanding", "-Xcc", f"-I{HERE / 'include'}", "-Xcc", f"-I{headers}",
             "-Xcc", f"-fmodule-map-file={HERE / 'include/module.modulemap'}"]


def output(*command, folder=ROOT):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def frontend(*arguments):
    return subprocess.run(["swift-frontend", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)


def build(name, *arguments):
    """Compiles a module that others need."""
    result = frontend(*arguments, "-module-name", name, "-o", modules / f"{name}.swiftmodule")
    if result.returncode:
        sys.exit(f"{name} cannot be built: {result.stderr[:4000]}")


def emit(*arguments):
    return ["-emit-module", "-experimental-skip-non-inlinable-function-bodies-without-types", *common, *arguments]


def build_standard_library():
    for name in STANDARD_LIBRARY:
        if (modules / f"{name}.swiftmodule").exists():
            continue
        text = next((TOOLCHAIN / f"lib/swift/linux/{name}.swiftmodule").glob("*.swiftinterface")).read_text()
        text = re.sub(r"^// swift-module-flags:.*$", lambda line: re.sub(r" -target \S+| -enable-library-evolution", "", line.group()),
                      text, count=1, flags=re.M)
        text = re.sub(r"@backDeployed\([^)]*\)\s*", "", text).replace("import Glibc\n", "")
        # Linux's mutex uses the thread ID.
        text = text.replace("_swift_stdlib_gettid()", "(0 as Swift.UInt32)")
        interface = cache / f"{name}.swiftinterface"
        interface.write_text(text)
        build(name, "-compile-module-from-interface", "-target", options.triple, "-disable-objc-interop", "-disable-availability-checking",
              "-parse-stdlib", "-I", modules, interface)


def settings(package, target):
    """The defines and features that the manifest of a dependency sets."""
    described = json.loads(output("swift", "package", "dump-package", folder=ROOT / ".build/checkouts" / package))
    result = []
    for setting in next(entry for entry in described["targets"] if entry["name"] == target)["settings"]:
        kind, value = next(iter(setting["kind"].items()))
        if setting["tool"] == "swift" and not setting.get("condition"):
            flag = {"define": "-D", "enableUpcomingFeature": "-enable-upcoming-feature",
                    "enableExperimentalFeature": "-enable-experimental-feature"}.get(kind)
            result += [flag, value["_0"]] if flag else []
    return result


def build_dependencies():
    for name, package in DEPENDENCIES.items():
        if not (modules / f"{name}.swiftmodule").exists():
            files = sorted((ROOT / ".build/checkouts" / package / "Sources" / name).rglob("*.swift"))
            build(name, *emit("-suppress-warnings", "-disable-availability-checking", "-package-name", package, "-enable-builtin-module",
                              *settings(package, name), *files))
    for name in DECLARED:
        build(name, *emit("-suppress-warnings", *c_headers, HERE / f"{name}.swift"))


def targets():
    """The modules of Package.swift in Sources: their dependencies and upcoming features."""
    result = {}
    for target in json.loads(output("swift", "package", "dump-package"))["targets"]:
        if target["type"] == "regular" and not target.get("path"):
            entries = [next(iter(dependency.values())) for dependency in target["dependencies"]]
            names = [entry[0] for entry in entries if PLATFORM in ((entry[-1] or {}).get("platformNames") or [PLATFORM])]
            features = [setting["kind"]["enableUpcomingFeature"]["_0"] for setting in target["settings"]
                        if "enableUpcomingFeature" in setting["kind"]]
            result[target["name"]] = names, features
    return result


def in_order(targets, roots):
    result = []

    def visit(name):
        if name in targets and name not in result:
            for dependency in targets[name][0]:
                visit(dependency)
            result.append(name)

    for name in roots:
        visit(name)
    return result


def sources(name):
    files = [file for file in sorted((ROOT / "Sources" / name).rglob("*.swift")) if "/Data/" not in str(file)]
    return [Path(replacement) if original and file == ROOT / original else file for file in files]


def newer_names():
    """Returns names that only newer systems declare."""
    newer, older = set(), set()
    declaration = re.compile(r"(@available\(macOS (\d+)[^)]*\)\s*)?(?:@\w+(?:\([^)]*\))?\s+|(?:public|static|final|mutating|nonisolated|"
                             r"borrowing|consuming|prefix)\s+)*(?:func|struct|enum|class|actor|protocol|var|let|typealias) (\w+)")
    for name in STANDARD_LIBRARY:
        text = (cache / f"{name}.swiftinterface").read_text()
        for match in declaration.finditer(text):
            # Other modules may have a type with the same name as a nested type.
            is_nested = match[3][0].isupper() and not re.search(rf"^\S.*\b{match[3]}\b", match[0].split("\n")[-1])
            (newer if match[2] and int(match[2]) > 15 and not is_nested else older).add(match[3])
    return re.compile(r"\b(" + "|".join(sorted(newer - older)) + r")\b")


def main():
    modules.mkdir(parents=True, exist_ok=True)
    headers.mkdir(exist_ok=True)
    if not (headers / "yaml.h").exists():
        (headers / "yaml.h").symlink_to("/usr/include/yaml.h")
    build_standard_library()
    build_dependencies()
    package = targets()
    available = {*DECLARED, *DEPENDENCIES, "CLibXML2", "CLibYAML"}
    libraries = [*c_headers, *output("pkg-config", "--cflags", "libxml-2.0").split()]
    # `canImport` is false for a library that no module depends on for this platform.
    for name in {"CLibXML2", "CLibYAML"} & {dependency for names, _ in package.values() for dependency in names}:
        libraries += ["-Xcc", f"-fmodule-map-file={ROOT / 'Sources' / name / 'module.modulemap'}"]
    newer = newer_names()
    failed = False
    for name in in_order(package, [options.product] if options.product else sorted(package)):
        dependencies, features = package[name]
        missing = [dependency for dependency in dependencies if dependency not in available]
        if missing:
            print(f"not checked: {name}, which needs {', '.join(missing)}")
            for file in sources(name):
                text = file.read_text()
                for number, line in enumerate(text.split("\n"), 1):
                    if "#available" not in text and (match := newer.search(re.sub(r'"[^"]*"|//.*', "", line))):
                        failed = True
                        print(f"{file.relative_to(ROOT)}:{number}: error: `{match[1]}` is newer than the deployment target")
            continue
        available.add(name)
        if options.only and options.only != name:
            continue
        files = sources(name)
        skipped = [file for file in files if UNAVAILABLE_FILE.search(file.read_text())]
        for file in skipped:
            print(f"not checked: {file.relative_to(ROOT)}")
        files = [file for file in files if file not in skipped]
        files += sorted((ROOT / ".build/plugins/outputs").glob(f"*/{name}/**/*.swift"))
        arguments = [*common, *libraries, "-package-name", "authflow", "-module-name", name]
        for feature in features:
            arguments += ["-enable-upcoming-feature", feature]
        result = frontend("-typecheck", "-warnings-as-errors", *arguments, *files)
        if result.returncode:
            failed = True
            print(result.stderr.replace(f"{ROOT}/", ""))
        else:
            print(f"ok: {name}, {len(files)} files")
        if not options.only:
            frontend("-emit-module", "-experimental-skip-non-inlinable-function-bodies-without-types", *arguments,
                     "-o", modules / f"{name}.swiftmodule", *files)
    sys.exit(failed)


main()
