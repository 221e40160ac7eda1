import Effects
import IdentityPlatform
import OAuth

/// Redirects that require a broker or an action on a managed device. Without a broker, these redirects are errors,
/// except that MSAL restarts the sign-in after an enrollment.
enum DeviceRedirect {
  /// Returns the error for a redirect, or nil if the redirect does not request a device action.
  static func error(for url: String) -> MSALError? {
    let reference = URLReference(url)
    var parameters: Parameters { reference.parameters }
    if let registration = registration(reference) { return error(for: registration, parameters) }
    switch (reference.scheme?.lowercased(), reference.host) {
    case ("msauth", "in_app_enrollment_complete"): return enrollment(parameters["status"])
    case ("browser", let host):
      return MSALError(
        .userCancel, "the page asks the app to continue in a browser at https://\(host ?? "")\(reference.path)")
    default: return nil
    }
  }

  /// Whether the redirect reports that the device is enrolled.
  static func completesEnrollment(_ url: String) -> Bool {
    error(for: url)?.internalCode == MSALErrorCode.mdmEnrollmentCompletedNeedsRetry.rawValue
  }

  // MARK: - Device registration

  private enum Registration: String {
    case join = "wpj"
    case upgrade = "upgradereg"
  }

  /// Returns the registration that a redirect requests, or nil for other redirects. An embedded web view receives
  /// `msauth://wpj`. A system web view receives the redirect URI followed by `/msauth/wpj`.
  private static func registration(_ url: URLReference) -> Registration? {
    if url.scheme?.lowercased() == "msauth", let registration = url.host.flatMap({ Registration(rawValue: $0) }) {
      return registration
    }
    switch url.path.split(separator: "/").suffix(2).map(String.init) {
    case ["msauth", "wpj"]: return .join
    case ["msauth", "upgradeReg"]: return .upgrade
    default: return nil
    }
  }

  /// Returns the error for a required device registration, registration upgrade, or broker app. MSAL reports the two
  /// registration errors only if the redirect contains the username.
  private static func error(for registration: Registration, _ parameters: Parameters) -> MSALError {
    var error: MSALError
    if let link = parameters["app_link"], !link.isBlank {
      error = MSALError(.brokerNotAvailable, "the user must install a broker app first: \(link)")
    } else if parameters["username"]?.isBlank ?? true {
      return MSALError(.internal, "the redirect contains neither a username nor a link to a broker app")
    } else {
      error =
        switch registration {
        case .join: MSALError(.workplaceJoinRequired, "the user must register the device with the organization")
        case .upgrade: MSALError(.insufficientDeviceStrength, "the user must upgrade the device registration")
        }
    }
    error.displayableUserID = parameters["username"]
    error.homeAccountID = parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) }?.homeAccountID
    return error
  }

  /// Returns the error after an enrollment. A check-in timeout counts as success, because the device is enrolled.
  private static func enrollment(_ status: String?) -> MSALError {
    switch status?.lowercased() {
    case "success", "check_in_timed_out":
      MSALError(.mdmEnrollmentCompletedNeedsRetry, "the device is now enrolled; sign in again")
    default: MSALError(.internal, "the device enrollment failed: \(status ?? "no status")")
    }
  }
}
