// Search: sections that have all words, those first whose headings have them.
const up = document.body.dataset.up;
const words = document.getElementById("words");
const found = document.getElementById("found");

/** How well a section fits: 0 where a word is missing. */
function rank([, heading, title, text], wanted) {
  let sum = 0;
  for (const word of wanted) {
    if (heading.toLowerCase().includes(word)) sum += 8;
    else if (title.toLowerCase().includes(word)) sum += 3;
    else if ((" " + text).includes(" " + word)) sum += 1;
    else return 0;
  }
  return sum + 1 / heading.length;
}

function search() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter((word) => word);
  const hits = !wanted.length ? [] : sections
    .map((section) => [rank(section, wanted), section])
    .filter(([sum]) => sum > 0)
    .sort(([one], [other]) => other - one)
    .slice(0, 20);
  found.replaceChildren(...hits.map(([, [address, heading, title]]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = up + address;
    link.textContent = heading;
    const page = document.createElement("small");
    page.textContent = title;
    item.append(link, page);
    return item;
  }));
}

words.addEventListener("input", search);

// On a narrow screen the sections of a page would stand in the way of its text.
const sectionList = document.querySelector?.("details.sections");
if (sectionList && window.matchMedia("(max-width: 75em)").matches)
  sectionList.open = false;
