/** The part of simple-oauth2 that is used here; the package carries no types. */
declare module "simple-oauth2" {
  interface Configuration {
    client: { id: string; secret: string };
    auth: { tokenHost: string; tokenPath: string };
    options: { authorizationMethod: "header" | "body"; bodyFormat: "form" | "json" };
  }

  export class ClientCredentials {
    constructor(configuration: Configuration);
    getToken(parameters: Readonly<Record<string, string>>): Promise<{ token: Readonly<Record<string, unknown>> }>;
  }
}
