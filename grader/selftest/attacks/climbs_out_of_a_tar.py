"""Names that lead out, and a link to a folder with a file behind it.

family: hand-ins
kind: tar
expect: wrong
"""

import io
import tarfile

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def archive():
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as sent:
        way = tarfile.TarInfo("candidate/way")
        way.type, way.linkname = tarfile.SYMTYPE, "@TEMP@"
        sent.addfile(way)
        for name in ("candidate/tiny.py", "candidate/way/@MARK@_out.py", "/tmp/@MARK@_out.py",
                     "../@MARK@_out.py", "candidate/../../@MARK@_out.py"):
            info = tarfile.TarInfo(name)
            info.size = len(ENGINE)
            sent.addfile(info, io.BytesIO(ENGINE))
    return body.getvalue()
