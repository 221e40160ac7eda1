/// What a header, parameter or member of an HTTP message says, for people who look at a recorded exchange.
///
/// Beside the parameters that MSAL itself writes (`WireParameter`) these are what the services, browsers and Graph say.
package enum MessageField {
  /// What a field of that name means; nil where this room does not know it. Names are compared without regard to case.
  package static func meaning(of name: some StringProtocol) -> String? { meanings[name.lowercased()] }

  private static let meanings: [String: String] = {
    var meanings: [String: String] = [:]
    for (name, meaning) in own + CacheField.shared { meanings[name.lowercased()] = meaning }
    for parameter in WireParameter.all { meanings[parameter.name.lowercased()] = parameter.meaning }
    return meanings
  }()

  private static let own = headers + signIn + metadata + graph

  private static let headers: [(String, String)] = [
    ("accept", "which forms of an answer the sender can read"),
    ("accept-language", "the languages that the user reads, the best first"),
    ("access-control-allow-methods", "which methods pages of other origins may use (CORS)"),
    ("access-control-allow-origin", "which origins' pages may read the answer (CORS)"),
    ("authorization", "the access token: who calls, and what they may do (RFC 6750)"),
    ("cache-control", "who may keep the answer; no-store: nobody, because it holds secrets"),
    ("content-length", "the size of the body in bytes"),
    ("content-security-policy", "what the page may load and run; everything else the browser refuses"),
    ("content-type", "the form of the body"),
    ("cookie", "what the site asked the browser to bring along, its session among it"),
    ("date", "when the server answered; MSAL reckons with the device's clock, not with this one"),
    ("etag", "the version of the resource"),
    ("expires", "until when the answer may be kept; -1: not at all"),
    ("host", "the site that is meant"),
    ("if-match", "do it only where the resource still has this version"),
    ("if-none-match", "answer only where the resource has another version"),
    ("location", "where the browser is sent next; at the end of a sign-in, the app's redirect URI"),
    ("odata-version", "the version of the protocol that Graph speaks"),
    ("origin", "the site whose page sent the form"),
    ("p3p", "an old promise about privacy that some browsers asked for before taking cookies"),
    ("pragma", "no-cache, for very old caches"),
    ("prefer", "what the caller would like: the size of pages, the time zone of dates"),
    ("preference-applied", "which of those wishes were heard"),
    ("referer", "the page that led here"),
    ("referrer-policy", "what later requests may tell of this page's address"),
    ("request-id", "the id of this request in Graph's logs: tell it to support"),
    ("retry-after", "how long to wait before asking again: seconds, or a date"),
    ("retry-attempt", "the how-manieth further attempt this is"),
    ("set-cookie", "what the browser is to bring along from now on, the session among it"),
    ("strict-transport-security", "the browser must use https for this site from now on"),
    ("traceparent", "the trace and span that this request belongs to (W3C Trace Context)"),
    ("user-agent", "which program asks"),
    ("www-authenticate", "why the API refuses the token, and which claims a new one must have"),
    ("x-app-name", "the app's bundle id"),
    ("x-app-ver", "the app's version"),
    ("x-content-type-options", "nosniff: the browser must not guess the form of the body"),
    ("x-frame-options", "whether another page may show this one in a frame; DENY stops clickjacking"),
    ("x-ms-ags-diagnostic", "which of Graph's servers answered"),
    ("x-ms-clitelem", "the service's word on errors, for MSAL's telemetry"),
    ("x-ms-ests-server", "which server of the sign-in service answered"),
    ("x-ms-request-id", "the id of this answer in the sign-in service's logs: tell it to support"),
    ("x-ms-resource-unit", "what the request counts for in Graph's throttling"),
    ("x-ms-srs", "for the service's own use"),
  ]

  private static let signIn: [(String, String)] = [
    ("account", "which of the accounts in the picker was chosen"),
    ("api-version", "the version of the instance discovery protocol"),
    ("canary", "ties the form to the page that it stood on, against forged requests (CSRF)"),
    ("confirmpassword", "the new password once more"),
    ("consent", "what the user answered to the permissions that the app asks for"),
    ("displayname", "the name that the new user chose"),
    ("error", "the OAuth error: what a program decides by (RFC 6749 §5.2)"),
    ("error_uri", "a page about the error, for developers"),
    ("flow", "the state of the sign-in, sealed by the service and carried from page to page"),
    ("forgot", "the user has forgotten the password"),
    ("interval", "how many seconds to wait between two polls (RFC 8628 §3.2)"),
    ("loginfmt", "the user name that was typed"),
    ("message", "the words to show to the user"),
    ("mfa", "what the user answered to the second factor"),
    ("newpassword", "the new password"),
    ("otc", "the code from the other device"),
    ("passwd", "the password that was typed"),
    ("signup", "the user makes a new account"),
    ("timestamp", "when the error happened, by the service's clock"),
    ("verification_uri", "the page on which the user types the code (RFC 8628 §3.2)"),
  ]

  private static let metadata: [(String, String)] = [
    ("aliases", "host names that stand for the same cloud"),
    ("authorization_endpoint", "where the browser is sent to sign in"),
    ("authorization_response_iss_parameter_supported", "whether redirects say who answers (RFC 9207)"),
    ("check_session_iframe", "a page by which sites learn that the session changed"),
    ("claims_supported", "the claims that its ID tokens may have"),
    ("cloud_graph_host_name", "the host of the old Azure AD Graph in this cloud"),
    ("cloud_instance_name", "which national cloud this is"),
    ("code_challenge_methods_supported", "the forms of PKCE that it takes"),
    ("device_authorization_endpoint", "where an app without a browser asks for a code"),
    ("end_session_endpoint", "where the browser is sent to sign out"),
    ("frontchannel_logout_supported", "whether other sites are told of a sign-out by the browser"),
    ("http_logout_supported", "whether signing out by a plain page is possible"),
    ("id_token_signing_alg_values_supported", "how its ID tokens may be signed"),
    ("issuer", "its name, which the claim iss must repeat"),
    ("jwks_uri", "where its public keys are, for checking signatures"),
    ("kerberos_endpoint", "where Kerberos tickets of the cloud are had"),
    ("keys", "the public keys (RFC 7517); a signature must be by one of them"),
    ("metadata", "the clouds: which hosts are the same, which one is asked, which one names cache entries"),
    ("msgraph_host", "the host of Microsoft Graph in this cloud"),
    ("preferred_cache", "the host by which cache entries are named"),
    ("preferred_network", "the host that is asked"),
    ("rbac_url", "the service of role assignments"),
    ("request_uri_parameter_supported", "whether requests may be given by reference"),
    ("response_modes_supported", "how it can give an answer back"),
    ("response_types_supported", "what it can give back from the sign-in page"),
    ("scopes_supported", "the OpenID scopes that it knows"),
    ("subject_types_supported", "pairwise: each app sees another sub"),
    ("tenant_discovery_endpoint", "where the tenant's own metadata is"),
    ("tenant_region_scope", "the region of the tenant"),
    ("token_endpoint", "where codes and refresh tokens are turned into tokens"),
    ("token_endpoint_auth_methods_supported", "how clients may prove themselves"),
    ("userinfo_endpoint", "where claims about the user are had with an access token"),
  ]

  private static let graph: [(String, String)] = [
    ("$batch", "several requests in one"),
    ("$count", "whether to count the matches"),
    ("$expand", "which related things to send along"),
    ("$filter", "which items to send"),
    ("$orderby", "in which order"),
    ("$search", "words to look for"),
    ("$select", "which properties to send; fewer is faster"),
    ("$skip", "how many items to pass over"),
    ("$skiptoken", "where the next page begins"),
    ("$top", "how many items to a page"),
    ("@odata.context", "what the answer describes"),
    ("@odata.nextLink", "where the next page is; nothing follows the last one"),
    ("displayName", "the name to be shown"),
    ("endDateTime", "until when the calendar is asked for"),
    ("id", "the object's id; of a user, what the claim oid says"),
    ("mail", "the mail address"),
    ("startDateTime", "from when the calendar is asked for"),
    ("userPrincipalName", "the name that the user signs in with; it can change"),
    ("value", "the items of this page"),
  ]
}
