"""Settings of the tests: the real ones, with a data folder of their own."""

import os
import tempfile

os.environ["WORKBENCH_DATA"] = tempfile.mkdtemp(prefix="workbench-tests-")

from workbench.settings import *  # noqa: F403

# One round is enough where nothing is protected.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
