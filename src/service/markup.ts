const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that is already escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes markup of a template. Every text in it is escaped; other markup stays as it is. */
export function html(template: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  const escaped = values.map((value) =>
    typeof value === "string" ? value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "") : value.text,
  );
  return new Markup(String.raw({ raw: template }, ...escaped));
}
