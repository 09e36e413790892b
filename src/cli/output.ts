import { styleText } from "node:util";

/** Where a command prints, and whether with colours. */
export interface Output {
  print(text: string): void;
  readonly colours: boolean;
}

type Style = "bold" | "dim" | "green" | "red";

/** The process's own output: with colours only where somebody looks at it and `NO_COLOR` is not set. */
export function standardOutput(): Output {
  const colours = process.stdout.isTTY && !process.env["NO_COLOR"];
  return { print: (text) => void process.stdout.write(`${text}\n`), colours };
}

export function styled(output: Output, style: Style, text: string): string {
  return output.colours ? styleText(style, text, { validateStream: false }) : text;
}
