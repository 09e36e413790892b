import { testMethods } from "../src/service/test-methods.ts";

/** Renders the test cards and wallets as a page. */
export function testMethodsPage(): string {
  const rows = testMethods.map(
    ({ id, numbers, outcome }) => `| \`${id}\` | ${numbers.map((number) => `\`${number}\``).join(", ")} | ${outcome} |`,
  );
  return `# Test cards and wallets

Choose how a payment ends by the card or wallet that pays. \`testMethods\` of \`centavo\` has the same list as data.

Send an id as \`paymentMethodId\`. Send a card number in \`creditCardDetails\` with \`paymentMethod: "card"\`, or type it on the hosted page, with any future expiry date and any CVC of 3 or 4 digits. [The hosted page](../guide/pages.md) offers each card in one click. Any other number that passes the Luhn check is approved. The plain kinds \`card\`, \`gcash\` and \`grab_pay\` mean the approved card and the two wallets.

| Id | Card numbers | What happens |
| --- | --- | --- |
${rows.join("\n")}
`;
}
