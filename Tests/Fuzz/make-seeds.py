"""Creates the initial inputs of the fuzzer from the project's files, small samples, and, if it exists, the external corpus.

usage: make-seeds.py FOLDER
"""

import gzip
import pathlib
import plistlib
import sys

LIMIT = 16384
project = pathlib.Path(__file__).resolve().parents[2]
corpus = project.parent / "shared" / "corpus"
folder = pathlib.Path(sys.argv[1])
count = 0


def add(target, data):
    global count
    if not data or len(data) > LIMIT:
        return
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    (place / f"seed-{count:05}").write_bytes(data)
    count += 1


# The order of `names` in ValidationTarget.swift: the first byte of an input selects the name of the file.
NAMES = ["AuthSettings.plist", "Info.plist", "App.entitlements", "auth_config.json", "manifest.json", "appsettings.json",
         "AndroidManifest.xml", "me.yaml", "directory.yaml", "project.pbxproj", "App.xcconfig", "x.json"]


def named(name, data):
    return bytes([NAMES.index(name)]) + data


def kind(data):
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:6]
    if head.startswith(b"bplist"):
        return "binary-plist"
    if head.startswith(b"<"):
        return "xml-plist"
    return "json" if head.startswith((b"{", b"[")) else "openstep"


def take(path):
    try:
        data = path.read_bytes()
    except OSError:
        return
    suffix = path.suffix.lower()
    if suffix in (".yaml", ".yml"):
        add("yaml", data)
        add("validation", named("directory.yaml" if "director" in path.name else "me.yaml", data))
    elif suffix == ".json":
        add("json", data)
        add("yaml", data)
        name = ("auth_config.json" if "android" in str(path) else "appsettings.json" if "appsettings" in str(path).lower()
                else "manifest.json" if "manifest" in str(path) else "x.json")
        add("validation", named(name, data))
    elif suffix in (".plist", ".entitlements", ".strings", ".pbxproj"):
        add(kind(data), data)
        name = ("App.entitlements" if suffix == ".entitlements" else "Info.plist" if "info" in str(path).lower()
                else "project.pbxproj" if suffix == ".pbxproj" else "AuthSettings.plist")
        add("validation", named(name, data))
        if kind(data) == "xml-plist":
            add("xml", data)
    elif suffix == ".xml":
        add("xml", data)
        add("validation", named("AndroidManifest.xml", data))
    elif suffix == ".xcconfig":
        add("xcconfig", data)
        add("validation", named("App.xcconfig", data))


for root in [project / "Workflows", project / "Schemas", project / "Tests", corpus]:
    if root.is_dir():
        for path in sorted(root.rglob("*")):
            if path.is_file():
                take(path)

for path in sorted((corpus / "logs").rglob("*")):
    if path.is_file():
        add("diagnosis", path.read_bytes())
LOGS = [
    b"2026-01-05 09:00:00 MSAL 1.5.0 iOS 17.4 acquireTokenSilent: invalid_grant, AADSTS50173: the grant expired, sub_error bad_token\n"
    b"correlation_id 11111111-2222-3333-4444-555555555555\n",
    b'Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALErrorDescriptionKey=AADSTS50076: MFA, MSALOAuthErrorKey='
    b"invalid_grant}\n",
    b"com.contoso.app://auth?error=access_denied&error_description=AADSTS65004%3a+declined&state=x\n",
    b'{"error": "invalid_client", "error_description": "AADSTS7000218: client_secret", "error_codes": [7000218]}\n',
    b"SignatureVerificationFailed IDX10214: Audience validation failed. Audiences: 'api://a'. Did not match: 'api://b'\n",
    b'{"log": {"entries": [{"request": {"method": "POST", "url": "https://login.microsoftonline.com/common/oauth2/v2.0/token", "postData":'
    b' {"text": "grant_type=refresh_token&refresh_token=fake"}}, "response": {"status": 400, "content": {"text": "{\\"error\\":'
    b' \\"invalid_grant\\", \\"error_description\\": \\"AADSTS700082: expired\\"}"}}}]}}\n',
]
for text in LOGS + [b"".join(LOGS), b"\xef\xbb\xbf" + LOGS[0], LOGS[1].decode().encode("utf-16")]:
    add("diagnosis", text)
    add("diagnosis", gzip.compress(text, mtime=0))

