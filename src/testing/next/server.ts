import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../../kit/base/errors/thrown-values.ts";
import { resolveFrom } from "../../kit/base/runtime/files.ts";

/** Loads a file by its absolute path. */
export type Load = (file: string) => unknown;

/** What the app's own `next` provides to route handlers. */
export interface NextServer {
  /** `NextRequest`, or `Request` if `next` is not installed. */
  readonly Request: typeof Request;
  /** Calls a handler with the request that `cookies()` and `headers()` read, and adds the cookies that were set to its answer. */
  answer(request: Request, route: string, handle: () => Promise<Response>): Promise<Response>;
}

interface Storage {
  run<Result>(store: object, work: () => Result): Result;
}
interface RequestStore {
  readonly mutableCookies: object;
}
/** Runs what is handed to `after()` once the request is closed. */
type AfterContext = new (server: {
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly onClose: (callback: () => void) => void;
}) => object;

/** The version of Next with which its private parts below were tested. If another version moves them, `nextApp` does without. */
const TRIED = "Next 16.4";

/** The parts of Next that hold a request. Only `next/server` is public. */
interface Parts {
  readonly NextRequest?: typeof Request;
  readonly workAsyncStorage?: Storage;
  readonly workUnitAsyncStorage?: Storage;
  readonly createRequestStoreForAPI?: (request: Request, url: URL) => RequestStore;
  readonly appendMutableCookies?: (headers: Headers, cookies: object) => boolean;
  readonly AfterContext?: AfterContext;
}

/** Next's cache, keeping nothing: every read is a miss, so there is nothing to revalidate. */
const emptyCache = {
  generateSimpleCacheKey: async (key: string): Promise<string> => key,
  get: async (): Promise<null> => null,
  set: async (): Promise<void> => undefined,
  revalidateTag: async (): Promise<void> => undefined,
};
/** Every profile of cache lifetimes exists, because `next.config` is not read. */
const anyProfile = new Proxy({}, { get: () => ({ expire: 0 }) });

const FILES = [
  // First, because it gives Next its AsyncLocalStorage.
  "dist/server/node-environment-baseline.js",
  "server",
  "dist/server/app-render/work-async-storage.external.js",
  "dist/server/app-render/work-unit-async-storage.external.js",
  "dist/server/async-storage/request-store.js",
  "dist/server/web/spec-extension/adapters/request-cookies.js",
  "dist/server/after/after-context.js",
];

/**
 * Loads the app's own `next`. Call this before loading the app's routes.
 * @param folder the folder from which to resolve `next`
 */
export async function loadNextServer(folder: string, load: Load): Promise<NextServer> {
  const parts = await partsOf(folder, load);
  const { workAsyncStorage, workUnitAsyncStorage, createRequestStoreForAPI, appendMutableCookies, AfterContext } =
    parts;
  return {
    Request: parts.NextRequest ?? Request,
    answer: async (request, route, handle) => {
      if (!workAsyncStorage || !workUnitAsyncStorage || !createRequestStoreForAPI || !appendMutableCookies)
        return handle().catch((error: unknown) => {
          throw isOutsideRequest(error) ? withoutRequestScope(request, route, error) : explained(request, route, error);
        });
      const store = createRequestStoreForAPI(request, new URL(request.url));
      const page = `/${route.replace(/\.\w+$/, "")}`;
      const closed = Promise.withResolvers<void>();
      const work = {
        route: page.replace(/\/route$/, ""),
        page,
        incrementalCache: emptyCache,
        cacheLifeProfiles: anyProfile,
        afterContext: AfterContext && new AfterContext({ waitUntil, onClose: (run) => void closed.promise.then(run) }),
      };
      const response = await workAsyncStorage
        .run(work, () => workUnitAsyncStorage.run(store, handle))
        .catch((error: unknown) => {
          throw explained(request, route, error);
        })
        .finally(closed.resolve);
      const headers = new Headers(response.headers);
      if (!appendMutableCookies(headers, store.mutableCookies)) return response;
      const { status, statusText } = response;
      return new Response(response.body, { status, statusText, headers });
    },
  };
}

/** Next reports the errors of `after()` itself. */
function waitUntil(work: Promise<unknown>): void {
  void work.catch(() => undefined);
}

/** Whether Next itself missed something that its server would have given it. */
function needsServer(error: unknown): boolean {
  const [, thrownAt = ""] = (isThrown(error, Error) ? (error.stack ?? "") : "").split("\n    at ", 2);
  return (
    messageOf(error).startsWith("Invariant") || (isThrown(error, TypeError) && /[\\/]next[\\/]dist[\\/]/.test(thrownAt))
  );
}

function explained({ method }: Request, route: string, cause: unknown): unknown {
  if (!needsServer(cause)) return cause;
  return new CentavoError(
    "INVALID_OPTION",
    `nextApp(): ${method} of ${route} needs more of Next than route handlers get here, where no Next server runs: ${messageOf(cause).replace(/\.$/, "")}. ` +
      "Connect Next's own server, { listener: app.getRequestHandler() } of next({ dev: true }), or start next dev and give its address as webhookUrl.",
    { cause },
  );
}

/** Whether `cookies()`, `headers()` or a similar function had no request to read. */
function isOutsideRequest(error: unknown): boolean {
  return messageOf(error).includes("outside a request scope");
}

function withoutRequestScope({ method }: Request, route: string, cause: unknown): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `nextApp(): ${method} of ${route} reads its request by next/headers, which this version of Next keeps elsewhere than ${TRIED}, with which nextApp was tried. ` +
      "Read request.cookies and request.headers there, or start the app with next dev and give its address as webhookUrl.",
    { cause },
  );
}

/**
 * Returns the answer that `redirect()`, `notFound()` or a similar function of `next/navigation` stands for; undefined for any other error.
 */
export function answerThrown(error: unknown): Response | undefined {
  const digest = typeof error === "object" && error !== null && "digest" in error ? String(error.digest) : "";
  const [, location = "", redirected] = /^NEXT_REDIRECT;[a-z]+;(.*);(\d{3});$/.exec(digest) ?? [];
  if (redirected !== undefined) return new Response(null, { status: Number(redirected), headers: { location } });
  const [, refused] = /^NEXT_HTTP_ERROR_FALLBACK;(\d{3})$/.exec(digest) ?? [];
  return refused === undefined ? undefined : new Response(null, { status: Number(refused) });
}

async function partsOf(folder: string, load: Load): Promise<Parts> {
  const parts: Parts = {};
  for (const name of FILES) {
    const file = resolveFrom(folder, `next/${name}`);
    if (file === undefined) continue;
    const { default: inner, ...named } = (await loaded("nextApp", file, load)) as Parts & { readonly default?: Parts };
    Object.assign(parts, inner, named);
  }
  return parts;
}

/**
 * Loads a file of the app, or of its `next`.
 * @param caller the function of the test, for messages
 * @throws {CentavoError} `INVALID_OPTION` naming the file
 */
export async function loaded(caller: string, file: string, load: Load, shown = file): Promise<unknown> {
  try {
    return await load(file);
  } catch (cause) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${caller}(): ${shown} cannot be loaded: ${messageOf(cause)}. If your test runner compiles your code, let it load your routes, too: ${caller}(folder, { load: (file) => import(file) }).`,
      { cause },
    );
  }
}
