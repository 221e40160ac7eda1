/// The two RSA key pairs that the emulator signs with where the directory gives none, and the P-256 key for ES256.
///
/// They are worthless by intent: all private halves stand here for everybody to read, so a token that they sign proves
/// nothing to anybody but a test. In exchange nothing is generated at the start, and every run gives the same trace.
enum BuiltInTestKeys {
  struct Pair: Sendable {
    /// PKCS#8.
    let privateKeyPEM: String
    /// The self-signed certificate that the key set shows as `x5c`, base64 DER.
    let certificate: String
    /// base64url of the certificate's SHA-1, as the platform names its keys.
    let keyID: String
  }

  static let pairs = [first, second]

  /// The secret half of the P-256 key: no number that anybody would choose for a key that matters.
  static let elliptic = Array("worthless P-256 key: authflow em".utf8)

  private static let first = Pair(
    privateKeyPEM: """
      -----BEGIN PRIVATE KEY-----
      MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDHbLvo/Qw/HM0l
      0kZgON5n84cPcGvuw1KrPz66sJtSavekZTNZolvNJEyJ1MM2J/k6eyYLlhwLRDo3
      gEa7JcLduO/4fAQmxjK8LLWZiiDeurVtvrgS9CVRgnr5IqV4PtzvXkQ9p13Rj1Mk
      8PUX0YSOtNw3J5L9cxX5HS6VEuJLRMWrjgVrFQZaJyvQCDVXuIjFw65dWjqa4tEi
      FSECuB5rJB6PT1Ck2LOVvFI6Lbe+JO5Hr2/r4G9veK50+9dxJ3c2r2LPiNfxhw0s
      wuBLnXz8aXqqTWh92hyh0Vglx6BTpJw4z9W/2bp7xUVfCoPK2+mhByaFQMbWPHiU
      Od6Q0QjrAgMBAAECggEAO34NpNjwsVdHQBQ12Hi+qKY20X1JRaZRYDLy5MDQ5Upx
      7EIgionr9wvwJWIqhlpweGjKlcRHQ3ksIOiMsUH3myuTsz5UArk343k3B8H0Ql3S
      yBWQVl8tTt6tDuuuD2w5ftNRak8mpuCp/ihABcYEVIpR88ZDjIartHBnOCO1DJzE
      14FC7s/+mu24NaNCLsKc2n1jLrMLY6e+72sZ9E2n1M6cylP2sY8GDIBX9VhOMQ6Y
      50Qo4u+T9x1u1tkolemY/8qxwuTc1kr2n0yXzh3Cz3KGLUH9x2Y7UDqeH8ff0LY0
      t4K/xfhqDKklysthEBJPp0sruie3J3tznSYdlX6U2QKBgQD+OLvdAGfwvJttOKLj
      l8ZBnohlqOGEm1v0VOWm7kbNKP49eXh6dtWO/yt1ot2iv8An5aXRgZHgbgwxSouR
      dc+CpK5IWIJsAXr10IFRk0hBFBmJZy+mspoLE6OeOPkf6pJo9gK+AhdjO2soGmtA
      v2toEdRUwLFub2FRSkyUyPoAHQKBgQDI0d5eakweQiisfaj3D49zJcnAJZ0LplDe
      Th8GprvElXw2hjBH/E+yAlZMqpVrq8YGN8GgUAjIPkd/xI3zogpV5INrmbqfzQKq
      KpnZRIx6d7ndSJ0OVgvNHs1jrtiW2IbPNrWV2lPknN8QgJBjlyJQBFo7YSG3+NUr
      FAJwPiDupwKBgQD5d0TqxvY4Z2yCDnzRp+NWCzK/x6ydyzK+Hf1KBTKXKq3qN2QB
      kNFaRI4qHsstZMs0m4dPgr1apcLzL7qr4BbklaOsvKYnRICb7aKpIUVbD1VL32UE
      SOkfC4OYxUG6jx5jP15LhJPcvbcWoG41GGJWuoBJNtomi8fM1IM30cx6BQKBgQCa
      L3h6KUcUHFu6RCjMuCe9kw/Z9YckgKeqZ3Su2KlmABgEjPbY7kIKPH0iE/7xUkuS
      TpDdk1WK2TZwROtwWcNxuyekH74IH5GiMV86T8VD6lTML4pWjX42GSY9GOu2tbyb
      sDevPJgY+NDTjMJPlKSFpzHYUXVgGS8iChTtNOZ4FQKBgHSRG2n1ciXryCQ+RL0q
      RogLH+aED4KbV7o8W1i3oVAT/zIAq2UN2Dt3gfnFMvpr58X5rN3rN9Kp5hrwNkrj
      PDHl9Kfgv0ngoBwOY6fofGYQiESlF06yU8KcEiTwxAREB4sNr1OBLUBS8iCrk31w
      fsNMfJblERm1AOnJ+JQz1U3m
      -----END PRIVATE KEY-----
      """,
    certificate: """
      MIIDZzCCAk+gAwIBAgIUOEmU69DX83zuaklEzoAVjDHF/bwwDQYJKoZIhvcNAQELBQAwQjFAMD4GA1UEAww3V29ydGhsZXNzIHB1\
      YmxpYyBzaWduaW5nIGtleSAxIG9mIHRoZSBhdXRoZmxvdyBlbXVsYXRvcjAgFw0yNjExMjExMjM5MThaGA8yMTI2MTAyODEyMzkx\
      OFowQjFAMD4GA1UEAww3V29ydGhsZXNzIHB1YmxpYyBzaWduaW5nIGtleSAxIG9mIHRoZSBhdXRoZmxvdyBlbXVsYXRvcjCCASIw\
      DQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAMdsu+j9DD8czSXSRmA43mfzhw9wa+7DUqs/Prqwm1Jq96RlM1miW80kTInUwzYn\
      +Tp7JguWHAtEOjeARrslwt247/h8BCbGMrwstZmKIN66tW2+uBL0JVGCevkipXg+3O9eRD2nXdGPUyTw9RfRhI603Dcnkv1zFfkd\
      LpUS4ktExauOBWsVBlonK9AINVe4iMXDrl1aOpri0SIVIQK4HmskHo9PUKTYs5W8Ujott74k7kevb+vgb294rnT713EndzavYs+I\
      1/GHDSzC4EudfPxpeqpNaH3aHKHRWCXHoFOknDjP1b/ZunvFRV8Kg8rb6aEHJoVAxtY8eJQ53pDRCOsCAwEAAaNTMFEwHQYDVR0O\
      BBYEFG7qAGFdEIfRT00N4y7zpOSZ6MdIMB8GA1UdIwQYMBaAFG7qAGFdEIfRT00N4y7zpOSZ6MdIMA8GA1UdEwEB/wQFMAMBAf8w\
      DQYJKoZIhvcNAQELBQADggEBAHVbNIu7yuOyQnfeE3339/17QbG5OClQ2LGOXXLEzpj2txrW1oPG8EuQf01+MaoRnx/b1GQgXZ7l\
      5XFkZ2agw1GunzUbkdfwE2wVR4+msbZwXEG6hAUNxlKW5rdGakHA83Q7S/23AVeLSeUdfYhFGPhJdifDgeLCJEr68WQBOO5U7V2G\
      oFkheN0VTFvcQltDAe8Ytz3LpIo+Vb1dzEK9UFOLX0WwUZHmvmApwjdksEhZqOVunOfbVoas7d1tfi1tVsiA1zBvGDtbF0KyTMJB\
      d4bbO1BvGqt8f31mzgIbX7vKvoTsWo00611yPOl0hav4Eu/Z4Swzk4InYAnVN5wgUaM=
      """,
    keyID: "DMiNwsV3hPcvbHADYkbhNWtV4jo")

