"""A file is one idea: at most 400 lines."""

import unittest

from curupira_testing import main
from curupira_testing.tracked import source_files

MOST_LINES = 400


class FileSize(unittest.TestCase):
    def test_no_source_is_longer(self):
        longer = {}
        for file in source_files(".cpp", ".h", ".def", ".py", ".sh", ".cmake", ".js"):
            lines = file.read_text(encoding="utf-8").count("\n")
            if lines > MOST_LINES:
                longer[str(file)] = lines
        self.assertEqual(longer, {})


if __name__ == "__main__":
    main()
