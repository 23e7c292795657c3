"""Three hundred megabytes in three hundred kilobytes, before the engine.

family: hand-ins
kind: tar
expect: refused
"""

import gzip
import io
import tarfile

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def archive():
    zeros = tarfile.TarInfo("zeros.bin")
    zeros.size = 300 << 20
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as sent:
        info = tarfile.TarInfo("candidate/tiny.py")
        info.size = len(ENGINE)
        sent.addfile(info, io.BytesIO(ENGINE))
    sixteen = gzip.compress(bytes(16 << 20), 1)
    return gzip.compress(zeros.tobuf()) + sixteen * 18 + gzip.compress(bytes(12 << 20)) + gzip.compress(body.getvalue())
