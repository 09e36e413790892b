import type { ReportedCoverage, ServicePart } from "../reported-run.ts";
import { Diagram } from "./diagram.tsx";
import { Prose } from "./prose.tsx";
import { coveredPart, isPrinted, run, runs } from "./store.ts";
import { counted } from "./words.ts";

export function Coverage() {
  const { coverage, rows } = run.value;
  const { service } = runs.value;
  if (coverage === undefined) return <p class="nothing">The coverage of this run was not counted.</p>;
  const { forgotten, notUsed, visited } = coverage;
  const isOfSuite = rows.length === 0;
  // On paper, the gaps of one run out of many are not worth their pages.
  const shown = service.filter(({ part }) => (isPrinted.value ? isOfSuite : part === coveredPart.value));
  return (
    <div class="coverage">
      <p class="intro">
        {isOfSuite
          ? "What of the payment service your tests went through."
          : "What of the payment service this run went through. Other tests may have seen the rest: centavo coverage tells what the whole suite saw."}
        {forgotten > 0 && ` The journal had forgotten ${counted(forgotten, "entry")} before they could be counted.`}
        {notUsed.length > 0 && ` Not used: ${notUsed.join(", ").replaceAll("_", " ")}.`}
      </p>
      <Table service={service} coverage={coverage} />
      <div class="covered-parts">
        {shown.map((part) => (
          <Part key={part.part} part={part} {...coverage.parts[part.part]} isOfSuite={isOfSuite} />
        ))}
      </div>
      <section class="machines" aria-label="Machines">
        <h2>
          Machines <span class="hint">what was never seen is grey</span>
        </h2>
        {Object.entries(visited).map(([machine, ids]) => (
          <figure key={machine}>
            <figcaption>{machine.replaceAll("_", " ")}</figcaption>
            <Diagram machine={machine} visited={ids} />
          </figure>
        ))}
      </section>
    </div>
  );
}

function Table(props: { readonly service: readonly ServicePart[]; readonly coverage: ReportedCoverage }) {
  const { service, coverage } = props;
  return (
    <table>
      <caption class="visually-hidden">How much was seen</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Seen</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {service.map(({ part, title, all }) => {
          const { seen, percent } = coverage.parts[part];
          return (
            <tr key={part} class={part === coveredPart.value ? "chosen" : ""}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-pressed={part === coveredPart.value}
                  onClick={() => (coveredPart.value = part)}
                >
                  {title}
                </button>
              </th>
              <td>
                {seen.length} of {all.length}
              </td>
              <td>
                <meter min={0} max={100} value={percent} aria-label={`Share of ${title.toLowerCase()}`} /> {percent} %
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Part(
  props: { readonly part: ServicePart; readonly isOfSuite: boolean } & ReportedCoverage["parts"]["states"],
) {
  const { part, seen, neverTested, isOfSuite } = props;
  const { title, all } = part;
  const missing = neverTested.flatMap((name) => all.find((gap) => gap.name === name) ?? []);
  const everything = seen.length === all.length ? "everything" : "everything that was used";
  const never = isOfSuite ? "you never tested" : "this run never saw";
  return (
    <section class="covered-part" aria-label={title}>
      <h2>{missing.length === 0 ? `${title}: ${everything} was seen` : `${title}: ${never}`}</h2>
      {missing.length > 0 && (
        <ul class="gaps">
          {missing.map(({ name, what, lines }) => (
            <li key={name}>
              <Prose text={what} />
              {lines !== undefined && <pre>{lines}</pre>}
            </li>
          ))}
        </ul>
      )}
      {seen.length > 0 && (
        <>
          <h3>Seen</h3>
          <ul class="seen">
            {seen.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
