"""Devices, pipes and links, which must not be made and must not be opened.

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
        for number, kind in enumerate((tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.LNKTYPE)):
            odd = tarfile.TarInfo(f"candidate/odd_{number}.py")
            odd.type, odd.linkname, odd.devmajor, odd.devminor = kind, "/etc/passwd", 1, 5
            sent.addfile(odd)
        info = tarfile.TarInfo("candidate/tiny.py")
        info.size = len(ENGINE)
        sent.addfile(info, io.BytesIO(ENGINE))
    return body.getvalue()
