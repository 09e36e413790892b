type Call = (
  path: string,
  init?: { readonly method?: string; readonly body?: string; readonly signal?: AbortSignal },
) => Promise<Response>;

/** A browser's way into an inspector, without the browser. */
export async function signIn(address: string): Promise<Call> {
  const { origin, hash } = new URL(address);
  const own = { origin, "sec-fetch-site": "same-origin" };
  const { status, headers } = await fetch(`${origin}/_centavo/inspector/sign-in`, {
    method: "POST",
    headers: own,
    body: JSON.stringify({ code: hash.replace("#code=", "") }),
  });
  if (status !== 204) throw new Error(`The inspector answered ${status}.`);
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return (path, init) => fetch(origin + path, { ...init, headers: { ...own, cookie } });
}

/** A world, as the inspector lists it. */
export interface Listed {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly now: string;
  readonly entries: number;
  readonly isEnded: boolean;
}

/** Returns the first list of worlds for which this is true. */
export async function worldsWhen(
  call: Call,
  isRight: (worlds: readonly Listed[]) => boolean,
): Promise<readonly Listed[]> {
  const ended = new AbortController();
  const { body } = await call("/_centavo/inspector/worlds", { signal: ended.signal });
  if (body === null) throw new Error("There is no stream.");
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const lists = Array.from(text.matchAll(/^event: worlds\ndata: (.*)\n\n/gm), ([, data = ""]) => data);
    const right = lists.map((data) => JSON.parse(data) as readonly Listed[]).find(isRight);
    if (right === undefined) continue;
    ended.abort();
    return right;
  }
  throw new Error("The stream has ended.");
}

/** Returns the titles of the worlds of a run whose tests have all ended. */
export async function titlesIn(address: string): Promise<string[]> {
  const worlds = await worldsWhen(
    await signIn(address),
    (all) => all.length > 0 && all.every(({ isEnded }) => isEnded),
  );
  return worlds.map(({ title }) => title);
}
