// Types words into the search of the manual and prints what it finds: search.js
// SITE WORDS. A document that has no more than the script asks for stands in for
// a browser's.
const fs = require("fs");
const vm = require("vm");
const [site, typed] = process.argv.slice(2);

class Element {
  children = [];
  append(...elements) { this.children.push(...elements); }
  replaceChildren(...elements) { this.children = elements; }
  addEventListener(_, listener) { this.listener = listener; }
}
const elements = {words: new Element(), found: new Element()};
globalThis.document = {
  body: {dataset: {up: ""}},
  getElementById: (name) => elements[name],
  createElement: () => new Element(),
};
for (const script of ["search.js", "manual.js"])
  vm.runInThisContext(fs.readFileSync(`${site}/${script}`, "utf8"));
elements.words.value = typed;
elements.words.listener();
for (const item of elements.found.children)
  console.log(item.children[0].href, item.children[0].textContent);
