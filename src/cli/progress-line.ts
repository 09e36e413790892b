import { printable } from "../errors/printable.ts";

/** The parts of a terminal that a redrawn line uses. */
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

/** A line that shows how far a story's clock has come. It appears only when a story takes long, and `end` erases it. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #time: () => number;
  #story = "";
  #nextDrawing = 0;
  #drawn: { readonly at: number; readonly timers: number } = { at: 0, timers: 0 };
  #timers = 0;
  #isVisible = false;

  /** @param time returns real time in milliseconds, from any origin */
  constructor(terminal: Terminal, time: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#time = time;
  }

  /** Starts counting for a new story. */
  begin(story: string): void {
    this.end();
    const at = this.#time();
    this.#story = story;
    this.#timers = 0;
    this.#drawn = { at, timers: 0 };
    this.#nextDrawing = at + QUIET_AT_FIRST;
  }

  /**
   * Counts a timer that has run, and redraws the line when that is due.
   * @param moment the clock's time, as `sim.clock.now()` returns it
   */
  moved(moment: string): void {
    this.#timers += 1;
    const at = this.#time();
    if (at < this.#nextDrawing) return;
    const { at: since, timers } = this.#drawn;
    const rate = Math.round(((this.#timers - timers) / (at - since)) * 1000);
    const date = moment.slice(0, 16).replace("T", " ");
    const line = `${printable(this.#story)}  ${date}  ${inWords(this.#timers)} timers, ${inWords(rate)}/s`;
    const { columns = 0 } = this.#terminal;
    // A line that wraps could not be erased.
    this.#terminal.write(ERASE_LINE + line.slice(0, (columns > 0 ? columns : DEFAULT_WIDTH) - 1));
    this.#isVisible = true;
    this.#drawn = { at, timers: this.#timers };
    this.#nextDrawing = at + BETWEEN_DRAWINGS;
  }

  /** Erases the line. */
  end(): void {
    if (this.#isVisible) this.#terminal.write(ERASE_LINE);
    this.#isVisible = false;
  }
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
