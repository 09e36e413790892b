import type { Simulator } from "centavo";

/** A shop that logs in once and keeps its token, whatever simulator it meets. */
export function shopThatKeepsItsToken() {
  let token: string | undefined;
  const shop = {
    logins: 0,
    async transactions(sim: Simulator): Promise<Response> {
      token ??= await logIn(sim);
      return sim.fetch("/api/transactions", { headers: { authorization: `Bearer ${token}` } });
    },
  };
  async function logIn({ authUrl, credentials, fetch }: Simulator): Promise<string> {
    shop.logins += 1;
    const { clientId, clientSecret } = credentials;
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const answer = await fetch(`${authUrl}/oauth`, { method: "POST", body });
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }
  return shop;
}
