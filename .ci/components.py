"""Describes what the released program contains: .ci/components.py notices|sbom VERSION [--whole].

notices   prints the licenses and notices. Debian has the text of the Apache License, and --whole prints it too.
sbom      prints a software bill of materials (CycloneDX 1.6). SOURCE_DATE_EPOCH sets its time.

The packages come from Package.resolved, and the C libraries from dpkg and .build/static-libraries.
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import urllib.parse
import uuid

# .ci/build-release builds for each processor of a Mac in a separate folder.
CHECKOUTS = next(filter(pathlib.Path.exists, map(pathlib.Path, (".build/checkouts", ".build/arm64/checkouts"))))
STATIC = pathlib.Path(".build/static-libraries")
# These packages are not linked: only tests, benchmarks, and the documentation use them.
UNLINKED = ("jwt-kit", "swift-docc-plugin", "swift-docc-symbolkit")
# Debian's static libraries, and their SPDX licenses.
DEBIAN = {"yaml": "MIT", "z": "Zlib", "stdc++": "GPL-3.0-or-later WITH GCC-exception-3.1"}
INTRODUCTION = """
The packages below are linked into authflow, under the Apache License 2.0
(on Debian: /usr/share/common-licenses/Apache-2.0), some with the Runtime
Library Exception. swift-crypto and swift-nio-ssl contain BoringSSL, swift-nio
contains llhttp, and swift-nio-extras contains zlib. The Swift runtime library
is linked in under the same license. The packages' authors hold their
copyrights, as the notices below state.
"""
RUNTIME = """
authflow also contains libxml2, libyaml, and zlib, whose licenses are below, and
libstdc++, under the GNU General Public License 3 with the GCC Runtime Library
Exception 3.1, which permits its use in programs under other licenses.
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def packages():
    """The linked Swift packages: name, address, version."""
    pins = json.loads(pathlib.Path("Package.resolved").read_text())["pins"]
    return [
        (pin["identity"], pin["location"], pin["state"]["version"]) for pin in pins if pin["identity"] not in UNLINKED
    ]


def is_on_mac():
    return platform.system() == "Darwin"


# --- Notices --------------------------------------------------------------------------------------------------------


def section(title, text):
    rule = "=" * 78
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return f"\n{rule}\n{title}\n{rule}\n\n" + "\n".join(lines) + "\n"


def yaml_license():
    if is_on_mac():
        return (STATIC / "libyaml.license").read_text()
    text = pathlib.Path("/usr/share/doc/libyaml-dev/copyright").read_text()
    return text[text.index("Copyright") : text.index("\nFiles: debian/")]


def zlib_license():
    header = CHECKOUTS / "swift-nio-extras/Sources/CNIOExtrasZlib/include/nioextras-zlib.h"
    text = header.read_text()
    start = text.index("  Copyright (C)")
    return text[start : text.index("*/", start)]


def notices(version, whole):
    text = f"authflow {version}\n\n" + pathlib.Path("LICENSE").read_text() + INTRODUCTION + "\n"
    for name, address, revision in packages():
        text += f"  {name} {revision}\n    {address}\n"
    text += RUNTIME if not is_on_mac() else "\nauthflow also contains libyaml, whose license is below.\n"
    for name, _, _ in packages():
        for notice in sorted((CHECKOUTS / name).glob("NOTICE*")):
            text += section(f"{name}: notice", notice.read_text())
    llhttp = CHECKOUTS / "swift-nio/Sources/CNIOLLHTTP/LICENSE"
    text += section("llhttp (in swift-nio): license", llhttp.read_text())
    text += section("zlib (also in swift-nio-extras): license", zlib_license())
    text += section("libyaml: license", yaml_license())
    if not is_on_mac():
        text += section("libxml2: license", (STATIC / "libxml2.license").read_text())
    if whole:
        apache = CHECKOUTS / "swift-collections/LICENSE.txt"
        text += section("Apache License 2.0, with the Runtime Library Exception", apache.read_text())
    return text


# --- Software bill of materials -------------------------------------------------------------------------------------


def component(name, version, purl, license, kind="library"):
    entry = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}
    key = {"expression": license} if " " in license else {"license": {"id": license}}
    return entry | {"licenses": [key]}


def debian_purl(package, version, architecture):
    quoted = [urllib.parse.quote(text, safe="") for text in (package, version)]
    return f"pkg:deb/debian/{quoted[0]}@{quoted[1]}?arch={architecture}"


def c_libraries():
    if is_on_mac():
        return [component("libyaml", "0.2.5", "pkg:github/yaml/libyaml@0.2.5", "MIT")]
    version = (STATIC / "version").read_text().strip().removeprefix("libxml2_")
    found = [component("libxml2", version, debian_purl("libxml2", version, "source"), "MIT")]
    for name, license in DEBIAN.items():
        package = output("dpkg-query", "--search", str((STATIC / f"lib{name}.a").resolve())).split(":")[0]
        line = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version} ${Architecture}", package)
        source, version, architecture = line.split()
        found.append(component(source, version, debian_purl(package, version, architecture), license))
    return found


def sbom(version):
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    swift = output("swiftc", "--version").split("Swift version ")[1].split()[0]
    parts = []
    for name, address, revision in packages():
        path = address.removeprefix("https://").removesuffix(".git")
        parts.append(component(name, revision, f"pkg:swift/{path}@{revision}", "Apache-2.0"))
    parts.append(component("swift", swift, f"pkg:github/swiftlang/swift@{swift}", "Apache-2.0 WITH Swift-exception"))
    parts += c_libraries()
    program = component("authflow", version, f"pkg:generic/authflow@{version}", "MIT", "application")
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([program, parts]))
    return json.dumps(
        {
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": f"urn:uuid:{serial}",
            "version": 1,
            "metadata": {"timestamp": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": program},
            "components": parts,
            "dependencies": [{"ref": program["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}],
        },
        indent=2,
    ) + "\n"


def main():
    command, version, *rest = sys.argv[1:]
    sys.stdout.write(notices(version, "--whole" in rest) if command == "notices" else sbom(version))


main()
