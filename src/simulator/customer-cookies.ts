import type { Cookie, CookieJar } from "tough-cookie";
import * as z from "zod/mini";
import { wallClock } from "../kit/base/runtime/real-time.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { anyText, shapeOf, textIfAny } from "../kit/engine/row-schema.ts";
import { LAST_MOMENT, toTimestamp } from "../kit/engine/timestamp.ts";
import type { Table } from "../kit/engine/table.ts";

/** A cookie as it is stored. The jar's own form has moments of real time, by which two equal worlds would differ. */
interface StoredCookie {
  readonly key: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly hostOnly: boolean;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | undefined;
  /** In the form of ISO 8601; undefined for a cookie of the session. */
  readonly expires: string | undefined;
}

interface Browser {
  readonly cookies: readonly StoredCookie[];
}

const storedBrowser = shapeOf<Browser>()(() => ({
  cookies: z.array(
    shapeOf<StoredCookie>()(() => ({
      key: anyText,
      value: anyText,
      domain: anyText,
      path: anyText,
      hostOnly: z.boolean(),
      secure: z.boolean(),
      httpOnly: z.boolean(),
      sameSite: textIfAny,
      expires: textIfAny,
    })),
  ),
}));

/** The longest `Set-Cookie` that browsers take, in characters. */
const LONGEST = 4096;

/**
 * The cookies of the customer's browser, which are part of the world. They expire by the `Date` of the process, which is the app's. The jar
 * is loaded with the first cookie, because most apps of tests set none.
 */
export class CustomerCookies {
  readonly #engine: Engine;
  readonly #browsers: Table<Browser>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#browsers = engine.table("browsers", { row: storedBrowser });
  }

  /**
   * Adds the cookies to a request of the customer.
   * @param site `strict` for a request from the app's own pages, `lax` for one that another site leads to
   */
  async addTo(request: Request, site: "strict" | "lax"): Promise<void> {
    if (this.#stored.length === 0) return;
    const { CookieJar } = await import("tough-cookie");
    const sent = jarWith(CookieJar, this.#stored).getCookieStringSync(request.url, { sameSiteContext: site });
    if (sent !== "") request.headers.set("cookie", sent);
  }

  /**
   * Keeps the cookies that an answer sets, unless its world has ended meanwhile.
   * @param url the address that answered
   * @param world the world of the request
   */
  async keep(headers: Headers, url: string, world: number): Promise<void> {
    // A polyfill may lack the method.
    const set = ((headers as Partial<Headers>).getSetCookie?.() ?? []).filter(({ length }) => length <= LONGEST);
    if (set.length === 0) return;
    const { Cookie, CookieJar } = await import("tough-cookie");
    const engine = this.#engine;
    if (world !== engine.world) return;
    const jar = jarWith(CookieJar, this.#stored);
    for (const cookie of set) jar.setCookieSync(cookie, url, { ignoreError: true });
    const cookies = (jar.serializeSync()?.cookies ?? []).flatMap((each) => storedOf(Cookie.fromJSON(each)) ?? []);
    engine.unit(() => this.#browsers.set("customer", { cookies }));
  }

  get #stored(): readonly StoredCookie[] {
    return this.#browsers.get("customer")?.cookies ?? [];
  }
}

function jarWith(jars: typeof CookieJar, cookies: readonly StoredCookie[]): CookieJar {
  const settings = { version: "", storeType: null, rejectPublicSuffixes: true };
  return jars.deserializeSync({ ...settings, cookies: cookies.map((cookie) => ({ ...cookie })) });
}

/** Returns undefined for a cookie that has expired, which is how an app deletes it. */
function storedOf(cookie: Cookie | undefined): StoredCookie | undefined {
  const { key, value, domain, path, hostOnly, secure, httpOnly, sameSite } = cookie ?? {};
  const expiry = cookie?.expiryTime() ?? Infinity;
  if (key === undefined || value === undefined || !domain || !path || expiry <= wallClock()) return undefined;
  return {
    key,
    value,
    domain,
    path,
    hostOnly: hostOnly === true,
    secure: secure === true,
    httpOnly: httpOnly === true,
    sameSite,
    expires: Number.isFinite(expiry) ? toTimestamp(Math.min(expiry, LAST_MOMENT)) : undefined,
  };
}
