import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chooseBase, joinLink, pageOf, resolveBase, resolveServer, samePage } from "../src/shared/address";
import "./seed";

const BASE = "https://docs.example/site/";
const SERVER = "https://ask.example/docs";
const PLACES = { base: BASE, server: SERVER };

for (const [base, page, expected] of [
  ["../../", "https://docs.example/site/setup/colors/", BASE],
  ["../..", "https://docs.example/site/setup/colors/?q=1#x", BASE],
  [".", "https://docs.example/site/index.html", BASE],
  ["", "https://docs.example/site/index.html", BASE],
  ["/", "https://docs.example/site/a/", "https://docs.example/"],
  ["/site", "https://docs.example/site/a/", BASE],
  ["https://other.example/docs/", "https://docs.example/", "https://other.example/docs/"],
] as const) {
  test(`base ${base} of ${page}`, () => {
    assert.equal(resolveBase(base, page), expected);
  });
}

for (const [server, expected] of [
  ["/_trueref", "https://docs.example/_trueref"],
  ["/_trueref/", "https://docs.example/_trueref"],
  ["../_trueref", "https://docs.example/_trueref"],
  ["https://ask.example/x", "https://ask.example/x"],
] as const) {
  test(`server ${server}`, () => {
    assert.equal(resolveServer(server, BASE), expected);
  });
}

for (const [address, expected] of [
  [BASE, ""],
  ["https://docs.example/site", ""],
  [`${BASE}setup/colors/?x#y`, "setup/colors/"],
  [`${BASE}%E9%A2%9C%E8%89%B2/`, "颜色/"],
  [`${BASE}100%/`, "100%/"],
  ["https://docs.example/other/", null],
  ["https://docs.example/sitemap/", null],
  ["https://other.example/site/", null],
] as const) {
  test(`page of ${address}`, () => {
    assert.equal(pageOf(address, BASE), expected);
  });
}

for (const [href, expected] of [
  ["", BASE],
  ["#top", `${BASE}#top`],
  ["setup/#a%20b", `${BASE}setup/#a%20b`],
  ["files/x.pdf#page=3", `${BASE}files/x.pdf#page=3`],
  ["javascript:alert(1)", ""],
  [" javascript:alert(1)", ""],
  ["java\nscript:alert(1)", ""],
  ["data:text/html,x", ""],
  ["//evil.example/", ""],
  ["\\\\evil.example/", ""],
  ["https://evil.example/", ""],
  ["https://docs.example@evil.example/", ""],
  ["https://user@docs.example/", ""],
  ["http://docs.example/", ""],
  ["https://docs.example:444/", ""],
  ["http://[", ""],
] as const) {
  test(`link ${JSON.stringify(href)}`, () => {
    assert.equal(joinLink(href, PLACES), expected);
  });
}

const DOCUMENT = "/documents/0123456789abcdef0123456789abcdef#page=5";

for (const [href, expected] of [
  [`/_trueref${DOCUMENT}`, `${SERVER}${DOCUMENT}`],
  ["/_trueref/documents/x#page=5", `${SERVER}/documents/x#page=5`],
  [`//evil.example${DOCUMENT}`, `${SERVER}${DOCUMENT}`],
  [`https://evil.example${DOCUMENT}`, ""],
  [`/_trueref${DOCUMENT}"><script>`, `${SERVER}${DOCUMENT}"><script>`],
] as const) {
  test(`link to a document ${JSON.stringify(href)}`, () => {
    assert.equal(joinLink(href, PLACES), expected);
  });
}

test("no link on a page opened from a file", () => {
  assert.equal(joinLink("a.html", { base: "file:///home/site/", server: SERVER }), "");
});

test("whatever the href, a link stays on the origin", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `//${text}`),
      ),
      (href) => {
        const link = joinLink(href, PLACES);
        assert.ok(!link || link.startsWith("https://docs.example/"));
      },
    ),
  );
});

for (const [one, other, same] of [
  ["", "index.html", true],
  ["a/", "a/index.html", true],
  ["a", "a.html", true],
  ["a/", "a", true],
  ["a/", "b/", false],
  ["a/", "", false],
  ["index/", "index.html", false],
] as const) {
  test(`${one || "root"} and ${other || "root"} are ${same ? "one page" : "two pages"}`, () => {
    assert.equal(samePage(one, other), same);
  });
}

for (const [address, expected] of [
  ["https://docs.example/site/setup/#x", BASE],
  ["https://docs.example/site", BASE],
  ["https://docs.example/site/fr/setup/", `${BASE}fr/`],
  ["https://docs.example/elsewhere/", "https://docs.example/"],
  ["http://localhost:8000/site/setup/", "http://localhost:8000/site/"],
  ["http://localhost:8000/", "http://localhost:8000/"],
] as const) {
  test(`the site of ${address} among several`, () => {
    assert.equal(
      chooseBase([BASE, "nothing", `${BASE}fr/`, "https://else.example/other/"], address),
      expected,
    );
  });
}

test("any text among the bases does no harm", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.webUrl({ withFragments: true }))),
      fc.webUrl(),
      (bases, address) => {
        assert.equal(new URL(chooseBase(bases, address)).origin, new URL(address).origin);
      },
    ),
  );
});
