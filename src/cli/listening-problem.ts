import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";

/** Where a command would listen. */
interface Place {
  readonly port?: number;
  readonly hostname?: string;
}

/**
 * Returns an error that says why nothing can listen there. Any other error is returned as it is.
 * @param another what to do instead, as a sentence
 */
export function listeningProblem(error: unknown, { port, hostname }: Place, another: string): unknown {
  const { code = "" } = Object(error) as { readonly code?: string };
  const why =
    code === "EADDRINUSE"
      ? `Port ${port} is taken, perhaps by another centavo serve. ${another}`
      : code === "EACCES"
        ? `Port ${port} is not open to you: most systems keep those below 1024. ${another}`
        : ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code)
          ? `--host ${inWords(hostname)} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`
          : undefined;
  return why === undefined ? error : new CentavoError("INVALID_OPTION", why, { cause: error });
}
