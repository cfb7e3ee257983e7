"""docs/errors.md says what the table of errors says."""

import os
import subprocess
import unittest

from curupira_testing import REPOSITORY, main

PAGE = REPOSITORY / "docs" / "errors.md"


class ErrorDocs(unittest.TestCase):
    maxDiff = None

    def test_page_is_that_of_the_table(self):
        program = os.environ["CURUPIRA_ERROR_DOCS"]
        page = subprocess.run([program], capture_output=True, text=True, encoding="utf-8", timeout=60, check=True).stdout
        self.assertEqual(
            PAGE.read_text(encoding="utf-8"),
            page,
            "base/error_codes.def has changed; from the repository's folder: build/<preset>/tests/error_docs > docs/errors.md",
        )


if __name__ == "__main__":
    main()
