/** The diagrams of the machines, as `scripts/report-page.ts` finds them. */
declare module "virtual:machine-diagrams" {
  /** As SVG, by the name of the machine. */
  export const diagrams: Readonly<Record<string, string>>;
}
