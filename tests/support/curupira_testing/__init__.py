"""What the Python tests share: homes, the program under test, real servers, packages and hostile input.

The standard library only. A test file is a unittest module that ends with `curupira_testing.main()`.
"""

from . import skip
from .home import TempHome
from .paths import FIXTURES, REPOSITORY, TOOLS
from .program import Program
from .runner import main

__all__ = ["FIXTURES", "Program", "REPOSITORY", "TOOLS", "TempHome", "main", "skip"]
