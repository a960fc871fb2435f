# SPDX-License-Identifier: MIT
"""wheel.py VERSION LIBRARY FOLDER: writes the Python wheel of the reader into FOLDER and prints its
path.  A wheel is a zip archive with a list of its files (https://packaging.python.org, "Binary
distribution format"); this one holds the binding and the shared library as one package, and the
same inputs give the same bytes."""
import ast
import base64
import hashlib
import io
import os
import pathlib
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: cgctab
Version: {version}
Summary: {summary}
License: MIT
Requires-Python: >=3.8
Description-Content-Type: text/plain

{description}
"""
WHEEL = """Wheel-Version: 1.0
Generator: cgctab {version}
Root-Is-Purelib: false
Tag: {tag}
"""


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def wheel_files(version, library, tag):
    """Names and contents, RECORD last."""
    binding = (HERE / "cgctab.py").read_bytes()
    description = ast.get_docstring(ast.parse(binding))
    info = f"cgctab-{version}.dist-info"
    summary = description.split("\n")[0]
    metadata = METADATA.format(version=version, summary=summary, description=description)
    files = {
        "cgctab/__init__.py": binding,
        f"cgctab/{library.name}": library.read_bytes(),
        "cgctab/py.typed": b"",
        f"{info}/LICENSE": (HERE.parents[1] / "LICENSE").read_bytes(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": WHEEL.format(version=version, tag=tag).encode(),
    }
    record = "".join(record_line(*item) for item in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    return files


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: wheel.py VERSION LIBRARY FOLDER")
    version, library, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in wheel_files(version, library, tag).items():
            entry = zipfile.ZipInfo(name)  # of 1980, whenever it is written
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            z.writestr(entry, content)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"cgctab-{version}-{tag}.whl"
    part = path.with_suffix(".part")
    part.write_bytes(archive.getvalue())
    os.replace(part, path)
    print(path)


if __name__ == "__main__":
    try:
        main()
    except OSError as e:
        sys.exit(f"wheel.py: {e}")
