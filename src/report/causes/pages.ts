import { DOCS } from "../../kit/base/errors/docs.ts";

export const SERVICE_PAGE = `${DOCS}/service.md`;
export const METHODS_PAGE = `${DOCS}/reference/test-methods.md`;

/** Where the page of causes explains one. */
export function pageOf(cause: string): string {
  return `${DOCS}/guide/causes.md#${cause}`;
}
