import type { Simulator } from "centavo";

/** A control of a form, as a browser knows it. */
interface Control {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly checked: boolean;
}

/** A page in a browser without scripts: what it shows, and its one form, filled in and sent as the HTML says. */
export class Page {
  readonly sim: Simulator;
  readonly url: string;
  readonly status: number;
  readonly html: string;
  /** The address of a redirect. */
  readonly location: string | null;

  constructor(sim: Simulator, url: string, response: Response, html: string) {
    this.sim = sim;
    this.url = url;
    this.status = response.status;
    this.location = response.headers.get("location");
    this.html = html;
  }

  static async open(sim: Simulator, url: string, init: RequestInit = {}): Promise<Page> {
    const response = await sim.fetch(url, init);
    return new Page(sim, url, response, await response.text());
  }

  /** The text of every element of this name. */
  texts(element: string): string[] {
    return [...this.html.matchAll(new RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, "gs"))].map(([, inner = ""]) =>
      decode(inner.replaceAll(/<[^>]*>/g, "")).trim(),
    );
  }

  get problem(): string | undefined {
    const found = /role="alert">([^<]*)</.exec(this.html)?.[1];
    return found === undefined ? undefined : decode(found);
  }

  get controls(): Control[] {
    return [...this.html.matchAll(/<(?:input|button)\b([^>]*)>/g)].map(([, markup = ""]) => ({
      name: attribute(markup, "name") ?? "",
      value: attribute(markup, "value") ?? "",
      type: attribute(markup, "type") ?? "text",
      checked: /\bchecked\b/.test(markup),
    }));
  }

  /** The text of the element with this test id. */
  textOf(testId: string): string | undefined {
    const found = new RegExp(`<(\\w+)\\b[^>]*data-testid="${testId}"[^>]*>(.*?)</\\1>`, "s").exec(this.html)?.[2];
    return found === undefined ? undefined : decode(found.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).trim();
  }

  /** The address of the link with this test id. */
  linkOf(testId: string): string | undefined {
    const [markup = ""] = new RegExp(`<a\\b[^>]*data-testid="${testId}"[^>]*>`).exec(this.html) ?? [];
    return attribute(markup, "href");
  }

  /** Fills the form in, chooses a radio button by its value, and presses the button with this test id. */
  async press(button: string, filled: Readonly<Record<string, string>> = {}): Promise<Page> {
    const form = /<form\b([^>]*)>/.exec(this.html)?.[1];
    const pressed = new RegExp(`<button\\b([^>]*data-testid="${button}"[^>]*)>`).exec(this.html)?.[1];
    if (form === undefined || pressed === undefined) throw new Error(`There is no button "${button}" on ${this.html}`);
    const body = new URLSearchParams();
    const radios = this.controls.filter(({ type }) => type === "radio");
    for (const { name, value, checked } of radios)
      if (filled[name] === undefined ? checked : filled[name] === value) body.append(name, value);
    for (const { name, value, type } of this.controls)
      if (name !== "" && type === "text" && !this.#isButton(name)) body.append(name, filled[name] ?? value);
    body.append(attribute(pressed, "name") ?? "", attribute(pressed, "value") ?? "");
    const unknown = Object.keys(filled).filter((name) => !body.has(name));
    if (unknown.length > 0) throw new Error(`The form has no ${unknown.join(", ")}`);
    const target = new URL(attribute(form, "action") ?? "", this.url).href;
    return Page.open(this.sim, target, { method: (attribute(form, "method") ?? "get").toUpperCase(), body });
  }

  #isButton(name: string): boolean {
    return new RegExp(`<button\\b[^>]*name="${name}"`).test(this.html);
  }
}

function attribute(markup: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(markup)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? "");
}