SETTINGS = {
    "AppId": "00001111-aaaa-2222-bbbb-3333cccc4444", "Authority": "https://login.microsoftonline.com/common",
    "GraphScopes": ["User.Read", "Mail.Read"], "RedirectUri": "msauth.com.contoso.notes://auth",
}
INFO = {
    "CFBundleIdentifier": "com.contoso.notes",
    "CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.com.contoso.notes"]}],
    "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"],
}
ENTITLEMENTS = {"keychain-access-groups": ["$(AppIdentifierPrefix)com.microsoft.adalcache"]}
MANIFEST = b"""<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.contoso.notes">
  <application><!-- sign-in -->
    <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="true">
      <intent-filter>
        <action android:name="android.intent.action.VIEW"/>
        <data android:scheme="msauth" android:host="com.contoso.notes" android:path="/1wIqXSqBj7w+h11ZifsnqwgyKrY="/>
      </intent-filter>
    </activity>
  </application>
</manifest>
"""
ANDROID = b"""{ // sign-in
  "client_id": "00001111-aaaa-2222-bbbb-3333cccc4444", "authorization_user_agent": "DEFAULT",
  "redirect_uri": "msauth://com.contoso.notes/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D", "broker_redirect_uri_registered": true,
  "authorities": [{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenant_id": "organizations"}, "default": true}]
}
"""
APP = b"""{"id": "x", "appId": "00001111-aaaa-2222-bbbb-3333cccc4444", "signInAudience": "AzureADMyOrg",
 "api": {"requestedAccessTokenVersion": 2}, "publicClient": {"redirectUris": ["msauth.com.contoso.notes://auth"]},
 "requiredResourceAccess": [{"resourceAppId": "00000003-0000-0000-c000-000000000000",
  "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]}],
 "passwordCredentials": [{"endDateTime": "2020-01-01T00:00:00Z", "keyId": "x"}]}
"""
APPSETTINGS = b"""{"AzureAd": {"Instance": "https://login.microsoftonline.com/", "TenantId": "common",
 "ClientId": "[Enter the Client Id here]", "ClientSecret": "x", "CallbackPath": "/signin-oidc"}}
"""
XCCONFIG = b"""// settings
#include "Base.xcconfig"
#include? "../Own.xcconfig" // may be missing
PRODUCT_BUNDLE_IDENTIFIER[sdk=iphoneos*][arch=arm64] = com.contoso.notes; // the app's
URL = https:/$()/login.contoso.com \\
  more
"""
YAML = b"""%YAML 1.2
---
a: &x [1, {b: 'c'}, !!int 3, 0x1F, .nan, ~]  # comment
d: |-
  text
 # less
e: *x
"f\\u00e9": >+
  folded

? k
: - v
  - !!binary aGk=
  - 2001-12-14t21:59:43.10-05:00
"""
JSON = b"""{"a": [1, -2.5e3, true, null, "x\\u00e9\\ud83d\\ude00"], // c
 "b": {"n": 1e400, "n": 18446744073709551616,}, /* d */ 'e': 007}
"""
OPENSTEP = b"""// !$*UTF8*$!
{ a = (b, "c\\U00e9\\t\\341", <0a0b 0c>, <*I5>, <*R1.5>, <*BY>, <*D2011-10-05 14:48:00 +0000>, <[aGk=]>); /* d */
  "k" = { x = y; }; }
"""
STRINGS = b'"key" = "value"; other = "x"; alone;\n'
XML = b"""<?xml version="1.0"?><!DOCTYPE a [<!ELEMENT a ANY>]><a xmlns="urn:a" xmlns:b='urn:b' b:c="1&#x41;&amp;">
<b:d/><![CDATA[<x>]]><!-- c --><?pi data?> text &lt; <e f=''>x</e></a>
"""
VALUES = {
    "s": "é😀", "i": -5, "big": 1 << 63, "r": 1.5, "b": True, "d": b"\x00\x01", "l": [1, [2, {"x": "y"}]],
    "u": plistlib.UID(3), "e": "", "long": "x" * 300,
}

for data in (SETTINGS, INFO, ENTITLEMENTS, VALUES):
    xml = plistlib.dumps({key: value for key, value in data.items() if not isinstance(value, plistlib.UID)})
    binary = plistlib.dumps(data, fmt=plistlib.FMT_BINARY)
    add("xml-plist", xml)
    add("xml-plist", xml.decode().encode("utf-16"))
    add("xml", xml)
    add("binary-plist", binary)
    name = "Info.plist" if data is INFO else "App.entitlements" if data is ENTITLEMENTS else "AuthSettings.plist"
    add("validation", named(name, xml))
    add("validation", named(name, binary))
for target, samples in {
    "json": [JSON, ANDROID, APP, APPSETTINGS], "yaml": [YAML, JSON], "openstep": [OPENSTEP, STRINGS],
    "xml": [XML, MANIFEST, MANIFEST.decode().encode("utf-16")], "xcconfig": [XCCONFIG],
}.items():
    for sample in samples:
        add(target, sample)

SEPARATOR = b"\n%%%%"
together = [
    named("AuthSettings.plist", plistlib.dumps(SETTINGS)), named("Info.plist", plistlib.dumps(INFO)),
    named("App.entitlements", plistlib.dumps(ENTITLEMENTS)), named("auth_config.json", ANDROID),
    named("AndroidManifest.xml", MANIFEST), named("manifest.json", APP), named("appsettings.json", APPSETTINGS),
    named("App.xcconfig", XCCONFIG),
]
for file in together:
    add("validation", file)
add("validation", SEPARATOR.join(together))
add("validation", SEPARATOR.join(together[:3]))
add("validation", SEPARATOR.join(together[3:6]))
