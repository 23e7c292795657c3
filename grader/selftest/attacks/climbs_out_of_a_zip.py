"""Names that lead out of the folder it is unpacked to.

family: hand-ins
kind: zip
expect: wrong
"""

import io
import zipfile

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as sent:
        sent.writestr("candidate/tiny.py", ENGINE)
        for name in ("../@MARK@_out.py", "../../../../@TEMP@/@MARK@_out.py", "@TEMP@/@MARK@_out.py",
                     "candidate/../../@MARK@_out.py", "..\\@MARK@_out.py", "C:\\@MARK@_out.py"):
            sent.writestr(name, "x = 1\n")
    return body.getvalue()
