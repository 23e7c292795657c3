"""A header of many digits, which takes the library minutes (CVE-2024-6232).

family: hand-ins
kind: tar
expect: refused
"""

import io
import tarfile


def archive():
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as sent:
        info = tarfile.TarInfo("candidate/tiny.py")
        info.pax_headers = {"comment": "1" * 300_000}
        sent.addfile(info)
    return body.getvalue()
