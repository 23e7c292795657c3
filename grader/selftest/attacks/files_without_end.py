"""Twenty thousand files and one.

family: hand-ins
kind: zip
expect: refused
"""

import io
import zipfile


def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as sent:
        for number in range(20_001):
            sent.writestr(f"candidate/{number}.py", b"")
    return body.getvalue()
