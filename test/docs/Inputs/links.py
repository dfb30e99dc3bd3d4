"""Checks the manual in HTML: links.py SITE

Every link leads to a file of the site, and to a place that is there.
"""

import pathlib
import re

import report

LINK = re.compile(r'(?:href|src)="([^"]+)"')
PLACE = re.compile(r'id="([^"]+)"')


def mistakes(site: pathlib.Path):
    places = {page: set(PLACE.findall(page.read_text()))
              for page in site.rglob("*.html")}
    for page in places:
        for link in LINK.findall(page.read_text()):
            path, _, anchor = link.partition("#")
            if ":" in path:
                continue
            target = (page.parent / path).resolve() if path else page
            if not target.is_file():
                yield f"{page.relative_to(site)}: there is no {link}"
            elif anchor and anchor not in places.get(target, ()):
                yield f"{page.relative_to(site)}: {link} is no place of that page"


if __name__ == "__main__":
    report.main(mistakes)
