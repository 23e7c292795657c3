"""Links to somebody's files, in a zip.

family: hand-ins
kind: zip
expect: wrong raised
"""

import io
import zipfile

ENGINE = b"""
def autograd(request):
    with open(__file__.replace("tiny.py", "diary.py")) as diary:
        diary.read()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
"""

def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as sent:
        sent.writestr("candidate/tiny.py", ENGINE)
        link = zipfile.ZipInfo("candidate/diary.py")
        link.external_attr = 0o120777 << 16
        sent.writestr(link, "@HOME@/diary.txt")
    return body.getvalue()
