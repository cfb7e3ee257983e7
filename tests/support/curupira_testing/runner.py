"""Runs a test file: skipped tests are seen, and a file that was skipped as a whole exits 77."""

import sys
import unittest

#: What ctest takes for "skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt).
ALL_SKIPPED = 77


class _Counted(unittest.TextTestResult):
    """Knows how many tests ran to an end; unittest's own count changes its meaning between versions."""

    succeeded = 0

    def addSuccess(self, test) -> None:
        super().addSuccess(test)
        self.succeeded += 1


def main() -> None:
    """The last line of a test file. Prints `SKIPPED <test>: <reason>` for each test that did not run."""
    runner = unittest.TextTestRunner(resultclass=_Counted, verbosity=2)
    result = unittest.main(module="__main__", exit=False, testRunner=runner).result
    for test, reason in result.skipped:
        print(f"SKIPPED {test.id().removeprefix('__main__.')}: {reason}")
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(ALL_SKIPPED if result.skipped and result.succeeded == 0 else 0)