  private static let second = Pair(
    privateKeyPEM: """
      -----BEGIN PRIVATE KEY-----
      MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC7yNMrZ9C2FLwl
      4BJqHL07oI3uax9R943EnTcfcTukHOEpkeuJ/vZhh3dRFTOwIxxwOUiMJm1xj46v
      5M+qqQQLGq8XQMtnxGILj63cGw7GZt6CcTcNRy9707gscGP3dj95XtSkxyw1t5aD
      tXWfE+kFqTJy6NJa4KFYphnIOc2tK1Xtx5qDfBfVPWR99SJAVvm1foB0jwPg/4tH
      fRW4Zg29bPXfGc9hToIyw4Dqd1gNL5TEnVtjGcaU4Mvpw1td6EZn/zX6BXwAEglD
      WYncW9uH74PBP0KONIIIsSuzzdXZAXV0eJpCP7TO0OoGxxJrognL8XL6zF0DNKfD
      2nV3EnjTAgMBAAECggEASXDmXaBxePStDOcQbJ2myI4nVCpjCmyV7mJKL6raV3nP
      +bEO/F5Rv5z6ZiSznVxt/9n3bJCO1w39EP+c1DLb2PfrqF1377JXYgwkQ+P1KFUN
      Ctj6XeAMSxJngkHGZv7BHlefNH6M5MlTPVmXkcp4pPUiPNyfgFk/4Oq9RJiOvv16
      ps3Zss01mXEZa7hiQBr694a8+ZHmJZgET5DBiPI1einFJ9WepikTYSGHNPv+BMeZ
      +3tV0uEPqkRtLbFZ3KzzSxy2PE52Cq1GoNQypQiyBSsllaloMR3L0z2cFhK0cUb8
      YckQJgaakEr+jSdFj6m3U/2GRIjleEapUhMDpca0uQKBgQDviHXoEcfiWxUKm/Mm
      Y6xzHgsKCbjAQJSStLrwl/S2dAdLnI9jPLdW4gJZRug9VqmlXVQhObMU33LTI07G
      21yp4a81Va9VvqGfJwXtjhu9tuiSr7vjqMbewZY+zrZtCcpMzwsvdKvsLt9iO0Op
      dZAY9RPj7xRQUxWNk/nrU7rxPQKBgQDIsaRFo68w4t+zUPw9t6N+WLW/TlUu7UDQ
      IF3BbjDvSfbGsw6Eg/9q5XmwIOUuGg5zxbfwqJkoWgygDSypYmf5kkSaU14bN7Ut
      nOSFNhinWfCNHxEcSqfjSjUCsREIL8Y1fjDC5T241b4k7FhnqdbxO1XUnvWBThbB
      pZnobQyTTwKBgQCqjqct9KM4SRSldj/fYO+lFIpVvnBf7FweTjQiJoEn/VxIeZUb
      21rMsadsfHHXY0LurZK/Cb+7KBQxxR1NuVq02C8Ssg1j55ZbpcSxzxNvtbLK5/jI
      dSAN8xgRZs08vNDgejiDtPbJ+OI0pvBZ1I0jSDa+gTkcrNxW8DvvVbJyHQKBgQDF
      IrGA8lrpA0HHivpqyVLgjdThONm1wbkTd2eA1HNe6WFtJn9RLbOb1hMlLfrQwSmH
      ESUwUPw4xdN299nx/EazwLiAevmKdLsUNfPG4i9vW4pNpMGS78ZgHglaPoHDb+Ib
      s3vERZfOUq526G2iThNjW+xgcVAoloMF7lvzEgLzQwKBgHuOjQmLGqUzn2XFkynj
      TDng9KheHyn5FwJtUjfGMed/MeoCDM3xiSfl8Q8+uHl/ZDUEuNfIN07VU2TDrSZF
      oK7ltrHZr/EZcr6b0JitmSzYT5stPOhZKnmxkQbkUAAeix4QS2xbRZatHjtGuU8e
      8uwBhmhQOCo2aBOE7cWlS4tl
      -----END PRIVATE KEY-----
      """,
    certificate: """
      MIIDZzCCAk+gAwIBAgIUNT5kQbWOqm3wX6CtBdgJEpacX00wDQYJKoZIhvcNAQELBQAwQjFAMD4GA1UEAww3V29ydGhsZXNzIHB1\
      YmxpYyBzaWduaW5nIGtleSAyIG9mIHRoZSBhdXRoZmxvdyBlbXVsYXRvcjAgFw0yNjExMjExMjM5MThaGA8yMTI2MTAyODEyMzkx\
      OFowQjFAMD4GA1UEAww3V29ydGhsZXNzIHB1YmxpYyBzaWduaW5nIGtleSAyIG9mIHRoZSBhdXRoZmxvdyBlbXVsYXRvcjCCASIw\
      DQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALvI0ytn0LYUvCXgEmocvTugje5rH1H3jcSdNx9xO6Qc4SmR64n+9mGHd1EVM7Aj\
      HHA5SIwmbXGPjq/kz6qpBAsarxdAy2fEYguPrdwbDsZm3oJxNw1HL3vTuCxwY/d2P3le1KTHLDW3loO1dZ8T6QWpMnLo0lrgoVim\
      Gcg5za0rVe3HmoN8F9U9ZH31IkBW+bV+gHSPA+D/i0d9FbhmDb1s9d8Zz2FOgjLDgOp3WA0vlMSdW2MZxpTgy+nDW13oRmf/NfoF\
      fAASCUNZidxb24fvg8E/Qo40ggixK7PN1dkBdXR4mkI/tM7Q6gbHEmuiCcvxcvrMXQM0p8PadXcSeNMCAwEAAaNTMFEwHQYDVR0O\
      BBYEFL3VFs23tylRCSOof1sj+lOogcp/MB8GA1UdIwQYMBaAFL3VFs23tylRCSOof1sj+lOogcp/MA8GA1UdEwEB/wQFMAMBAf8w\
      DQYJKoZIhvcNAQELBQADggEBAGrCDED0pR2K14+FDW6ogpiORaJyyVAAR4uRIEaFRo1a4DfIis6OxdyM0KH/gI8bHgFwX5w6dk/O\
      QkkVypIF6i7lLp0EqC8DdZum2fkxXepwmPyMYzZtARxcdtq+aUAMQD4V0yoFvEwOTiWcG5cVKjN1pW8bzgiwRfER8lqJytDFcCqo\
      7EqQRmC224EIDTHuR2fafBGKiV6UZGndNgbC9bjwVtpmYLNcerk9R45VK88V7asiCsXdc3twOxT6mgkqDpsjhQWb14m36ZTMjkv3\
      GCreujz2cCO/Sw9SzajPsoUHnHvVSNwSKyM2C8zd3kw3Ob2tb9ygQT7FagUs54TFItU=
      """,
    keyID: "VDsh5gF-1t9cuJa7euGpsbgleQM")
}
