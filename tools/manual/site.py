"""Makes the manual as pages that a browser shows without a server:

    site.py SOURCES REFERENCE SITE

SOURCES has README.md and docs/, REFERENCE the pages that the build makes. Of a
link to one of these, and of the path of one in `code`, becomes a link to its
page; other files that a page links to are copied. What the search looks through
are the words of each section, in search.js.
"""

import html
import json
import os
import pathlib
import re
import shutil
import sys

import markdown

FOLDERS = (("Manual", ""), ("Reference", "reference"), ("Reasons", "rationale"),
           ("Examples", "examples"))
HEADING = re.compile(r'<h([1-4]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
LINK = re.compile(r'<a href="([^"]+)">(.*?)</a>', re.DOTALL)
IMAGE = re.compile(r'src="([^"]+)"')
CODE = re.compile(r"(?<!<pre>)<code>([\w./*-]+)</code>")

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
<nav>
<input id="words" type="search" placeholder="Search" aria-label="Search">
<ul id="found"></ul>
{pages}
</nav>
<main>
{text}
</main>
</body>
</html>
"""


class Page:
    """One page: `source` is its file, `name` where it is in the site."""

    def __init__(self, source: pathlib.Path, name: str):
        self.source, self.name = source, name
        reader = markdown.Markdown(
            extensions=["tables", "fenced_code", "toc", "sane_lists"])
        text = reader.convert(source.read_text(encoding="utf-8"))
        # In a table, a bar is written behind a backslash, in code as well.
        self.text = re.sub(r"<code>.*?</code>",
                           lambda code: code[0].replace("\\|", "|"), text,
                           flags=re.DOTALL)
        heading = HEADING.search(self.text)
        self.title = plain(heading[3]) if heading else source.stem

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


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", text)).strip()


def find_pages(sources: pathlib.Path, reference: pathlib.Path) -> list:
    pages = [Page(sources / "README.md", "index.html")]
    for root, below in ((sources / "docs", ""), (reference, "reference/")):
        for source in sorted(root.rglob("*.md")):
            name = below + source.relative_to(root).with_suffix(".html").as_posix()
            pages.append(Page(source, name))
    return pages


class Site:
    """All pages, and what their links lead to."""

    def __init__(self, sources, reference, folder):
        self.sources, self.folder = sources, folder
        self.pages = find_pages(sources, reference)
        self.by_source = {page.source.resolve(): page for page in self.pages}
        # As texts call them: a page of the reference is of a build.
        self.by_path = {self.path_of(page): page for page in self.pages}

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
        """The pages, by their folders, as links of one of them."""
        text = f'<p><a href="{page.up()}index.html">Glow</a></p>\n'
        for heading, folder in FOLDERS:
            text += f"<h2>{heading}</h2>\n<ul>\n"
            for other in sorted(self.pages[1:], key=lambda one: one.title.lower()):
                if other.name.rpartition("/")[0].partition("/")[0] != folder:
                    continue
                here = ' class="here"' if other is page else ""
                text += (f'<li{here}><a href="{page.up()}{other.name}">'
                         f"{html.escape(other.title)}</a></li>\n")
            text += "</ul>\n"
        return text

    def write(self) -> None:
        for page in self.pages:
            path = self.folder / page.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                PAGE.format(title=html.escape(page.title), up=page.up(),
                            pages=self.list_of(page), text=self.linked(page)),
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
