/** What axe finds wrong with the components of VitePress, and what stands there instead. */
const amendments: Readonly<Record<string, readonly (readonly [wrong: RegExp, right: string])[]>> = {
  // The whole row is a button, so that its arrow cannot be one, too.
  "VPSidebarItem.vue": [[/role="button"\s+aria-label="toggle section"(\s[^>]*?)\s+tabindex="0"/, "$1"]],
  // The button is called what is written on it; its keys are drawn by the style.
  "VPNavBarSearchButton.vue": [
    [/<kbd class="DocSearch-Button-Key">K<\/kbd>/, '<kbd class="DocSearch-Button-Key" data-key="K"></kbd>'],
  ],
  // The search is a dialogue and no button, and each of its results is one thing to choose, called what it says.
  "VPLocalSearchBox.vue": [
    [
      /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
      'role="dialog" aria-modal="true"',
    ],
    [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="presentation"'],
    [
      /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
      `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'" role="option"`,
    ],
    // What has a name has to be something.
    [/<kbd (?=:aria-label)/g, '<kbd role="img" '],
  ],
};

/** Amends the components of VitePress before they are compiled. */
export const amendComponents = {
  name: "amend-components",
  enforce: "pre" as const,
  transform(source: string, id: string): string | undefined {
    const [file = ""] = /[^/]+\.vue$/.exec(id) ?? [];
    return amendments[file]?.reduce((text, [wrong, right]) => {
      if (!wrong.test(text)) throw new Error(`${file} of VitePress no longer has ${String(wrong)}.`);
      return text.replace(wrong, right);
    }, source);
  },
};
