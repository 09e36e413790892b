import type { Page } from "playwright-core";

/** Returns the words that are smaller than 12 px, stand outside the page, or are broken in their middle, each with what is wrong. */
export async function unreadableWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const right = document.documentElement.clientWidth;
    const found: string[] = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent ?? "";
      if (parent === null || text.trim() === "" || parent.closest("script, style, option, .visually-hidden, thead"))
        continue;
      const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 0) : 1;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize) * scale;
      if (size < 12) found.push(`${text}: ${size} px`);
      // Diagrams and tables of text scroll sideways; a line of code has no better place to break.
      if (parent.closest(".diagram, pre") !== null) continue;
      range.selectNodeContents(node);
      if (range.getBoundingClientRect().right > right) found.push(`${text}: outside`);
      for (const { index, 0: word } of text.matchAll(/\b[a-z_]{2,24}\b/gi)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          found.push(`${text}: breaks in ${word}`);
      }
    }
    return found;
  });
}
