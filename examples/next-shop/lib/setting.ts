/** Reads a setting from the environment, where Next puts what `.env.local` says. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set the environment variable ${name}`);
  return value;
}
