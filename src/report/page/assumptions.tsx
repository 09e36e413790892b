import { Prose } from "./prose.tsx";
import { run } from "./store.ts";

/** The assumptions that the run relied on. */
export function Assumptions() {
  const { assumptions } = run.value;
  if (assumptions.length === 0) return <p class="nothing">The run relied on no assumption.</p>;
  return (
    <div class="prose">
      <p>
        The service document leaves these questions open, and this run relied on the answers. Those that take a value
        can be changed: <code>createSimulator({"{ assumptions: { … } }"})</code>.
      </p>
      <table class="assumed stacked">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Answer</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {assumptions.map(({ id, question, answer, value, isChanged }) => (
            <tr key={id}>
              <td>
                <Prose text={question} /> <code class="id">{id}</code>
              </td>
              <td>
                <Prose text={answer} />
              </td>
              <td>
                {value ?? <span class="hint">fixed</span>} {isChanged && <span class="pill tone-pending">changed</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
