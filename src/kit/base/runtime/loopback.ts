/**
 * Returns true for a host name that refers to this machine, by the names and addresses that RFC 6761, RFC 1122 and RFC 4291 reserve:
 * `localhost` and names below it, `127.0.0.0/8`, `::1`, the unspecified addresses, and IPv4 addresses written as IPv6.
 *
 * @param hostname as a URL has it, or as a socket is given it, without brackets
 */
export function isLoopback(hostname: string): boolean {
  // A URL writes each address in one way.
  const bare = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname.replace(/%.*/s, "")}]` : hostname;
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(bare)) return false;
  const host = URL.parse(`http://${bare}`)?.hostname.replace(/\.$/, "") ?? "";
  return (
    /^(?:.+\.)?localhost$/.test(host) ||
    /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/.test(host) ||
    /^\[::(?:1|ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))?\]$/.test(host)
  );
}
