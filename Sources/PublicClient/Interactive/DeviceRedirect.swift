import IdentityPlatform
import OAuth

/// Redirects that tell an app with a broker, or a managed device, to do something. Without a broker they are errors, except
/// that MSAL starts the sign-in again after an enrollment.
enum DeviceRedirect {
  static func error(for url: String) -> MSALError? {
    let reference = URLReference(url)
    var parameters: Parameters { reference.parameters }
    if let registration = registration(reference) { return error(for: registration, parameters) }
    switch (reference.scheme?.lowercased(), reference.host) {
    case ("msauth", "in_app_enrollment_complete"): return enrollment(parameters["status"])
    case ("browser", let host):
      return MSALError(
        .userCancel, "the page asks to go on in a browser, at https://\(host ?? "")\(reference.path)")
    default: return nil
    }
  }

  /// Whether the redirect reports that the device is enrolled.
  static func completesEnrollment(_ url: String) -> Bool {
    error(for: url)?.internalCode == MSALErrorCode.mdmEnrollmentCompletedNeedsRetry.rawValue
  }

  // MARK: Registration of the device

  private enum Registration: String {
    case join = "wpj"
    case upgrade = "upgradereg"
  }

  /// An embedded web view receives `msauth://wpj`, a system web view the redirect URI followed by `/msauth/wpj`.
  private static func registration(_ url: URLReference) -> Registration? {
    if url.scheme?.lowercased() == "msauth", let found = url.host.flatMap({ Registration(rawValue: $0) }) {
      return found
    }
    switch url.path.split(separator: "/").suffix(2).map(String.init) {
    case ["msauth", "wpj"]: return .join
    case ["msauth", "upgradeReg"]: return .upgrade
    default: return nil
    }
  }

  /// The device must be registered, or its registration upgraded, or an app installed first that does it. MSAL reports the
  /// first two only if the redirect names the user.
  private static func error(for registration: Registration, _ parameters: Parameters) -> MSALError {
    var error: MSALError
    if let link = parameters["app_link"], !link.isBlank {
      error = MSALError(.brokerNotAvailable, "the page asks to install a broker app first: \(link)")
    } else if parameters["username"]?.isBlank ?? true {
      return MSALError(.internal, "the redirect names neither a user nor a broker app to install")
    } else {
      error =
        switch registration {
        case .join: MSALError(.workplaceJoinRequired, "the device must be registered with the organization")
        case .upgrade: MSALError(.insufficientDeviceStrength, "the device's registration must be upgraded")
        }
    }
    error.displayableUserID = parameters["username"]
    error.homeAccountID = parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) }?.homeAccountID
    return error
  }

  /// A check-in that took too long counts as success: the device is enrolled.
  private static func enrollment(_ status: String?) -> MSALError {
    switch status?.lowercased() {
    case "success", "check_in_timed_out":
      MSALError(.mdmEnrollmentCompletedNeedsRetry, "the device was enrolled again; sign in once more")
    default: MSALError(.internal, "the device was not enrolled: \(status ?? "no status was given")")
    }
  }
}
