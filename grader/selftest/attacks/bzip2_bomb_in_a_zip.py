"""The same with a packing that the library unpacks whole.

family: hand-ins
kind: zip
expect: refused
"""

import io
import zipfile

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_BZIP2) as sent:
        sent.writestr("candidate/tiny.py", ENGINE)
        sent.writestr("candidate/zeros.txt", bytes(32 << 20))
    return body.getvalue()
