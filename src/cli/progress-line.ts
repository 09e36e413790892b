import { printable } from "../kit/base/errors/printable.ts";

/** The parts of a terminal that the line uses. */
export interface Terminal {
  readonly isTTY?: boolean;
  /** 0 if the terminal does not know its width. */
  readonly columns?: number;
  write(text: string): unknown;
}

const QUIET_AT_FIRST = 300;
const BETWEEN_DRAWINGS = 100;
const DEFAULT_WIDTH = 80;
const ERASE_LINE = "\r\u001B[2K";

/** A line that shows the progress of long work. It appears only when the work takes long, and `end` erases it. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #time: () => number;
  #title = "";
  #counted = "";
  #nextDrawing = 0;
  #drawn: { readonly at: number; readonly count: number } = { at: 0, count: 0 };
  #isVisible = false;

  /** @param time returns real time in milliseconds, from any origin */
  constructor(terminal: Terminal, time: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#time = time;
  }

  /**
   * Starts counting for a new story, or for other work.
   * @param counted what is counted, in the plural
   */
  begin(title: string, counted = "timers"): void {
    this.end();
    const at = this.#time();
    this.#title = title;
    this.#counted = counted;
    this.#drawn = { at, count: 0 };
    this.#nextDrawing = at + QUIET_AT_FIRST;
  }

  /**
   * Sets the count so far, and redraws the line if due.
   * @param detail what else to show
   */
  reached(count: number, detail: () => string): void {
    this.#draw((at) => {
      const drawn = this.#drawn;
      const rate = Math.round(((count - drawn.count) / (at - drawn.at)) * 1000);
      this.#drawn = { at, count };
      return `${printable(this.#title)}  ${detail()}  ${inWords(count)} ${this.#counted}, ${inWords(rate)}/s`;
    });
  }

  /** Shows a text in place of a count, and redraws the line if due. Work that never began a count takes long from its start. */
  show(text: () => string): void {
    this.#draw(text);
  }

  end(): void {
    if (this.#isVisible) this.#terminal.write(ERASE_LINE);
    this.#isVisible = false;
  }

  /** @param text receives the moment of the drawing */
  #draw(text: (at: number) => string): void {
    const at = this.#time();
    if (at < this.#nextDrawing) return;
    const { columns = 0 } = this.#terminal;
    // A line that wraps could not be erased.
    this.#terminal.write(ERASE_LINE + text(at).slice(0, (columns > 0 ? columns : DEFAULT_WIDTH) - 1));
    this.#isVisible = true;
    this.#nextDrawing = at + BETWEEN_DRAWINGS;
  }
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
