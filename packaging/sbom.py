"""Prints an SBOM of a tarball in SPDX 2.3: Tessera and what a build on this system takes from other projects.

usage: sbom.py TARBALL COMMIT    the tarball is called tessera-VERSION.tar.gz
"""
import datetime
import hashlib
import json
import os
import subprocess
import sys
import tarfile

# Name, licence, package of Debian or, if wheel-tools.txt has it, of PyPI, and how Tessera uses it.
DEPENDENCIES = [
    ("CLI11", "BSD-3-Clause", "libcli11-dev", "compiled into the command"),
    ("Eigen", "MPL-2.0", "libeigen3-dev", "compiled into the libraries"),
    ("fmt", "MIT", "libfmt-dev", "compiled into the libraries and the command"),
    ("nlohmann-json", "MIT", "nlohmann-json3-dev", "compiled into the libraries and the command"),
    ("OpenCL-CLHPP", "Apache-2.0", "opencl-clhpp-headers", "compiled into the libraries"),
    ("OpenCL-Headers", "Apache-2.0", "opencl-c-headers", "compiled into the libraries"),
    ("nanobind", "BSD-3-Clause", "nanobind", "compiled into the wheel"),
    ("xxHash", "BSD-2-Clause", "libxxhash-dev", "compiled into the libraries"),
    ("ocl-icd", "BSD-2-Clause", "ocl-icd-libopencl1", "linked at run time; any OpenCL loader can replace it"),
]


def pinned_versions():
    """The versions that wheel-tools.txt names."""
    with open(os.path.join(os.path.dirname(__file__), "wheel-tools.txt")) as file:
        return dict(line.strip().split("==") for line in file if "==" in line)


def installed_version(package):
    """The upstream version of an installed Debian package, or None."""
    query = subprocess.run(["dpkg-query", "-W", "-f", "${source:Upstream-Version}", package],
                           capture_output=True, text=True)
    return query.stdout.strip() or None if query.returncode == 0 else None


def package(name, licence, version, **others):
    entry = {"SPDXID": "SPDXRef-" + name, "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
             "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    if version is not None:
        entry["versionInfo"] = version
    return entry | others


def main():
    tarball, commit = sys.argv[1:]
    version = os.path.basename(tarball).removeprefix("tessera-").removesuffix(".tar.gz")
    with open(tarball, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with tarfile.open(tarball) as archive:
        made = datetime.datetime.fromtimestamp(archive.getmember(f"tessera-{version}").mtime, datetime.timezone.utc)
    packages = [package("tessera", "Apache-2.0", version, packageFileName=os.path.basename(tarball),
                        checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                        sourceInfo="built from commit " + commit)]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tessera")]
    pinned = pinned_versions()
    for name, licence, source, use in DEPENDENCIES:
        found = pinned.get(source) or installed_version(source)
        registry = "pypi" if source in pinned else "deb/debian"
        reference = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                      "referenceLocator": f"pkg:{registry}/{source}" + (f"@{found}" if found else "")}]
        packages.append(package(name, licence, found, comment=use, externalRefs=reference))
        kind = "DYNAMIC_LINK" if name == "ocl-icd" else "STATIC_LINK"
        relationships.append(("SPDXRef-tessera", kind, "SPDXRef-" + name))
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
               "name": f"tessera-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/tessera-{version}-{commit}",
               "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tessera-sbom.py"]},
               "packages": packages,
               "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                                 for one, kind, other in relationships]}, sys.stdout, indent=2)
    print()


main()
