"""Runs a test file: skipped tests are seen, and a file that was skipped as a whole exits 77."""

import sys
import unittest

#: What ctest takes for "skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt).
ALL_SKIPPED = 77


def main() -> None:
    """The last line of a test file. Prints `SKIPPED <test>: <reason>` for each test that did not run."""
    program = unittest.main(module="__main__", exit=False, verbosity=2)
    result = program.result
    for test, reason in result.skipped:
        print(f"SKIPPED {test.id() if hasattr(test, 'id') else test}: {reason}")
    if not result.wasSuccessful():
        sys.exit(1)
    # A class that is skipped in setUpClass counts as one skipped test and as none that ran.
    all_skipped = bool(result.skipped) and result.testsRun <= len(result.skipped)
    sys.exit(ALL_SKIPPED if all_skipped else 0)
