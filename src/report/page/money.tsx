import type { ReportedMoney } from "../reported-run.ts";
import { counted, money as amountInWords } from "./words.ts";

/** What became of the money of each order and membership of a story. */
export function Money({ money }: { readonly money: readonly ReportedMoney[] }) {
  return (
    <table class="money">
      <caption class="visually-hidden">The money of the story</caption>
      <thead>
        <tr>
          <th scope="col">The money</th>
          <th scope="col">Expected</th>
          <th scope="col">Asked</th>
          <th scope="col">Paid</th>
          <th scope="col">Refunded</th>
        </tr>
      </thead>
      <tbody>
        {money.map((each) => (
          <Row key={each.id} {...each} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ id, currency, expected, asked, payments, paid, refunded, isLast }: ReportedMoney) {
  const inWords = (amount: number | undefined): string =>
    amount === undefined ? "—" : amountInWords({ amount, currency });
  const isTooMuch = expected !== undefined && paid - (refunded ?? 0) > expected;
  return (
    <tr>
      <th scope="row">
        {id} {isLast === true && <span class="hint">the last customer</span>}
      </th>
      <td data-label="Expected">{inWords(expected)}</td>
      <td data-label="Asked">
        {inWords(asked)} {payments > 1 && <span class="hint">{counted(payments, "payment")}</span>}
      </td>
      <td data-label="Paid" class={isTooMuch ? "too-much" : ""}>
        {inWords(paid)}
      </td>
      <td data-label="Refunded">{inWords(refunded)}</td>
    </tr>
  );
}
