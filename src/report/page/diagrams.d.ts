/** The diagrams of the machines, provided by `scripts/report-page.ts`. */
declare module "virtual:machine-diagrams" {
  /** SVG text, by the name of the machine. */
  export const diagrams: Readonly<Record<string, string>>;
}
