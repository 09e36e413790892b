import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { DOCS } from "../../kit/base/errors/docs.ts";

/** The parts of `@mswjs/interceptors` that interception uses. */
export type Library = Pick<typeof import("@mswjs/interceptors"), "Interceptor" | "RequestController"> &
  Pick<typeof import("@mswjs/interceptors/http"), "HttpRequestInterceptor"> &
  Pick<typeof import("@mswjs/interceptors/net"), "SocketInterceptor">;

/**
 * Loads the library. It reads a file that lies beside its own, which a bundle would not have, so no bundler may follow the import.
 * @throws {CentavoError} `INTERCEPTION_REFUSED` when it is not installed where the code runs
 */
export async function loadLibrary(): Promise<Library> {
  try {
    const parts: object[] = [];
    // One at a time: on Node 22, Jest cannot link modules that load at the same time and share others.
    for (const part of ["", "/http", "/net"]) parts.push(await load(part));
    return Object.assign({}, ...parts) as Library;
  } catch (cause) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      "intercept() cannot load @mswjs/interceptors, which no bundle can hold. Run the bundle where that package is installed, " +
        `or leave centavo out of the bundle, as with --external:centavo of esbuild (${DOCS}/guide/ways-in.md#bundlers).`,
      { cause },
    );
  }
}

function load(part: string): Promise<object> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ `@mswjs/interceptors${part}`) as Promise<object>;
}
