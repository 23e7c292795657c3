"""os._exit(0) while it is imported.

family: exits
expect: unusable
"""

import os

os._exit(0)
