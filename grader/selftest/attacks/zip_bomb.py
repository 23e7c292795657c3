"""Seventy megabytes of nothing in seventy kilobytes.

family: hand-ins
kind: zip
expect: wrong
"""

import io
import zipfile

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as sent:
        sent.writestr("candidate/tiny.py", ENGINE)
        for number in range(3):
            sent.writestr(f"candidate/zeros_{number}.txt", bytes(24 << 20))
    return body.getvalue()
