// Issue 5, "A page to open": tables sort and fold, by mouse and by keyboard; a hostile
// string stays text; no console error; no request; light, dark, paper, no scripts.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test as bare } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const goldens = join(here, "..", "..", "..", "summary", "testdata");
const named = (prefix, suffix) => readdirSync(goldens).filter((f) => f.startsWith(prefix) && f.endsWith(suffix));

// Each test has its own time, and plenty: a busy machine is no finding. The runner's own
// bound would be one for the whole file.
const patience = 300_000;
const test = (name, run) => bare(name, { timeout: patience }, run);

let browser;
before(async () => {
  // Chromium has no sandbox for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
});
after(() => browser?.close());

// open shows a golden and collects everything that it says or asks for.
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const noise = [];
  const requests = [];
  page.on("console", (m) => noise.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => noise.push(`error: ${e}`));
  page.on("dialog", (d) => noise.push(`dialog: ${d.message()}`));
  page.on("request", (r) => requests.push(r.url()));
  const url = pathToFileURL(join(goldens, file)).href;
  await page.goto(url);
  return {
    page,
    async quiet() {
      assert.deepEqual(noise, [], "console");
      assert.deepEqual(requests, [url], "requests");
      await context.close();
    },
  };
}

// column is the text of a column of a table, in the order shown.
const column = (table, i) => table.locator(":scope > tbody > tr:first-child").evaluateAll((rows, i) => rows.map((r) => r.cells[i].firstElementChild?.textContent ?? r.cells[i].textContent), i);
const head = (table, name) => table.locator(":scope > thead").getByRole("button", { name, exact: true });
const sortOf = (button) => button.locator("..").getAttribute("aria-sort");

