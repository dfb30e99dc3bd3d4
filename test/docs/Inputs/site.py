"""Checks how the manual in HTML is read: site.py SOURCES SITE

The links to the next page lead from the first page through all of them, and back. Pages list
their sections. Operators have an index, in place of one page, and no page is too large for a
phone.
"""

import pathlib
import re

import report

NEIGHBOUR = re.compile(r'<a rel="(prev|next)" href="([^"]+)">')
SECTION = re.compile(r'<h[23] id="([^"]+)">')
LISTED = re.compile(r'<li class="level[23]"><a href="#([^"]+)">')
# Text and tables of a page; most phones load that in a moment.
MOST_BYTES = 130_000


def neighbours(site: pathlib.Path, page: pathlib.Path) -> dict:
    return {relation: (page.parent / link).resolve()
            for relation, link in NEIGHBOUR.findall(page.read_text())}


def order_from(site: pathlib.Path, first: pathlib.Path):
    """The pages by their links to the next one, and the mistakes on the way."""
    seen, wrong, page = [], [], first.resolve()
    while page and page not in seen:
        seen.append(page)
        following = neighbours(site, page).get("next")
        if following and neighbours(site, following).get("prev") != page:
            wrong.append(f"{following.name}: the page before is not {page.name}")
        page = following
    return seen, wrong


def mistakes(sources: pathlib.Path, site: pathlib.Path):
    pages = {page.resolve() for page in site.rglob("*.html")}
    order, wrong = order_from(site, site / "index.html")
    yield from wrong
    for index in ("Operators", "Instructions"):
        path = site / f"reference/{index}.html"
        families = {page.resolve() for page in (site / "reference" / index.lower()).glob("*.html")}
        if len(families) < 10:
            yield f"{path}: has no pages of families"
        for page in families:
            if f'/reference/{index}.html"' not in page.read_text():
                yield f"{page}: does not lead to its index"
        pages -= families
    for page in sorted(pages - set(order)):
        yield f"{page}: no page leads to it as the next one"
    listed = (sources / "docs/Contents.md").read_text()
    if order[:3] != [(site / name).resolve() for name in
                     ("index.html", "Contents.html", "Guide.html")]:
        yield f"the order begins with {order[:3]}"
    for page in (sources / "docs").glob("*.md"):
        if page.name != "Contents.md" and f"({page.name})" not in listed:
            yield f"docs/Contents.md: does not list {page.name}"
    for page in site.rglob("*.html"):
        text = page.read_text()
        sections = SECTION.findall(re.sub(r'<nav id="pages">.*?</nav>', "", text, flags=re.DOTALL))
        if len(sections) > 1 and LISTED.findall(text) != sections:
            yield f"{page}: lists the sections {LISTED.findall(text)}, and has {sections}"
        if 'name="viewport"' not in text or '<label for="menu">' not in text:
            yield f"{page}: is not laid out for a phone"
        if len(text) > MOST_BYTES:
            yield f"{page}: has {len(text)} bytes, it should have at most {MOST_BYTES}"


if __name__ == "__main__":
    report.main(mistakes)
