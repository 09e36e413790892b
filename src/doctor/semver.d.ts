/** The part of `semver` that the checks use. Its types are a package of their own, which nothing else here needs. */
declare module "semver/functions/satisfies.js" {
  export default function satisfies(
    version: string,
    range: string,
    options?: { readonly includePrerelease?: boolean },
  ): boolean;
}
