"""check_links.py SITE: every link within the site leads to a page and a heading that is there."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.names |= {of[key] for key in ("id", "name") if of.get(key)}
        self.links += [of[key] for key in ("href", "src") if of.get(key)]


def faults(site):
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html") if file.name != "404.html"}
    for file, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
            target = target / "index.html" if target.is_dir() else target
            where = f"{file.relative_to(site)}: {link}"
            if not target.is_file():
                yield f"{where}: no such page"
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].names:
                yield f"{where}: no such heading"
    if len(pages) < 10:
        yield f"only {len(pages)} pages"


site = pathlib.Path(sys.argv[1]).resolve()
found = sorted(set(faults(site)))
print("\n".join(found) or "every link of the site leads somewhere")
sys.exit(bool(found))