// contrasts are the texts whose contrast is below 4.5 : 1 (WCAG 2.2, 1.4.3).
const contrasts = () => {
  const rgb = (s) => s.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const f = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const e of document.body.querySelectorAll("*")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || e.matches("script, style, .hidden, svg title, svg desc") || e.closest("details:not([open]) > :not(summary)")) continue;
    const picture = e.closest("svg");
    const fill = (e) => rgb(getComputedStyle(e).fill);
    const [a, b] = picture ? [light(fill(e)), light(fill(picture.querySelector(".page")))] : [light(rgb(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
};

for (const colorScheme of ["light", "dark"]) {
  test(`every page is quiet and readable, ${colorScheme}`, async () => {
    const grounds = new Set();
    for (const file of named("page-", ".html")) {
      const { page, quiet } = await open(file, { colorScheme });
      assert.deepEqual(await page.evaluate(contrasts), [], `${file}: contrast`);
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      for (const width of [1280, 400]) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${file}: ${over} pixels too wide at ${width}`);
        await page.screenshot({ path: join(here, "shots", `${file.replace(".html", "")}-${colorScheme}-${width}.png`), fullPage: true });
      }
      await quiet();
    }
    assert.deepEqual([...grounds], [colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(15, 19, 24)"]);
  });
}

test("tables sort by mouse", async () => {
  const { page, quiet } = await open("page-bundled.html");
  const table = page.locator("table[data-sort]").first();
  const numbers = await column(table, 0);
  assert.equal(numbers.length, 12);

  await head(table, "field").click();
  const fields = await column(table, 2);
  const order = new Intl.Collator("en", { numeric: true });
  assert.deepEqual(fields, fields.toSorted(order.compare));
  assert.equal(await sortOf(head(table, "field")), "ascending");
  await head(table, "field").click();
  assert.deepEqual(await column(table, 2), fields.toReversed());
  assert.equal(await sortOf(head(table, "field")), "descending");

  // Numbers are numbers, and a status goes by its weight.
  await head(table, "#").click();
  assert.deepEqual(await column(table, 0), numbers.toSorted((a, b) => a - b));
  assert.equal(await sortOf(head(table, "field")), null);
  await head(table, "status").click();
  await head(table, "status").click();
  assert.equal((await column(table, 1))[0], "info");
  assert.equal(await page.getByRole("status").textContent(), "Sorted by status, descending");
  await quiet();
});

test("tables sort by keyboard, and explanations stay with their fields", async () => {
  const { page, quiet } = await open("page-drift.html");
  const table = page.locator(".evidence table[data-sort]").first();
  const groups = async () => (await table.locator(":scope > tbody").allInnerTexts()).map((s) => s.trim());
  const before = await groups();
  assert.ok(before[0].includes("token.hash") && before[0].includes("palette.accent"), before[0]);
  await head(table, "field").focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await groups(), before.toReversed());
  await page.keyboard.press("Space");
  assert.deepEqual(await groups(), before);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "field");
  await quiet();
});

test("everything folds, by mouse, by keyboard and at once", async () => {
  const { page, quiet } = await open("page-drift.html");
  const fields = page.locator("details.fields").nth(1);
  const isOpen = () => fields.evaluate((d) => d.open);
  assert.equal(await isOpen(), false);
  await fields.locator(":scope > summary").click();
  assert.equal(await isOpen(), true);
  await fields.locator(":scope > summary").focus();
  await page.keyboard.press("Enter");
  assert.equal(await isOpen(), false);
  await page.keyboard.press("Space");
  assert.equal(await isOpen(), true);

  const open_ = () => page.locator("details").evaluateAll((all) => all.filter((d) => d.open).length);
  const count = await page.locator("details").count();
  await page.getByRole("button", { name: "Unfold all" }).click();
  assert.equal(await open_(), count);
  await page.getByRole("button", { name: "Fold all", exact: true }).press("Enter");
  assert.equal(await open_(), 0);

  await quiet();
});

test("causes lead to their evidence, and the filter finds it, by keyboard", async () => {
  const { page, quiet } = await open("page-report.html");
  const pieces = page.locator("details.evidence");
  const shown = () => pieces.evaluateAll((all) => all.filter((d) => d.checkVisibility()).length);
  const all = await pieces.count();
  await page.getByRole("button", { name: "Unfold all" }).click();
  await page.getByRole("button", { name: "Fold all", exact: true }).press("Enter");
  // A link to folded evidence unfolds it.
  await page.locator(".group li a").first().press("Enter");
  assert.equal(await page.locator("#e1").evaluate((d) => d.open), true);

  await page.keyboard.press("/");
  await page.keyboard.type("landing-n298");
  assert.equal(await shown(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await shown(), all);
  await page.getByLabel("Status").selectOption("FAIL");
  assert.equal(await shown(), 2);
  await quiet();
});

test("the keyboard reaches everything, and shows where it is", async () => {
  const { page, quiet } = await open("page-drift.html");
  const expected = await page.evaluate(() => [...document.querySelectorAll("a[href], button, summary, [tabindex='0']")].filter((e) => e.checkVisibility()).length);
  const seen = new Set();
  for (let i = 0; i < expected; i++) {
    await page.keyboard.press("Tab");
    const [index, outline] = await page.evaluate(() => {
      const e = document.activeElement;
      return [[...document.querySelectorAll("*")].indexOf(e), getComputedStyle(e).outlineStyle];
    });
    seen.add(index);
    assert.notEqual(outline, "none", `stop ${i}`);
  }
  assert.equal(seen.size, expected);
  await quiet();
});

test("a hostile string stays text", async () => {
  const { page } = await open("page-hostile.html");
  const found = await page.evaluate(() => ({
    scripts: document.scripts.length,
    styles: document.querySelectorAll("style, [style]").length,
    foreign: document.querySelectorAll("img, iframe, object, embed, link, base, form, a, foreignObject, use, image, animate, set").length,
    pictures: document.querySelectorAll("svg").length,
    handlers: [...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith("on")),
    text: document.body.textContent,
  }));
  assert.deepEqual([found.scripts, found.styles, found.foreign, found.pictures, found.handlers], [1, 2, 0, 1, []]);
  assert.ok(found.text.includes("<img src=x>") && found.text.includes("\\u202e\\u200b\\xff</details>"));
  // The policy itself refuses what a string might have brought in.
  const refused = await page.evaluate(async () => {
    const s = document.createElement("script");
    s.textContent = "globalThis.broken = true";
    document.body.append(s);
    return globalThis.broken === undefined;
  });
  assert.ok(refused, "a script without the hash ran");
  await page.context().close();
});

test("the timeline is part of the page", async () => {
  const { page, quiet } = await open("page-drift.html");
  const picture = page.getByRole("img", { name: "Inputs over time, and the evidence that pins them" });
  assert.ok((await picture.boundingBox()).width > 900);
  const name = picture.getByText("tokens/swiss-editorial.yml", { exact: true });
  assert.ok(await name.isVisible());
  // It has its own style, and the style of the page does not reach into it.
  const style = await name.evaluate((e) => [getComputedStyle(e).fontWeight, getComputedStyle(e).fontSize]);
  assert.deepEqual(style, ["700", "12px"]);
  const marks = await picture.locator(".mark.FAIL:not(.hollow)").evaluateAll((all) => all.map((e) => getComputedStyle(e).fill));
  assert.ok(marks.length > 1 && marks.every((fill) => fill === "rgb(184, 69, 15)"), String(marks));
  await quiet();
});

test("on paper everything is unfolded", async () => {
  const { page, quiet } = await open("page-drift.html");
  const closed = () => page.locator("details:not([open])").count();
  const folded = await closed();
  assert.ok(folded > 0);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await closed(), 0);
  assert.equal(await page.locator(".fold").isVisible(), false);
  await page.setViewportSize({ width: 794, height: 1123 });
  assert.deepEqual(await page.evaluate(contrasts), []);
  await page.screenshot({ path: join(here, "shots", "paper.png"), fullPage: true });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await closed(), folded);
  await quiet();
});

test("without scripts nothing but sorting is missing", async () => {
  const { page, quiet } = await open("page-drift.html", { javaScriptEnabled: false });
  assert.equal(await page.locator("button").count(), 0);
  const fields = page.locator("details.fields").nth(1);
  await fields.locator(":scope > summary").click();
  assert.ok(await fields.getByText("schema_version").isVisible());
  await quiet();
});

for (const colorScheme of ["light", "dark"]) {
  test(`pictures of timelines are quiet, ${colorScheme}`, async () => {
    for (const file of named("timeline-", ".svg")) {
      const { page, quiet } = await open(file, { colorScheme });
      assert.equal(await page.evaluate(() => document.documentElement.nodeName), "svg");
      const box = await page.evaluate(() => {
        const { width, height } = document.documentElement.viewBox.baseVal;
        return [...document.querySelectorAll("text")].map((t) => [t.getBBox(), t.textContent, t.closest("g[transform]")]).filter(([b, , moved]) => !moved && (b.x < 0 || b.x + b.width > width || b.y + b.height > height)).map(([, text]) => text);
      });
      assert.deepEqual(box, [], `${file}: text outside of the picture`);
      await quiet();

      // As a page shows it: an image.
      const context = await browser.newContext({ colorScheme, viewport: { width: 1000, height: 300 } });
      const shown = await context.newPage();
      const data = readFileSync(join(goldens, file)).toString("base64");
      await shown.setContent(`<meta name="color-scheme" content="light dark"><body style="margin:0"><img src="data:image/svg+xml;base64,${data}">`);
      assert.equal(await shown.locator("img").evaluate(async (i) => (await i.decode(), i.naturalWidth)), 1000);
      await shown.screenshot({ path: join(here, "shots", `${file.replace(".svg", "")}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
  });
}
