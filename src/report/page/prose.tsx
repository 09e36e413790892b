/** A sentence for readers. What stands between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
