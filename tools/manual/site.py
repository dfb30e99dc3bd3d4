# SPDX-License-Identifier: MIT
"""Makes the manual as pages that a browser shows without a server:

    site.py SOURCES REFERENCE SITE

SOURCES has README.md and docs/, REFERENCE the pages that the build makes. A
link to one of these, and the path of one in `code`, become a link to its page; other files that a page links to are copied. What the search looks through
are the words of each section, in search.js.

docs/Contents.md is the order of the pages: its headings are those of the list
beside each page. A page of the reference with many entries becomes an index, and
a page for each of its families.
"""

import html
import json
import os
import pathlib
import re
import shutil
import sys

import markdown

# Behind the pages that docs/Contents.md lists: headings, and folders of the site.
FOLDERS = (("Reference", "reference"), ("Reasons", "rationale"), ("Examples", "examples"),
           ("Models", "models"))
HEADING = re.compile(r'<h([1-4]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
LINK = re.compile(r'<a href="([^"]+)">(.*?)</a>', re.DOTALL)
IMAGE = re.compile(r'src="([^"]+)"')
CODE = re.compile(r"(?<!<pre>)<code>([\w./*-]+)</code>")
CONTENTS = re.compile(r"^## (.+)$|^\* \[[^]]+\]\(([^)]+)\)", re.MULTILINE)
# Entries are headings of the third level that are code, below those of families.
ENTRY = re.compile(r'<h3 id="([^"]+)"><code>([^<]+)</code></h3>\s*<p>(.*?)</p>', re.DOTALL)
FAMILY = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
MANY_ENTRIES = 60

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - Glow</title>
<link rel="stylesheet" href="{up}manual.css">
<script src="{up}search.js" defer></script>
<script src="{up}manual.js" defer></script>
</head>
<body data-up="{up}">
<input id="menu" type="checkbox" aria-label="Show the list of pages">
<label for="menu">Pages and search</label>
<nav id="pages">
<input id="words" type="search" placeholder="Search" aria-label="Search">
<ul id="found"></ul>
{pages}
</nav>
{sections}
<main>
{text}
{neighbours}
</main>
</body>
</html>
"""


class Page:
    """One page: `source` is its file, `name` where it is in the site. A page that is
    `within` another one is not in the list of pages."""

    def __init__(self, source: pathlib.Path, name: str):
        self.source, self.name, self.within = source, name, None
        reader = markdown.Markdown(
            extensions=["tables", "fenced_code", "toc", "sane_lists"])
        text = reader.convert(source.read_text(encoding="utf-8"))
        # In a table, a bar is written behind a backslash, in code as well.
        self.text = re.sub(r"<code>.*?</code>",
                           lambda code: code[0].replace("\\|", "|"), text,
                           flags=re.DOTALL)
        heading = HEADING.search(self.text)
        self.title = plain(heading[3]) if heading else source.stem

    def part(self, title: str, name: str, text: str) -> "Page":
        """A page with a piece of this one."""
        page = object.__new__(Page)
        page.source, page.name, page.within = self.source, name, self
        page.title, page.text = title, text
        return page

    def up(self) -> str:
        return "../" * self.name.count("/")

    def sections(self):
        """Address, heading and words of each section."""
        starts = list(HEADING.finditer(self.text))
        ends = [start.start() for start in starts[1:]] + [None]
        for start, end in zip(starts, ends):
            words = re.findall(r"\w[\w.-]*\w|\w", plain(self.text[start.end():end]))
            yield [f"{self.name}#{start[2]}", plain(start[3]), self.title,
                   " ".join(sorted({word.lower() for word in words}))]


def split(page: Page) -> list:
    """A page with many entries as an index of them and a page for each family; any
    other page as it is. Places of the page stay places of its index."""
    if len(ENTRY.findall(page.text)) < MANY_ENTRIES:
        return [page]
    starts = list(FAMILY.finditer(page.text))
    folder = page.name.removesuffix(".html").lower()
    parts, rows = [], []
    for start, end in zip(starts, [one.start() for one in starts[1:]] + [None]):
        family = plain(start[2])
        text = page.text[start.start():end]
        name = f"{folder}/{start[1]}.html"
        parts.append(page.part(f"{page.title}: {family}", name,
                               re.sub(r"<(/?)h2", r"<\1h1", text)))
        rows.append(f'<h2 id="{start[1]}"><a href="{page.up()}{name}">{family}</a></h2>\n'
                    "<table>\n" + "\n".join(
                        f'<tr id="{place}"><td><a href="{page.up()}{name}#{place}">'
                        f"<code>{entry}</code></a></td><td>{about}</td></tr>"
                        for place, entry, about in ENTRY.findall(text)) + "\n</table>")
    page.text = page.text[:starts[0].start()] + "\n".join(rows)
    return [page, *parts]


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", text)).strip()


def find_pages(sources: pathlib.Path, reference: pathlib.Path) -> list:
    pages = [Page(sources / "README.md", "index.html")]
    for root, below in ((sources / "docs", ""), (reference, "reference/")):
        for source in sorted(root.rglob("*.md")):
            name = below + source.relative_to(root).with_suffix(".html").as_posix()
            pages += split(Page(source, name))
    return pages


def grouped(pages: list, contents: str) -> list:
    """Headings of the list of pages, each with its pages, in the order of reading."""
    by_name = {page.name: page for page in pages if not page.within}
    groups = [["Glow", [by_name.pop("index.html"), by_name.pop("Contents.html")]]]
    for heading, link in CONTENTS.findall(contents):
        if heading:
            groups.append([heading, []])
        else:
            groups[-1][1].append(by_name.pop(link.replace(".md", ".html")))
    for heading, folder in FOLDERS:
        own = [page for name, page in by_name.items() if name.partition("/")[0] == folder]
        for page in own:
            del by_name[page.name]
        groups.append([heading, sorted(own, key=lambda page: page.title.lower())])
    if by_name:
        sys.exit(f"docs/Contents.md does not list {', '.join(sorted(by_name))}")
    return [group for group in groups if group[1]]


def sections_of(page: Page) -> str:
    """The table of contents of a page; none where it has one section."""
    found = [heading for heading in HEADING.finditer(page.text)
             if heading[1] in ("2", "3")]
    if len(found) < 2:
        return ""
    rows = "\n".join(f'<li class="level{level}"><a href="#{place}">'
                     f"{html.escape(plain(text))}</a></li>"
                     for level, place, text in (one.groups() for one in found))
    return ('<details class="sections" open><summary>On this page</summary>\n'
            f"<ul>\n{rows}\n</ul></details>")


class Site:
    """All pages, and what their links lead to."""

    def __init__(self, sources, reference, folder):
        self.sources, self.folder = sources, folder
        self.pages = find_pages(sources, reference)
        contents = (sources / "docs/Contents.md").read_text(encoding="utf-8")
        self.groups = grouped(self.pages, contents)
        whole = [page for page in self.pages if not page.within]
        self.by_source = {page.source.resolve(): page for page in whole}
        # As texts call them: a page of the reference is of a build.
        self.by_path = {self.path_of(page): page for page in whole}

    def path_of(self, page: Page) -> str:
        if page.name.startswith("reference/"):
            return "build/docs/" + page.name.replace(".html", ".md")
        return page.source.relative_to(self.sources).as_posix()

    def address(self, page: Page, link: str) -> str:
        """What stands for a link of a page, whose file is copied if it is no page;
        "" where the site has nothing of that."""
        path, mark, anchor = link.partition("#")
        if not path or ":" in path:
            return link
        target = (page.source.parent / path).resolve()
        if target in self.by_source:
            return page.up() + self.by_source[target].name + mark + anchor
        docs = (self.sources / "docs").resolve()
        if not target.is_file() or not target.is_relative_to(docs):
            return ""
        inside = target.relative_to(docs)
        (self.folder / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, self.folder / inside)
        return page.up() + inside.as_posix() + mark + anchor

    def linked(self, page: Page) -> str:
        """The text of a page with the links of the site."""
        text = IMAGE.sub(
            lambda image: f'src="{self.address(page, image[1])}"', page.text)

        def link(anchor):
            address = self.address(page, anchor[1])
            return f'<a href="{address}">{anchor[2]}</a>' if address else anchor[2]

        text = LINK.sub(link, text)

        def name(code):
            other = self.by_path.get(code[1])
            if not other or other is page:
                return code[0]
            return f'<a href="{page.up()}{other.name}">{code[0]}</a>'

        return CODE.sub(name, text)

    def list_of(self, page: Page) -> str:
        """The pages, by their headings, as links of one of them."""
        text = ""
        for heading, pages in self.groups:
            text += f"<h2>{html.escape(heading)}</h2>\n<ul>\n"
            for other in pages:
                here = ' class="here"' if other in (page, page.within) else ""
                text += (f'<li{here}><a href="{page.up()}{other.name}">'
                         f"{html.escape(other.title)}</a></li>\n")
            text += "</ul>\n"
        return text

    def order_of(self, page: Page) -> list:
        """The pages in the order of reading that a page is one of."""
        if page.within:
            return [page.within] + [other for other in self.pages
                                    if other.within is page.within]
        return [other for _, pages in self.groups for other in pages]

    def neighbours(self, page: Page) -> str:
        order = self.order_of(page)
        at = order.index(page)
        links = []
        for step, relation, label in ((-1, "prev", "Previous"), (1, "next", "Next")):
            if 0 <= at + step < len(order):
                other = order[at + step]
                links.append(f'<a rel="{relation}" href="{page.up()}{other.name}">'
                             f"<small>{label}</small> {html.escape(other.title)}</a>")
        return f'<nav class="neighbours">{"".join(links)}</nav>'

    def write(self) -> None:
        for page in self.pages:
            path = self.folder / page.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                PAGE.format(title=html.escape(page.title), up=page.up(),
                            pages=self.list_of(page), text=self.linked(page),
                            neighbours=self.neighbours(page),
                            sections=sections_of(page)),
                encoding="utf-8")
        index = [section for page in self.pages for section in page.sections()]
        (self.folder / "search.js").write_text(
            "const sections = " + json.dumps(index, separators=(",", ":")) + ";\n",
            encoding="utf-8")


def main() -> None:
    sources, reference, folder = (pathlib.Path(path) for path in sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    Site(sources, reference, folder).write()
    for own in ("manual.css", "manual.js"):
        shutil.copyfile(pathlib.Path(__file__).parent / own, folder / own)


if __name__ == "__main__":
    main()
