import type { ComponentChildren } from "preact";

/** A part of the page with its own heading. */
export function Section(props: { readonly title: string; readonly id: string; readonly children: ComponentChildren }) {
  return (
    <section class="part-of-shake" aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}
