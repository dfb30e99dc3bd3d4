# SPDX-License-Identifier: MIT
from typing import Any, Dict, Mapping, Tuple, Union

import numpy

def run(plan: Tuple[Any, ...], feed: Mapping[str, Any]) -> Union[
    Dict[str, numpy.ndarray], int, None]: ...
