//! Plain words for what goes wrong with TLS. The library names its errors for those who wrote it.

/// An error has one of these parts; what it stands for; what to do. The first that fits counts.
type Words = (&'static [&'static str], &'static str, &'static str);

const WORDS: &[Words] = &[
    (
        &["CaUsedAsEndEntity"],
        "the server shows the certificate of an authority (CA:TRUE) as its own",
        "make a certificate with CA:FALSE, signed by that authority or by itself (`openssl req -x509 … -addext \
         basicConstraints=critical,CA:FALSE`), and name the signer's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts this one",
    ),
    (
        &["UnsupportedCertVersion"],
        "the certificate is of an old version, which names no host",
        "make a certificate of version 3, with the host as its subjectAltName; for a test, `tls: {insecure: true}` accepts this one",
    ),
    (
        &["UnknownIssuer"],
        "the certificate is signed by an authority that is not trusted",
        "name the authority's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts any certificate",
    ),
    (
        &["not valid for any names"],
        "the certificate names no host",
        "make a certificate with the host as its subjectAltName; its common name does not count",
    ),
    (
        &["not valid for name", "NotValidForName"],
        "the certificate is for another host",
        "use a host of the certificate in the address, or add this one to its subjectAltName",
    ),
    (
        &["certificate expired", "certificate: Expired"],
        "the certificate has expired",
        "renew it, or correct the clock of this machine",
    ),
    (
        &["not valid yet", "NotValidYet"],
        "the certificate is not valid yet",
        "correct the clock of this machine, or wait",
    ),
    (
        &["certificate: Revoked"],
        "the certificate was revoked by its authority",
        "renew it",
    ),
    (
        &["extended key usage", "InvalidPurpose"],
        "the certificate is not for servers",
        "make one whose extended key usage is serverAuth",
    ),
    (
        &["certificate: BadSignature"],
        "the certificate is not signed by the authority that it names",
        "does `tls.ca` hold another authority of the same name?",
    ),
    (
        &["UnsupportedSignatureAlgorithm"],
        "the certificate is signed in a way that is not supported",
        "renew it, with SHA-256 or better",
    ),
    (
        &["certificate: BadEncoding"],
        "the certificate cannot be read",
        "make it anew",
    ),
    (
        &["InvalidContentType"],
        "the server does not seem to speak TLS",
        "should the address begin with http instead of https?",
    ),
    (
        &["CertificateRequired"],
        "the server wants a certificate of its client, and ananke has none",
        "use an address that does without",
    ),
    (
        &["UnrecognisedName"],
        "the server has no certificate for this host",
        "use a host that the server knows in the address",
    ),
    (
        &[
            "HandshakeFailure",
            "ProtocolVersion",
            "peer is incompatible",
        ],
        "the server and ananke have no kind of TLS in common",
        "the server must offer TLS 1.2 or 1.3 with usual ciphers",
    ),
    (
        &["tls handshake eof"],
        "the server ended the connection instead of agreeing on TLS",
        "does it speak TLS on this port?",
    ),
];

/// Says in plain words what is wrong with TLS, the error in parentheses, and what to do; `None` if it is about something
/// else.
pub fn tls_words(why: &str) -> Option<(String, &'static str)> {
    let (_, what, next) = WORDS
        .iter()
        .find(|(parts, ..)| parts.iter().any(|part| why.contains(part)))?;
    let why = match why.split_once("Other(OtherError(") {
        Some((before, name)) => format!("{before}{}", name.replacen("))", "", 1)),
        None => why.to_owned(),
    };
    Some((format!("{what} ({why})"), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_library_get_words() {
        let words = |why: &str| tls_words(why).map(|(what, _)| what);
        assert_eq!(
            words("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))").as_deref(),
            Some(
                "the server shows the certificate of an authority (CA:TRUE) as its own (invalid peer certificate: CaUsedAsEndEntity)"
            )
        );
        for (why, what) in [
            (
                "certificate not valid for name \"h\"; certificate is not valid for any names (…)",
                "names no host",
            ),
            (
                "certificate not valid for name \"h\"; certificate is only valid for DnsName(\"i\")",
                "for another host",
            ),
            (
                "certificate expired: verification time 2 (UNIX), …",
                "has expired",
            ),
            ("certificate not valid yet: …", "not valid yet"),
            ("received fatal alert: ProtocolVersion", "no kind of TLS"),
            (
                "received corrupt message of type InvalidContentType",
                "not seem to speak TLS",
            ),
            ("tls handshake eof", "instead of agreeing"),
        ] {
            assert!(
                words(why).is_some_and(|words| words.contains(what)),
                "{why}"
            );
        }
        assert_eq!(words("Connection refused (os error 111)"), None);
    }
}
