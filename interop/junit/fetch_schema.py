"""Puts junit-10.xsd, the schema of Jenkins' xUnit plugin, where the first argument says.

The source package of pytest ships the schema (MIT licence), since pytest's own reports are tested against it.
"""

import hashlib
import pathlib
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "pytest"
VERSION = "8.4.2"
MEMBER = f"{PACKAGE}-{VERSION}/testing/example_scripts/junit-10.xsd"
SHA256 = "a1a816f58d1bf95ebabf371994df0b9246dee66ea9572fbec4f9296f1b2c0ff6"


def main() -> None:
    target = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        # pip knows the mirror and the proxy of this machine.
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
        options = ["download", "--no-deps", "--no-binary", PACKAGE, "--dest", folder]
        subprocess.run([*pip, *options, f"{PACKAGE}=={VERSION}"], check=True)
        archive = pathlib.Path(folder, f"{PACKAGE}-{VERSION}.tar.gz")
        with tarfile.open(archive) as members:
            schema = members.extractfile(MEMBER).read()
    found = hashlib.sha256(schema).hexdigest()
    if found != SHA256:
        sys.exit(f"{MEMBER} has the SHA-256 {found}, expected {SHA256}")
    target.write_bytes(schema)


main()
