/** The pages to which causes lead, as a path from the user's project: the package has them, and they are right for its version. */
const DOCS = "node_modules/centavo/docs";

export const SERVICE_PAGE = `${DOCS}/service.md`;
export const METHODS_PAGE = `${DOCS}/reference/test-methods.md`;

/** Where the page of causes explains one. */
export function pageOf(cause: string): string {
  return `${DOCS}/guide/causes.md#${cause}`;
}
